package io.waterclock.client.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A naive model of a worker's rules: one list of all waiting fires, which it searches from the
 * beginning each time.
 */
final class NaiveWorker {
  /** A fire that was read, and its state. */
  static final class Item {
    final Tenure tenure;
    final Entry entry;
    final long arrival;
    final boolean isReplaceable;
    boolean wasFree;
    long standsFor;
    int attempts;
    Instant notBefore = Instant.MIN;
    Optional<Instant> deadline = Optional.empty();
    Optional<Instant> cancelledAt = Optional.empty();

    Item(Tenure tenure, Entry entry, long arrival, boolean isReplaceable) {
      this.tenure = tenure;
      this.entry = entry;
      this.arrival = arrival;
      this.isReplaceable = isReplaceable;
    }

    private boolean mayBeReplaced() {
      return isReplaceable && attempts == 0;
    }

    private boolean isHeld() {
      return mayBeReplaced() && tenure.source().isHolding();
    }

    private boolean isAt(Tenure there) {
      return tenure == there;
    }

    /** The longest backoff after this attempt. */
    Instant latestRetry(Instant now) {
      Duration backoff = entry.policy().backoff();
      return now.plus(backoff.multipliedBy(1L << (attempts - 1)));
    }
  }

  final Map<String, Item> turns = new HashMap<>();
  final Set<String> claimed = new HashSet<>();
  private final List<Item> waiting = new ArrayList<>();
  private long arrivals;

  /** Reads a fire; returns the fire that does not run because of it. */
  Optional<Item> add(Tenure tenure, Entry entry) {
    Backlog.Fate fate = tenure.fate(entry);
    Item item = new Item(tenure, entry, arrivals++, fate == Backlog.Fate.COLLAPSE);
    if (fate == Backlog.Fate.SKIP) {
      return Optional.of(item);
    }
    Optional<Item> replaced =
        waiting.stream()
            .filter(older -> item.isReplaceable && older.mayBeReplaced())
            .filter(older -> older.entry.schedule().equals(entry.schedule()))
            .findFirst();
    replaced.ifPresent(
        older -> {
          waiting.remove(older);
          item.standsFor = older.standsFor + 1;
        });
    waiting.add(item);
    return replaced;
  }

  /** Checks which fire is next, and starts its turn. */
  Optional<Item> take(Optional<Entry> taken, Instant now) {
    List<Item> able =
        waiting.stream()
            .filter(item -> !turns.containsKey(item.entry.schedule()))
            .filter(item -> item == first(item.entry.schedule()))
            .filter(item -> !item.notBefore.isAfter(now))
            .toList();
    Comparator<Item> order =
        Comparator.<Item>comparingInt(item -> item.entry.priority())
            .thenComparingLong(item -> item.arrival);
    // what was free once, as the buffer was full, need not be held again
    observe();
    Optional<Item> sure = able.stream().filter(item -> !item.isHeld()).min(order);
    if (taken.isEmpty()) {
      assertThat(sure).as("no fire had a turn").isEmpty();
      return Optional.empty();
    }
    List<Item> same = able.stream().filter(item -> item.entry.equals(taken.get())).toList();
    assertThat(same).as("could have its turn").hasSize(1);
    Item item = same.get(0);
    assertThat(item.wasFree).as("waits for no newer one").isTrue();
    sure.ifPresent(best -> assertThat(order.compare(item, best)).as("before").isNotPositive());
    waiting.remove(item);
    turns.put(item.entry.schedule(), item);
    item.tenure.took(item.entry.offset());
    return Optional.of(item);
  }

  /** Finds the fires that no longer wait for newer ones. */
  void observe() {
    waiting.stream().filter(item -> !item.isHeld()).forEach(item -> item.wasFree = true);
  }

  private Item first(String schedule) {
    return waiting.stream()
        .filter(item -> item.entry.schedule().equals(schedule))
        .min(
            Comparator.<Item>comparingInt(item -> item.attempts > 0 ? 0 : 1)
                .thenComparingLong(item -> item.arrival))
        .orElseThrow();
  }

  void again(Item item, Instant at) {
    turns.remove(item.entry.schedule());
    item.notBefore = at;
    waiting.add(item);
  }

  /** Returns the fires that run or will still run. */
  List<Entry> drain(Tenure tenure, Instant until) {
    tenure.startUntil(until);
    giveUpAttempts(tenure, until);
    waiting.removeIf(
        item ->
            item.isAt(tenure) && item.attempts == 0 && item.entry.offset() > tenure.lastTaken());
    List<Entry> kept = new ArrayList<>(running(tenure));
    waiting.stream().filter(item -> item.isAt(tenure)).forEach(item -> kept.add(item.entry));
    return kept;
  }

  /** Returns the fires that still run. */
  List<Entry> close(Tenure tenure) {
    tenure.startUntil(Instant.MIN);
    giveUpAttempts(tenure, Instant.MIN);
    waiting.removeIf(item -> item.isAt(tenure));
    return running(tenure);
  }

  private void giveUpAttempts(Tenure tenure, Instant until) {
    for (Item item : List.copyOf(waiting)) {
      if (item.isAt(tenure) && item.attempts > 0 && !item.notBefore.isBefore(until)) {
        waiting.remove(item);
        claimed.remove(item.entry.fire().getFireId());
        forget(tenure, item.entry.schedule());
      }
    }
  }

  /** What comes after a fire that is handed back waits for the next owner, too. */
  void forget(Tenure tenure, String schedule) {
    waiting.removeIf(item -> item.isAt(tenure) && item.entry.schedule().equals(schedule));
  }

  private List<Entry> running(Tenure tenure) {
    return turns.values().stream()
        .filter(item -> item.isAt(tenure))
        .map(item -> item.entry)
        .toList();
  }
}

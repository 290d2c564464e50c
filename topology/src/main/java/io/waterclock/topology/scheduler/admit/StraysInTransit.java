package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.context.WaitingMemory;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Strays that this task has written to its partition and not read there yet, numbered from 1. In
 * memory only: the strays of an earlier task are in the partition when this task is assigned, or
 * were never committed. The oldest is forgotten when there is no memory for one more, as after a
 * minute.
 */
final class StraysInTransit {
  /** What is in transit for longer is lost, or far behind; nothing waits for it any more. */
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private record Sent(ScheduleId id, long number, Instant at) {}

  /** In the order of their numbers. */
  private final Map<String, Sent> byPlace = new LinkedHashMap<>();

  private final Map<ScheduleId, TreeSet<Long>> numbers = new HashMap<>();
  private final WaitingMemory.Share memory;
  private Instant lookedAt = Instant.MIN;
  private long lastSent;

  StraysInTransit(WaitingMemory.Share memory) {
    this.memory = memory;
  }

  /**
   * @param place where the stray was produced
   */
  void sent(ScheduleId id, String place, Instant now) {
    if (!byPlace.containsKey(place)) {
      if (memory.isFull()) {
        Iterator<Sent> oldest = byPlace.values().iterator();
        forget(oldest, oldest.next());
      }
      memory.take(id);
      Instant at = now.isBefore(lookedAt) ? lookedAt : now; // they are forgotten by that clock
      byPlace.put(place, new Sent(id, ++lastSent, at));
      numbers.computeIfAbsent(id, unknown -> new TreeSet<>()).add(lastSent);
    }
  }

  /**
   * Notes that a stray was read at home, accepted or not. Ignores a stray that this task did not
   * send, and one with the place of another schedule's stray.
   *
   * @param id its key
   * @return true for a stray that this task sent
   */
  boolean arrived(String id, String place) {
    Sent sent = byPlace.get(place);
    if (sent == null || !sent.id().value().equals(id)) {
      return false;
    }
    byPlace.remove(place);
    isOver(sent);
    return true;
  }

  private void forget(Iterator<Sent> each, Sent sent) {
    each.remove();
    isOver(sent);
  }

  private void isOver(Sent sent) {
    memory.free(sent.id());
    numbers.computeIfPresent(
        sent.id(),
        (key, all) -> {
          all.remove(sent.number());
          return all.isEmpty() ? null : all;
        });
  }

  /** Forgets strays that were sent long ago. */
  void forget(Instant now) {
    lookedAt = now;
    Instant before = now.minus(LONGEST);
    for (Iterator<Sent> each = byPlace.values().iterator(); each.hasNext(); ) {
      Sent sent = each.next();
      if (!sent.at().isBefore(before)) {
        return;
      }
      forget(each, sent);
    }
  }

  /** True while a stray of this schedule is in transit. */
  boolean contains(ScheduleId id) {
    return !numbers.isEmpty() && numbers.containsKey(id);
  }

  /** True while a stray of this schedule with at most this number is in transit. */
  boolean contains(ScheduleId id, long through) {
    return Optional.ofNullable(numbers.get(id)).filter(all -> all.first() <= through).isPresent();
  }

  /** True while a stray with at most this number is in transit. */
  boolean contains(long through) {
    return byPlace.values().stream().findFirst().filter(it -> it.number() <= through).isPresent();
  }

  /** The number of the last stray of this schedule in transit; 0 for none. */
  long last(ScheduleId id) {
    return Optional.ofNullable(numbers.get(id)).map(TreeSet::last).orElse(0L);
  }

  /** The number of the last stray; 0 before the first. */
  long lastSent() {
    return lastSent;
  }

  /** Ends with its task. */
  void leave() {
    memory.leave();
  }

  boolean isEmpty() {
    return byPlace.isEmpty();
  }
}

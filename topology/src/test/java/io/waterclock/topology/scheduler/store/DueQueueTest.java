package io.waterclock.topology.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The queue against lists that are searched from end to end. */
class DueQueueTest {
  private static final int OPERATIONS = 100_000;

  private static final Comparator<Waiting> ORDER =
      Comparator.comparingLong(Waiting::dueMs).thenComparing(Waiting::id);

  /**
   * What the queue should hold for an id.
   *
   * @param atMs the instant of a delayed record in the catch-up lane; of others when it is due
   */
  private record Waiting(String id, long dueMs, boolean live, boolean ownProgress, long atMs) {}

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 60, 900})
  void it_does_what_a_list_does(int ids) {
    SplittableRandom random = new SplittableRandom(ids);
    DueQueue queue = new DueQueue();
    Map<String, Waiting> live = new HashMap<>();
    List<Waiting> catchUp = new ArrayList<>();
    List<Waiting> early = new ArrayList<>(); // of the catch-up lane
    for (int i = 0; i < OPERATIONS; i++) {
      int number = random.nextInt(ids);
      String id = (number % 2 == 0 ? "id" : "later/") + number;
      long dueMs = random.nextInt(300);
      switch (random.nextInt(7)) {
        case 0, 1 -> {
          boolean own = random.nextBoolean();
          queue.putLive(bytes(id), dueMs, own);
          forget(id, catchUp, early);
          live.put(id, new Waiting(id, dueMs, true, own, dueMs));
        }
        case 2 -> {
          long atMs = dueMs - random.nextInt(3);
          queue.putCatchUp(bytes(id), dueMs, atMs);
          live.remove(id);
          forget(id, catchUp, early);
          catchUp.add(new Waiting(id, dueMs, false, true, atMs));
        }
        case 3 -> {
          queue.remove(bytes(id));
          live.remove(id);
          forget(id, catchUp, early);
        }
        case 4 -> {
          if (isFirst(queue, dueMs, catchUp, early)) {
            queue.passCatchUp();
            catchUp.add(catchUp.remove(0));
          }
        }
        case 5 -> queue.firstLive().ifPresent(first -> advance(queue, first, dueMs, live));
        default -> {
          Optional<Waiting> expected =
              Optional.ofNullable(live.get(id))
                  .or(() -> both(catchUp, early).filter(w -> w.id().equals(id)).findFirst());
          assertThat(queue.find(bytes(id)).map(DueQueueTest::waiting))
              .isEqualTo(expected.map(DueQueueTest::withoutInstant));
          Position decided = Position.throughAllAt(random.nextInt(300));
          assertThat(
                  queue
                      .find(bytes(id))
                      .filter(entry -> queue.isBehindUnnamed(entry, decided))
                      .isPresent())
              .isEqualTo(
                  expected
                      .filter(own -> isBehindUnnamed(own, decided, both(catchUp, early)))
                      .isPresent());
        }
      }
      isFirst(queue, random.nextInt(300), catchUp, early);
      assertThat(queue.catchUpTurns()).isGreaterThanOrEqualTo(catchUp.size());
      assertThat(queue.liveSize()).isEqualTo(live.size());
      assertThat(queue.catchUpSize()).isEqualTo(catchUp.size() + early.size());
      if (i % 50 == 0 || ids < 10) {
        assertThat(queue.firstLive().map(DueQueueTest::waiting)).isEqualTo(first(live));
        assertThat(queue.liveDue(dueMs))
            .isEqualTo(live.values().stream().filter(w -> w.dueMs() <= dueMs).count());
        assertThat(queue.earliestCatchUpMs())
            .isEqualTo(both(catchUp, early).map(Waiting::dueMs).min(Long::compare));
      }
    }
    drainsInOrder(queue, live);
    both(catchUp, early).forEach(waiting -> queue.remove(bytes(waiting.id())));
    assertThat(queue.slots()).isEqualTo(new DueQueue().slots());
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 300, 5_000})
  void a_roll_call_finds_what_was_there_and_was_not_called(int ids) {
    SplittableRandom random = new SplittableRandom(ids);
    DueQueue queue = new DueQueue();
    Set<String> known = new TreeSet<>();
    for (int round = 0; round < 20; round++) {
      queue.beginRollCall();
      Set<String> suspects = new TreeSet<>(known);
      for (int i = 0; i < ids; i++) {
        String id = "id" + random.nextInt(ids);
        switch (random.nextInt(5)) {
          case 0, 1 -> {
            queue.call(bytes(id));
            suspects.remove(id);
          }
          case 2 -> {
            queue.remove(bytes(id));
            known.remove(id);
            suspects.remove(id);
          }
          default -> {
            if (known.add(id)) {
              queue.putLive(bytes(id), random.nextInt(2_000), random.nextBoolean());
            }
          }
        }
      }
      assertThat(uncalled(queue)).containsExactlyInAnyOrderElementsOf(suspects);
    }
  }

  @Test
  void ids_that_were_chosen_for_equal_hash_codes_scatter() {
    DueQueue queue = new DueQueue();
    for (int i = 0; i < 1 << 14; i++) {
      queue.putLive(bytes(ofEqualHashCodes(i)), i, false);
    }
    assertThat(longestRun(queue)).isLessThan(500);
  }

  /** One of the strings of 14 pairs, each of {@code Aa} or {@code BB}, as the bits of i say. */
  private static String ofEqualHashCodes(int i) {
    StringBuilder id = new StringBuilder();
    for (int bit = 0; bit < 14; bit++) {
      id.append((i >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return id.toString();
  }

  /** How many slots in a row are taken at most, which bounds the steps of a search. */
  private static int longestRun(DueQueue queue) {
    queue.beginRollCall();
    int longest = 0;
    int run = 0;
    for (int slot = 0; slot < queue.slots(); slot++) {
      run = queue.takeUncalled(slot, slot + 1).isEmpty() ? 0 : run + 1;
      longest = Math.max(longest, run);
    }
    return longest;
  }

  private static List<String> uncalled(DueQueue queue) {
    List<String> found = new ArrayList<>();
    for (int to = queue.slots(); to > 0; to = Math.max(0, to - 100)) {
      for (byte[] id : queue.takeUncalled(Math.max(0, to - 100), to)) {
        found.add(new String(id, StandardCharsets.UTF_8));
      }
    }
    return found;
  }

  /** True when an entry of the catch-up lane has a turn. */
  private static boolean isFirst(
      DueQueue queue, long throughMs, List<Waiting> catchUp, List<Waiting> early) {
    early.stream().filter(w -> w.dueMs() <= throughMs).sorted(ORDER).forEach(catchUp::add);
    early.removeIf(waiting -> waiting.dueMs() <= throughMs);
    while (!catchUp.isEmpty() && catchUp.get(0).dueMs() > throughMs) {
      early.add(catchUp.remove(0));
    }
    assertThat(queue.firstCatchUp(throughMs).map(DueQueueTest::waiting))
        .isEqualTo(catchUp.stream().findFirst().map(DueQueueTest::withoutInstant));
    return !catchUp.isEmpty();
  }

  private static void forget(String id, List<Waiting> catchUp, List<Waiting> early) {
    catchUp.removeIf(waiting -> waiting.id().equals(id));
    early.removeIf(waiting -> waiting.id().equals(id));
  }

  private static Stream<Waiting> both(List<Waiting> catchUp, List<Waiting> early) {
    return Stream.concat(catchUp.stream(), early.stream());
  }

  private static boolean isBehindUnnamed(Waiting own, Position decided, Stream<Waiting> catchUp) {
    return own.id().startsWith("later/")
        && ((!own.live() && !decided.covers(own.atMs(), bytes(own.id())))
            || catchUp
                .filter(other -> other.id().startsWith("later/") && other.atMs() == own.atMs())
                .anyMatch(other -> other.id().compareTo(own.id()) < 0));
  }

  private static Waiting withoutInstant(Waiting own) {
    return new Waiting(own.id(), own.dueMs(), own.live(), own.ownProgress(), own.dueMs());
  }

  private static void advance(
      DueQueue queue, DueQueue.Entry first, long byMs, Map<String, Waiting> live) {
    Waiting before = waiting(first);
    long dueMs = before.dueMs() + byMs;
    Waiting after = new Waiting(before.id(), dueMs, true, before.ownProgress(), dueMs);
    queue.putLive(first.id(), after.dueMs(), after.ownProgress());
    live.put(after.id(), after);
  }

  private static void drainsInOrder(DueQueue queue, Map<String, Waiting> live) {
    while (!live.isEmpty()) {
      Waiting first = queue.firstLive().map(DueQueueTest::waiting).orElseThrow();
      assertThat(Optional.of(first)).isEqualTo(first(live));
      queue.remove(bytes(first.id()));
      live.remove(first.id());
    }
    assertThat(queue.firstLive()).isEmpty();
  }

  private static Optional<Waiting> first(Map<String, Waiting> live) {
    return live.values().stream()
        .min(Comparator.comparingLong(Waiting::dueMs).thenComparing(Waiting::id));
  }

  private static Waiting waiting(DueQueue.Entry entry) {
    return new Waiting(
        new String(entry.id(), StandardCharsets.UTF_8),
        entry.dueMs(),
        entry.isLive(),
        entry.hasOwnProgress(),
        entry.dueMs());
  }

  private static byte[] bytes(String id) {
    return id.getBytes(StandardCharsets.UTF_8);
  }
}

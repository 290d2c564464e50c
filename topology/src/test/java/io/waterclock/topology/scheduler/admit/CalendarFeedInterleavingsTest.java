package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Calendar;
import io.waterclock.topology.scheduler.admit.CalendarFeed.Change;
import io.waterclock.topology.scheduler.admit.CalendarFeed.Seen;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * Whenever a stream thread looks at the calendars, it sees what another thread has read of them up
 * to some record, whole. {@code -Dwaterclock.interleavings=N} reads N records.
 */
class CalendarFeedInterleavingsTest {
  private static final int RECORDS = Integer.getInteger("waterclock.interleavings", 20_000);
  private static final int READERS = 2;
  private static final String LAST = "last";

  private final CalendarFeed feed = new CalendarFeed();

  @Test
  void stream_threads_see_each_state_whole() throws Exception {
    ExecutorService readers = Executors.newFixedThreadPool(READERS);
    try {
      List<Future<Integer>> looks = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        looks.add(readers.submit(follow()));
      }
      for (int offset = 0; offset < RECORDS; offset++) {
        feed.changed("a", new Change(offset, Instant.EPOCH, Optional.of(described(offset))));
        feed.held(Set.of("after " + offset));
      }
      feed.changed(LAST, new Change(RECORDS, Instant.EPOCH, Optional.empty()));
      for (Future<Integer> states : looks) {
        assertThat(states.get()).as("states seen").isPositive();
      }
    } finally {
      readers.shutdownNow();
    }
  }

  /** Returns how many states it has seen. */
  private Callable<Integer> follow() {
    return () -> {
      int states = 0;
      Seen before = Seen.NOTHING;
      for (Seen seen = before; !seen.changes().containsKey(LAST); seen = feed.seen()) {
        if (!seen.equals(before)) {
          states++;
          assertThat(newest(seen))
              .as("records come in order")
              .isGreaterThanOrEqualTo(newest(before));
          assertThat(seen.held())
              .as("what waits belongs to the newest record or to the one before it")
              .isSubsetOf("after " + newest(seen), "after " + (newest(seen) - 1));
        }
        before = seen;
      }
      return states;
    };
  }

  private static Calendar described(int offset) {
    return Calendar.newBuilder().setDescription("at " + offset).build();
  }

  private static long newest(Seen seen) {
    List<Change> changes = seen.changes().getOrDefault("a", List.of());
    return changes.isEmpty() ? -1 : changes.get(changes.size() - 1).offset();
  }
}

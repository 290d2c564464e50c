package io.waterclock.client.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads claim the same fires at the same time, and give some of them back: each fire has one
 * owner at a time. {@code -Dwaterclock.interleavings=N} claims N fires.
 */
@Timeout(600)
class InMemoryDeduplicatorInterleavingsTest {
  private static final int FIRES = Integer.getInteger("waterclock.interleavings", 50_000);
  private static final int THREADS = 3;

  private final InMemoryDeduplicator ids = new InMemoryDeduplicator(FIRES);
  private final AtomicIntegerArray owners = new AtomicIntegerArray(FIRES);

  @Test
  void each_fire_has_one_owner_at_a_time() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<Integer>> ends = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        ends.add(threads.submit(this::claimAll));
      }
      int owned = 0;
      for (Future<Integer> end : ends) {
        owned += end.get();
      }
      assertThat(owned).as("claims that were kept").isEqualTo(FIRES);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Returns how many fires the thread has kept. */
  private int claimAll() {
    int kept = 0;
    for (int fire = 0; fire < FIRES; fire++) {
      boolean givesBack = fire % 3 == 0;
      while (ids.claim("fire" + fire)) {
        assertThat(owners.incrementAndGet(fire)).as("owners of %d", fire).isEqualTo(1);
        if (!givesBack) {
          kept++;
          break;
        }
        owners.decrementAndGet(fire);
        ids.release("fire" + fire);
        givesBack = false;
      }
    }
    return kept;
  }
}

package io.waterclock.bench.chaos;

import io.waterclock.bench.chaos.load.Load;
import io.waterclock.judge.Entry;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs fires that want an outcome, for a moment or for too long, and reports most of them. */
final class Worker implements AutoCloseable {
  private static final int LONGEST_MS = 3_500;

  private final Load load;
  private final SplittableRandom random;
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

  Worker(Load load, long seed) {
    this.load = load;
    this.random = new SplittableRandom(seed);
  }

  /** Called on one thread. */
  void take(Entry<String> fire) {
    boolean isWanted =
        fire.value().filter(value -> value.contains("\"wants_outcome\":true")).isPresent();
    if (!isWanted || random.nextInt(8) == 0) {
      return;
    }
    String id = fire.headers().getOrDefault("ce_subject", "");
    Future<?> unused =
        executor.schedule(
            () -> load.report(id, fire.key(), "succeeded"),
            random.nextLong(LONGEST_MS),
            TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}

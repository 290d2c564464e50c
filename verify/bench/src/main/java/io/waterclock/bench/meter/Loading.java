package io.waterclock.bench.meter;

import io.waterclock.bench.run.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** What it cost to define schedules, from the first one that was written to the last one taken. */
public record Loading(int schedules, Duration elapsed, CpuTimes cpu) {

  /**
   * Measures a load.
   *
   * @param cpu reads the CPU time so far
   * @param load returns when the schedules are taken
   */
  public static Loading of(int schedules, Supplier<CpuTimes> cpu, Runnable load) {
    CpuTimes before = cpu.get();
    Instant begin = Await.now();
    load.run();
    Duration elapsed = Duration.between(begin, Await.now());
    return new Loading(schedules, elapsed, cpu.get().since(before));
  }

  public double microsEach() {
    return elapsed.toNanos() / 1e3 / schedules;
  }
}

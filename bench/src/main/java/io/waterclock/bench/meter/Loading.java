package io.waterclock.bench.meter;

import java.time.Duration;

/** What it cost to define schedules, from the first one that was written to the last one taken. */
public record Loading(int schedules, Duration elapsed, CpuTimes cpu) {

  public double microsEach() {
    return elapsed.toNanos() / 1e3 / schedules;
  }
}

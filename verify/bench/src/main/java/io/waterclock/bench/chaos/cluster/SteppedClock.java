package io.waterclock.bench.chaos.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The system's clock, off by a step or drifting since it was last set. Thread-safe. */
final class SteppedClock implements InstantSource {
  /**
   * @param off at the moment when it was set
   * @param ppm millionths by which it runs too fast
   */
  private record Setting(Duration off, long ppm, long sinceNanos) {}

  private volatile Setting setting = new Setting(Duration.ZERO, 0, System.nanoTime());

  /** Sets how far it is off from now on, and by how many millionths it runs too fast. */
  void set(Duration off, long ppm) {
    setting = new Setting(off, ppm, System.nanoTime());
  }

  @Override
  public Instant instant() {
    Setting now = setting;
    long drift = (System.nanoTime() - now.sinceNanos()) / 1_000_000 * now.ppm() / 1_000;
    return InstantSource.system().instant().plus(now.off()).plusNanos(drift * 1_000);
  }
}

package io.waterclock.topology.scheduler.context;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;

/**
 * Reads the wall clock and judges it in one step: with two steps, the clock could jump between the
 * judgement and the reading. Safe for all threads.
 */
@FunctionalInterface
public interface ClockGuard {

  /** Reads the clock. Logs once when it is wrong. */
  Reading read();

  /**
   * A reading of the clock, with its judgement.
   *
   * @param isTrusted false while deciding must stop because the clock is wrong
   */
  record Reading(Instant wall, boolean isTrusted) {}

  /** A guard that trusts a clock while {@code isTrusted} is true. */
  static ClockGuard of(InstantSource wall, BooleanSupplier isTrusted) {
    return () -> new Reading(wall.instant(), isTrusted.getAsBoolean());
  }
}

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
   * @param latest the time of the brokers if the wall clock is behind it by more than is tolerated,
   *     or is not trusted and has not jumped since it was compared; else {@code wall}
   */
  record Reading(Instant wall, boolean isTrusted, Instant latest) {
    /** A reading of a clock that is not behind. */
    public Reading(Instant wall, boolean isTrusted) {
      this(wall, isTrusted, wall);
    }
  }

  /** A guard that trusts a clock while {@code isTrusted} is true. */
  static ClockGuard of(InstantSource wall, BooleanSupplier isTrusted) {
    return () -> new Reading(wall.instant(), isTrusted.getAsBoolean());
  }
}

package io.waterclock.topology.scheduler.context;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;

/**
 * Reads the wall clock and judges it in one go. Who asked first whether the clock can be believed,
 * and read it then, would believe a step between the two. Safe to ask from any thread.
 */
@FunctionalInterface
public interface ClockGuard {

  /** Reads the clock; who finds out that it is off says so once. */
  Reading read();

  /**
   * What the clock showed, and what it is worth.
   *
   * @param isTrusted false while deciding must stop because the clock is off
   */
  record Reading(Instant wall, boolean isTrusted) {}

  /** A guard that believes a clock as long as somebody else says that it may. */
  static ClockGuard of(InstantSource wall, BooleanSupplier isTrusted) {
    return () -> new Reading(wall.instant(), isTrusted.getAsBoolean());
  }
}

package io.waterclock.topology.stream;

/** Says whether the wall clock can be believed. Safe to ask from any thread. */
@FunctionalInterface
public interface ClockGuard {

  /** False while deciding must stop because the clock is off; whoever finds out says so once. */
  boolean isTrusted();
}

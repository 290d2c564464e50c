package io.waterclock.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is moved. Not thread-safe. */
public final class VirtualClock implements InstantSource {
  private Instant now;

  public VirtualClock(Instant now) {
    this.now = now;
  }

  @Override
  public Instant instant() {
    return now;
  }

  /** Moves the clock, backwards too: clocks do step. */
  public void set(Instant instant) {
    now = instant;
  }

  public void advance(Duration duration) {
    now = now.plus(duration);
  }
}

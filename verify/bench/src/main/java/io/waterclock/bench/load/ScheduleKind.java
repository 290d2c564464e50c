package io.waterclock.bench.load;

import java.time.Duration;
import java.util.Optional;

/** How often a schedule fires: the interval in a herd, and in an open loop. */
public enum ScheduleKind {
  ONCE(Optional.empty(), Optional.empty()),
  EVERY(Optional.of(Duration.ofHours(1)), Optional.of(Duration.ofSeconds(10)));

  private final Optional<Duration> inHerd;
  private final Optional<Duration> inLoop;

  ScheduleKind(Optional<Duration> inHerd, Optional<Duration> inLoop) {
    this.inHerd = inHerd;
    this.inLoop = inLoop;
  }

  /** After which a schedule of a herd fires again; empty when it does not. */
  Optional<Duration> inHerd() {
    return inHerd;
  }

  /** After which a schedule of an open loop fires again; empty when it does not. */
  public Optional<Duration> inLoop() {
    return inLoop;
  }
}

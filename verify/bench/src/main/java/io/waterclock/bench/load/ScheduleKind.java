package io.waterclock.bench.load;

import java.time.Duration;
import java.util.Optional;

/** How often a schedule fires. */
public enum ScheduleKind {
  ONCE(Optional.empty()),
  EVERY(Optional.of(Duration.ofSeconds(10)));

  private final Optional<Duration> interval;

  ScheduleKind(Optional<Duration> interval) {
    this.interval = interval;
  }

  /** After which a schedule fires again; empty when it does not. */
  public Optional<Duration> interval() {
    return interval;
  }
}

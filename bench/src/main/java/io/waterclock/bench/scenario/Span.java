package io.waterclock.bench.scenario;

import io.waterclock.bench.run.Await;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A stretch of time.
 *
 * @param from inclusive
 * @param until exclusive
 */
record Span(Instant from, Instant until) {
  private static final InstantSource CLOCK = InstantSource.system();

  /** Returns when that much time has passed. */
  static Span next(Duration length) {
    Instant from = CLOCK.instant();
    Await.instant(from.plus(length));
    return new Span(from, CLOCK.instant());
  }

  double seconds() {
    return Duration.between(from, until).toMillis() / 1e3;
  }
}

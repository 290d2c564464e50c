package io.waterclock.bench.scenario;

import io.waterclock.bench.run.Await;
import java.time.Duration;
import java.time.Instant;

/**
 * A stretch of time.
 *
 * @param from inclusive
 * @param until exclusive
 */
record Span(Instant from, Instant until) {
  /** Returns when that much time has passed. */
  static Span next(Duration length) {
    Instant from = Await.now();
    Await.instant(from.plus(length));
    return new Span(from, Await.now());
  }

  double seconds() {
    return Duration.between(from, until).toMillis() / 1e3;
  }
}

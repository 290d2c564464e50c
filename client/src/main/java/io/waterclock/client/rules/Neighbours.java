package io.waterclock.client.rules;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The interval of a schedule around a fire, from the previous and the next occurrence. Empty for a
 * schedule that fires once.
 */
final class Neighbours {
  private Neighbours() {}

  /** From the previous occurrence to this one; for the first occurrence, from it to the next. */
  static Optional<Duration> intervalBefore(Fire fire) {
    return around(fire).or(() -> sincePrevious(fire)).or(() -> untilNext(fire));
  }

  /** From this occurrence to the next; for the last occurrence, from the previous one. */
  static Optional<Duration> intervalAfter(Fire fire) {
    return around(fire).or(() -> untilNext(fire)).or(() -> sincePrevious(fire));
  }

  /** A triggered fire lies between two occurrences of the trigger. */
  private static Optional<Duration> around(Fire fire) {
    return fire.getCause() == Cause.TRIGGERED
        ? between(Optional.ofNullable(fire.getPrevious()), Optional.ofNullable(fire.getNext()))
        : Optional.empty();
  }

  private static Optional<Duration> sincePrevious(Fire fire) {
    return between(Optional.ofNullable(fire.getPrevious()), Optional.of(fire.getOccurrence()));
  }

  private static Optional<Duration> untilNext(Fire fire) {
    return between(Optional.of(fire.getOccurrence()), Optional.ofNullable(fire.getNext()));
  }

  private static Optional<Duration> between(Optional<Instant> from, Optional<Instant> to) {
    return from.flatMap(start -> to.map(end -> Duration.between(start, end)));
  }
}

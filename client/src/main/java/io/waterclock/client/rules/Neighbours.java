package io.waterclock.client.rules;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The interval of a schedule around a fire, from the previous and the next occurrence. Empty for a
 * schedule that fires once.
 */
final class Neighbours {
  private Neighbours() {}

  /** From the previous occurrence to this one; for the first occurrence, from it to the next. */
  static Optional<Duration> intervalBefore(Fire fire) {
    return around(fire)
        .or(() -> between(fire.getPrevious(), fire.getOccurrence()))
        .or(() -> between(fire.getOccurrence(), fire.getNext()));
  }

  /** From this occurrence to the next; for the last occurrence, from the previous one. */
  static Optional<Duration> intervalAfter(Fire fire) {
    return around(fire)
        .or(() -> between(fire.getOccurrence(), fire.getNext()))
        .or(() -> between(fire.getPrevious(), fire.getOccurrence()));
  }

  /** A triggered fire lies between two occurrences of the trigger. */
  private static Optional<Duration> around(Fire fire) {
    return Optional.of(fire)
        .filter(each -> each.getCause() == Cause.TRIGGERED)
        .flatMap(each -> between(each.getPrevious(), each.getNext()));
  }

  /** Empty also for instants in another order: a fire may come from anyone who writes retries. */
  private static Optional<Duration> between(@Nullable Instant from, @Nullable Instant to) {
    return from == null || to == null || !from.isBefore(to)
        ? Optional.empty()
        : Optional.of(Duration.between(from, to));
  }
}

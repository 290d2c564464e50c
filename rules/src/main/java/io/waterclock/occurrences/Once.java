package io.waterclock.occurrences;

import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Horizon;
import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** One occurrence, at its instant. Every method costs O(1). */
public record Once(Instant at) implements Trigger {

  /**
   * @throws InvalidTriggerException if {@code at} lies outside the years 0000 to 9999
   */
  public Once {
    Horizon.require("at", at, "2026-12-24T18:00:00Z");
    at = at.truncatedTo(ChronoUnit.MILLIS);
  }

  /** The trigger that occurs at {@code at}, truncated to the millisecond. */
  public static Once of(Instant at) {
    return new Once(at);
  }

  @Override
  public Count count(Instant after, Instant through, long limit) {
    return Count.exactly(at.isAfter(after) && !at.isAfter(through) ? 1 : 0);
  }

  @Override
  public Optional<Instant> nthAfter(Instant t, long n) {
    return n == 1 && at.isAfter(t) ? Optional.of(at) : Optional.empty();
  }

  @Override
  public Optional<Instant> nthAtOrBefore(Instant t, long n) {
    return n == 1 && !at.isAfter(t) ? Optional.of(at) : Optional.empty();
  }
}

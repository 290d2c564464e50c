package io.waterclock.occurrences.core;

/** A computation needs more steps than it may have, see {@link Effort}. */
public final class EffortSpentException extends RuntimeException {
  EffortSpentException(long limit) {
    super(
        "it takes more than "
            + limit
            + " steps; a trigger that occurs more regularly, a later anchor or start_at, or fewer"
            + " calendars make it cheaper");
  }
}

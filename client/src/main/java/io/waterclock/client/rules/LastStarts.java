package io.waterclock.client.rules;

import java.util.Optional;

/** The last starts of schedules that a worker knows. */
public interface LastStarts {
  /** The last start of a schedule; empty if the worker does not know it. */
  Optional<LastStart> of(String scheduleId);
}

package io.waterclock.client.rules;

import java.util.Optional;

/** When schedules last began to run, as far as a worker knows. */
public interface LastStarts {
  /** The last start of a schedule, if it is known. */
  Optional<LastStart> of(String scheduleId);
}

package io.waterclock.client.rules;

import java.time.Instant;
import java.util.Optional;

/** What a worker does with a fire whose turn has come. */
public sealed interface StartVerdict {
  /**
   * The worker runs it.
   *
   * @param deadline the end of its timeout, exclusive
   */
  record Run(Optional<Instant> deadline) implements StartVerdict {}

  /**
   * The worker drops it.
   *
   * @param text the reason with its numbers, for a person
   */
  record Drop(DropReason reason, String text) implements StartVerdict {}
}

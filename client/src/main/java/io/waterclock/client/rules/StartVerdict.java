package io.waterclock.client.rules;

import java.time.Instant;
import java.util.Optional;

/** What becomes of a fire whose turn has come. */
public sealed interface StartVerdict {
  /**
   * It runs.
   *
   * @param deadline the end of its time box, exclusive
   */
  record Run(Optional<Instant> deadline) implements StartVerdict {}

  /**
   * It does not run.
   *
   * @param text for people: the reason with its numbers
   */
  record Drop(DropReason reason, String text) implements StartVerdict {}
}

package io.waterclock.decide.model;

import java.time.Instant;

/**
 * A Resume command. It overrides an earlier pause and an earlier definition with {@code enabled =
 * false}, in any order of reading.
 *
 * @param written when it was written
 * @param firesOnce whether it requested a fire for the occurrences in the pause
 */
public record Resumed(Written written, boolean firesOnce) {

  /** When it took effect. */
  public Instant at() {
    return written.at();
  }
}

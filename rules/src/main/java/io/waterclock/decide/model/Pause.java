package io.waterclock.decide.model;

import java.time.Instant;
import java.util.Optional;

/**
 * A pause that commands or failures have set.
 *
 * @param since inclusive: the last instant that occurred before it
 * @param written the newest record that has set it: only a later Resume ends the pause
 * @param foundWork true when a run, a fire of a command or a deadline was open at the pause: the
 *     schedule was not complete
 */
public record Pause(
    Instant since,
    Written written,
    Optional<String> note,
    Optional<String> author,
    boolean foundWork) {

  /**
   * The pause after another record that sets it, in any order: it begins with the first of them,
   * and the newest says why.
   *
   * @param keeps true when the other record leaves note and author as they are
   */
  public Pause and(Pause other, boolean keeps) {
    boolean isOlder = written.isAfter(other.written);
    Pause saying = isOlder || keeps ? this : other;
    return new Pause(
        other.since.isBefore(since) ? other.since : since,
        isOlder ? written : other.written,
        saying.note,
        saying.author,
        foundWork || other.foundWork);
  }

  /** True when both show the same. */
  public boolean showsAs(Pause other) {
    return since.equals(other.since) && note.equals(other.note) && author.equals(other.author);
  }
}

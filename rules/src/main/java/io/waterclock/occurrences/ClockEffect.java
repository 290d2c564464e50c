package io.waterclock.occurrences;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.zone.ZoneOffsetTransition;

/**
 * The effect of a clock change on the wall-clock times that a trigger names.
 *
 * @param first the first such time that the change skips or repeats
 * @param times how many there are
 */
public record ClockEffect(
    ZoneOffsetTransition change, Kind kind, LocalDateTime first, LocalDateTime last, long times) {

  /** The effect on the times. */
  public enum Kind {
    /** They do not exist; the trigger occurs once instead, when the gap ends. */
    MOVED,
    /** They do not exist, and nothing occurs instead. */
    DROPPED,
    /** They come twice, and so does the occurrence. */
    DOUBLED,
    /** They come twice; the trigger occurs the first time only. */
    FIRST_PASS
  }

  /** When the clocks change. */
  public Instant at() {
    return change.getInstant();
  }

  /** Whether the change moved the occurrence or shows it twice. */
  public boolean concerns(Instant occurrence) {
    return switch (kind) {
      case MOVED -> occurrence.equals(at());
      case DROPPED -> false;
      case DOUBLED -> isShownTwice(occurrence);
      case FIRST_PASS -> isShownTwice(occurrence) && occurrence.isBefore(at());
    };
  }

  private boolean isShownTwice(Instant occurrence) {
    return !occurrence.isBefore(at().plus(change.getDuration()))
        && occurrence.isBefore(at().minus(change.getDuration()));
  }
}

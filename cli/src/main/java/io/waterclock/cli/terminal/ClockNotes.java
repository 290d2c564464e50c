package io.waterclock.cli.terminal;

import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

/** Notes about local times that the clock skips or shows twice. */
public final class ClockNotes {
  private ClockNotes() {}

  /**
   * Writes a line that names the instant taken, if the clock skips or repeats the time of an
   * option.
   *
   * @param zone of a time without an offset
   */
  public static void write(String option, Optional<String> time, ZoneId zone, Terminal terminal) {
    time.ifPresent(
        text ->
            Instants.changeAt(text, zone)
                .ifPresent(
                    change -> terminal.note(option + ": " + sentence(text.strip(), zone, change))));
  }

  private static String sentence(String text, ZoneId zone, ZoneOffsetTransition change) {
    Instant taken = Instants.parse(text, zone);
    String fromTo =
        " from "
            + change.getDateTimeBefore().toLocalTime()
            + " to "
            + change.getDateTimeAfter().toLocalTime();
    return change.isGap()
        ? text
            + " does not exist in "
            + zone
            + ", where the clock goes"
            + fromTo
            + "; Waterclock takes the end of this gap, "
            + taken
            + "."
        : text
            + " occurs twice in "
            + zone
            + ", where the clock goes back"
            + fromTo
            + "; Waterclock takes the first, "
            + taken
            + ".";
  }
}

package io.waterclock.cli.terminal;

import io.waterclock.schemas.text.Instants;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

/** Says which instant is meant by a local time that the clock skips or shows twice. */
public final class ClockNotes {
  private ClockNotes() {}

  /**
   * Writes a line if the time that an option gives needs it.
   *
   * @param zone in which a time without an offset is read
   */
  public static void write(String option, Optional<String> time, ZoneId zone, PrintWriter err) {
    time.ifPresent(
        text ->
            Instants.changeAt(text, zone)
                .ifPresent(
                    change ->
                        err.println(
                            "waterclock: "
                                + option
                                + ": "
                                + sentence(text.strip(), zone, change))));
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
            + "; the end of this gap is taken, "
            + taken
            + "."
        : text
            + " comes twice in "
            + zone
            + ", where the clock goes back"
            + fromTo
            + "; the first time is taken, "
            + taken
            + ".";
  }
}

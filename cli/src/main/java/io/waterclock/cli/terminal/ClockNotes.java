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
        " from %s to %s"
            .formatted(
                change.getDateTimeBefore().toLocalTime(), change.getDateTimeAfter().toLocalTime());
    return change.isGap()
        ? ("%s does not exist in %s, where the clock goes%s; Waterclock takes the end of"
                + " this gap, %s.")
            .formatted(text, zone, fromTo, taken)
        : ("%s occurs twice in %s, where the clock goes back%s; Waterclock takes the"
                + " first, %s.")
            .formatted(text, zone, fromTo, taken);
  }
}

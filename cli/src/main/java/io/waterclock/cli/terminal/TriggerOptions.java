package io.waterclock.cli.terminal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.occurrences.Zones;
import java.io.PrintWriter;
import java.time.ZoneId;
import java.util.Optional;
import picocli.CommandLine.Option;

/** When something occurs, as flags, in the words of the JSON form. Nothing is judged here. */
public final class TriggerOptions {
  @Option(
      names = "--cron",
      paramLabel = "EXPRESSION",
      description = "Such as \"0 9 * * 1-5\"; five fields, six with seconds first, or @daily.")
  private Optional<String> cron = Optional.empty();

  @Option(
      names = "--every",
      paramLabel = "INTERVAL",
      description = "Such as 30m, PT5M or \"1 month\".")
  private Optional<String> every = Optional.empty();

  @Option(
      names = "--rrule",
      paramLabel = "RULE",
      description = "A recurrence rule of iCalendar, such as \"FREQ=MONTHLY;BYDAY=-1FR\".")
  private Optional<String> rrule = Optional.empty();

  @Option(
      names = "--anchor",
      paramLabel = "TIME",
      description = "With --every and --rrule: where they begin to count (default: now).")
  private Optional<String> anchor = Optional.empty();

  @Option(names = "--at", paramLabel = "TIME", description = "Once, at this time, or \"now\".")
  private Optional<String> at = Optional.empty();

  @Option(names = "--in", paramLabel = "DURATION", description = "Once, after this: 90s, PT2H.")
  private Optional<String> in = Optional.empty();

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description =
          "The time zone of the trigger and of times without an offset, such as Europe/Berlin"
              + " (default: for put what the scheduler is configured with, else UTC).")
  private Optional<String> zone = Optional.empty();

  /** Whether any trigger is given. */
  public boolean isGiven() {
    return cron.isPresent()
        || every.isPresent()
        || rrule.isPresent()
        || at.isPresent()
        || in.isPresent();
  }

  /**
   * The zone, or UTC.
   *
   * @throws io.waterclock.occurrences.core.InvalidTriggerException if there is none of that name
   */
  public ZoneId zone() {
    return Zones.parse(zone.orElse("UTC"));
  }

  /**
   * Says which of the times that are given the clock skips or shows twice.
   *
   * @throws io.waterclock.occurrences.core.InvalidTriggerException if there is no zone of that name
   */
  public void noteClockChanges(PrintWriter err) {
    ClockNotes.write("--anchor", anchor, zone(), err);
    ClockNotes.write("--at", at, zone(), err);
  }

  /** Adds what is given to a definition in the JSON form. */
  public void addTo(ObjectNode json) {
    put(json, "cron", cron);
    put(json, "every", every);
    put(json, "rrule", rrule);
    put(json, "anchor", anchor);
    put(json, "at", at);
    put(json, "in", in);
    put(json, "timezone", zone);
  }

  private static void put(ObjectNode json, String field, Optional<String> value) {
    value.ifPresent(text -> json.put(field, text));
  }
}

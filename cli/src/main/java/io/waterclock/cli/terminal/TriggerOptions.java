package io.waterclock.cli.terminal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.occurrences.CronReading;
import io.waterclock.occurrences.core.Words;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.InvalidValueException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** A trigger as flags, named like the fields of the JSON form. Nothing is validated here. */
public final class TriggerOptions {
  @Option(
      names = "--cron",
      paramLabel = "EXPRESSION",
      description = "For example \"0 9 * * 1-5\": five fields, six with seconds first, or @daily.")
  private Optional<String> cron = Optional.empty();

  @Option(
      names = "--dialect",
      paramLabel = "DIALECT",
      description =
          "With --cron: whose cron it is: quartz, spring, aws, unix, robfig (Kubernetes), croniter,"
              + " fugit or jenkins (default: waterclock).")
  private Optional<String> dialect = Optional.empty();

  @Option(
      names = "--every",
      paramLabel = "INTERVAL",
      description = "For example 30m, PT5M or \"1 month\".")
  private Optional<String> every = Optional.empty();

  @Option(
      names = "--rrule",
      paramLabel = "RULE",
      description = "A recurrence rule of iCalendar, for example \"FREQ=MONTHLY;BYDAY=-1FR\".")
  private Optional<String> rrule = Optional.empty();

  @Option(
      names = "--anchor",
      paramLabel = "TIME",
      description = "With --every and --rrule: the time from which they count (default: now).")
  private Optional<String> anchor = Optional.empty();

  @Option(names = "--at", paramLabel = "TIME", description = "Once, at this time, or \"now\".")
  private Optional<String> at = Optional.empty();

  @Option(
      names = "--in",
      paramLabel = "DURATION",
      description = "Once, after this time: 90s, PT2H.")
  private Optional<String> in = Optional.empty();

  @Option(
      names = {"--zone", "--timezone"},
      paramLabel = "ZONE",
      description =
          "The time zone of the trigger and of times without an offset, for example Europe/Berlin"
              + " (default: with put the scheduler's default.timezone, otherwise UTC).")
  private Optional<String> zone = Optional.empty();

  public boolean isGiven() {
    return cron.isPresent()
        || every.isPresent()
        || rrule.isPresent()
        || at.isPresent()
        || in.isPresent();
  }

  /** The zone, or UTC. */
  public ZoneId zone() {
    try {
      return Instants.zone(zone.orElse("UTC"));
    } catch (InvalidValueException e) {
      throw new Failure("timezone: " + e.getMessage());
    }
  }

  /** Prints a note for each given time that the clock skips or shows twice. */
  public void noteClockChanges(Terminal terminal) {
    ClockNotes.write("--anchor", anchor.map(TimeText::midnight), zone(), terminal);
    ClockNotes.write("--at", at.map(TimeText::midnight), zone(), terminal);
  }

  /** Prints what other schedulers read in the expression, if that is something else. */
  public void noteReadings(Terminal terminal) {
    List<CronReading> readings =
        dialect.isPresent() ? List.of() : cron.map(CronReading::differing).orElse(List.of());
    if (readings.isEmpty()) {
      return;
    }
    Map<String, List<String>> readers = new LinkedHashMap<>();
    for (CronReading reading : readings) {
      readers
          .computeIfAbsent(reading.words(), words -> new ArrayList<>())
          .add(reading.dialect().title());
    }
    terminal.note(
        "this expression means "
            + readers.entrySet().stream()
                .map(same -> "\"" + same.getKey() + "\" to " + Words.and(same.getValue()))
                .collect(Collectors.joining(", and "))
            + "; choose with --dialect.");
  }

  /** Whether {@code --at} is given. */
  public boolean hasInstant() {
    return at.isPresent();
  }

  /** The time of {@code --at}, if it is before now. */
  public Optional<String> past(Instant now) {
    return at.filter(
        text -> {
          try {
            return Instants.parse(TimeText.AHEAD.iso(text, now), zone()).isBefore(now);
          } catch (InvalidValueException | Failure e) {
            return false; // the scheduler says what is wrong
          }
        });
  }

  /**
   * Adds the given flags to a definition in the JSON form; durations count from {@code now}.
   *
   * @throws WrongUsage if they are several triggers
   */
  public void addTo(ObjectNode json, Instant now) {
    requireOne();
    put(json, "cron", cron);
    put(json, "dialect", dialect.map(text -> text.toLowerCase(Locale.ROOT)));
    put(json, "every", every);
    put(json, "rrule", rrule);
    put(json, "anchor", anchor.map(text -> TimeText.AHEAD.iso(text, now)));
    put(json, "at", at.map(text -> TimeText.AHEAD.iso(text, now)));
    put(json, "in", in);
    put(json, "timezone", zone);
  }

  private void requireOne() {
    Map<String, Optional<String>> triggers = new LinkedHashMap<>();
    triggers.put("--cron", cron);
    triggers.put("--every", every);
    triggers.put("--rrule", rrule);
    triggers.put("--at", at);
    triggers.put("--in", in);
    List<String> all = List.copyOf(triggers.keySet());
    triggers.values().removeIf(Optional::isEmpty);
    if (triggers.size() > 1) {
      throw new WrongUsage(
          Words.and(List.copyOf(triggers.keySet()))
              + " are given; exactly one of "
              + Words.and(all)
              + " is right.");
    }
  }

  private static void put(ObjectNode json, String field, Optional<String> value) {
    value.ifPresent(text -> json.put(field, text));
  }
}

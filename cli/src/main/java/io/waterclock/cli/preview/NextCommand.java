package io.waterclock.cli.preview;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.terminal.ClockNotes;
import io.waterclock.cli.terminal.TerminalCommand;
import io.waterclock.cli.terminal.TimeText;
import io.waterclock.cli.terminal.TriggerOptions;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.occurrences.core.Count;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "next",
    description = {
      "Show when a trigger occurs, without Kafka.",
      "",
      "On a terminal: a table with local time, UTC, distance from now, and effects of clock changes.",
      "Elsewhere: one instant per line, in UTC."
    })
public final class NextCommand extends TerminalCommand {
  private static final long DEFAULT_COUNT = 10;
  private static final long PAGE = 1_000;
  private static final long MOST_COUNTED = 1_000_000;

  @Mixin TriggerOptions trigger = new TriggerOptions();

  @Option(
      names = "--for",
      paramLabel = "ID",
      description = "With --dialect jenkins: the schedule's id, which gives each H its value.")
  Optional<String> forId = Optional.empty();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Show occurrences strictly after this time: an instant, a local time, a date, or a duration"
              + " from now (default: now).")
  Optional<String> from = Optional.empty();

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Show occurrences up to this time, inclusive (default: no end).")
  Optional<String> to = Optional.empty();

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Show at most N occurrences (default: 10; with --to all).")
  Optional<Long> count = Optional.empty();

  @Option(
      names = "--json",
      description = "Print each occurrence as one line of JSON, with its local time.")
  boolean json;

  @Override
  public Integer call() {
    if (!trigger.isGiven()) {
      throw new WrongUsage("A trigger such as --cron is needed.");
    }
    count.ifPresent(number -> requireLeast("--count", number, 1));
    preview();
    return ExitCode.OK;
  }

  private void preview() {
    Instant now = now();
    Instant start = from.map(text -> time("--from", text, now)).orElse(now);
    Instant end = to.map(text -> time("--to", text, now)).orElse(Instant.MAX);
    if (from.isPresent() && end.isBefore(start)) {
      throw new WrongUsage("--to must not be earlier than --from.");
    }
    PreviewTrigger asked = PreviewTrigger.of(trigger, forId, start);
    trigger.noteClockChanges(terminal());
    trigger.noteReadings(terminal());
    ClockNotes.write("--from", from, asked.zone(), terminal());
    ClockNotes.write("--to", to, asked.zone(), terminal());
    Optional<Instant> next = next(asked, start, end);
    if (next.isEmpty()) {
      String range = to.isEmpty() ? "" : " up to " + end;
      note("there is no occurrence after " + start + range + ".");
    } else if (terminal().screen() && !json) {
      show(asked, start, end, now);
    } else {
      list(asked, start, end);
    }
  }

  private long most() {
    return count.orElse(to.isPresent() ? Long.MAX_VALUE : DEFAULT_COUNT);
  }

  private static Optional<Instant> next(PreviewTrigger asked, Instant after, Instant end) {
    return asked.trigger().nextAfter(after).filter(at -> !at.isAfter(end));
  }

  private void list(PreviewTrigger asked, Instant start, Instant end) {
    Optional<Instant> next = next(asked, start, end);
    for (long i = 0; i < most() && next.isPresent() && !terminal().abandoned(i + 1); i++) {
      println(json ? json(next.get(), asked.zone()) : next.get());
      next = next(asked, next.get(), end);
    }
  }

  private static ObjectNode json(Instant at, ZoneId zone) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("occurrence", at.toString())
        .put("local", DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(at.atZone(zone)))
        .put("zone", zone.getId());
  }

  private void show(PreviewTrigger asked, Instant start, Instant end, Instant now) {
    List<Instant> page = new ArrayList<>();
    Optional<Instant> next = next(asked, start, end);
    while (page.size() < Math.min(most(), PAGE) && next.isPresent()) {
      page.add(next.get());
      next = next(asked, next.get(), end);
    }
    OccurrenceTable.of(asked.trigger(), asked.zone(), start, page, now).print(terminal().out());
    if (to.isPresent() && next.isPresent()) {
      Instant last = page.get(page.size() - 1);
      Count more = asked.trigger().count(last, end, MOST_COUNTED);
      println("and " + (more.exact() ? "" : "at least ") + more.value() + " more up to " + end);
    }
  }

  private Instant time(String option, String text, Instant now) {
    return TimeText.AHEAD.parse(option, text, trigger.zone(), now);
  }
}

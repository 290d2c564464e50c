package io.waterclock.cli.preview;

import io.waterclock.cli.Failure;
import io.waterclock.cli.Terminal;
import io.waterclock.cli.WrongUsage;
import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.Every;
import io.waterclock.occurrences.IntervalUnit;
import io.waterclock.occurrences.Once;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.Zones;
import io.waterclock.schemas.Instants;
import io.waterclock.schemas.Interval;
import io.waterclock.schemas.InvalidValueException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** Prints occurrences without asking anybody. */
@Command(
    name = "next",
    description = {
      "Show when a trigger occurs, without Kafka.",
      "",
      "One instant per line, in UTC. With --batch, each line of a file",
      "(cron expression<TAB>zone<TAB>start) is printed again with its next ten occurrences,",
      "END where there are no more, or ERR:reason."
    })
public final class NextCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = "--cron",
      paramLabel = "EXPRESSION",
      description = "Such as \"0 9 * * 1-5\"; five fields, six with seconds first, or @daily.")
  Optional<String> cron = Optional.empty();

  @Option(
      names = "--every",
      paramLabel = "INTERVAL",
      description = "Such as 30m, PT5M or \"1 month\".")
  Optional<String> every = Optional.empty();

  @Option(names = "--at", paramLabel = "TIME", description = "Such as 2026-12-24T18:00:00Z.")
  Optional<String> at = Optional.empty();

  @Option(
      names = "--batch",
      paramLabel = "FILE",
      description = "A file of cron expressions, or - for standard input.")
  Optional<String> batch = Optional.empty();

  @Option(
      names = "--anchor",
      paramLabel = "TIME",
      description = "With --every: the grid's first point (default: the value of --from).")
  Optional<String> anchor = Optional.empty();

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      defaultValue = "UTC",
      description = "The time zone of the trigger and of times without an offset (default: UTC).")
  String zone = "";

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Show what occurs strictly after this time (default: now).")
  Optional<String> from = Optional.empty();

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many (default: ${DEFAULT-VALUE}).")
  int count;

  /** A command that writes to {@code terminal}. */
  public NextCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    requireConsistent();
    if (batch.isPresent()) {
      batch(batch.get());
    } else {
      preview();
    }
    return ExitCode.OK;
  }

  private void requireConsistent() {
    if (Stream.of(cron, every, at, batch).filter(Optional::isPresent).count() != 1) {
      throw new WrongUsage("Exactly one of --cron, --every, --at and --batch is needed.");
    }
    if (anchor.isPresent() && every.isEmpty()) {
      throw new WrongUsage("--anchor belongs to --every; other triggers have none.");
    }
    if (count < 1) {
      throw new WrongUsage("--count must be at least 1.");
    }
  }

  private void batch(String file) throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(terminal.open(file), StandardCharsets.UTF_8), 1 << 16)) {
      Batch.run(in, terminal);
    }
  }

  private void preview() {
    ZoneId zoneId = Zones.parse(zone);
    Instant start = from.map(text -> instant("--from", text, zoneId)).orElseGet(this::now);
    Trigger trigger = trigger(zoneId, start);
    Optional<Instant> next = trigger.nextAfter(start);
    if (next.isEmpty()) {
      terminal.err().println("waterclock: nothing occurs after " + start + ".");
    }
    for (int i = 0; i < count && next.isPresent(); i++) {
      terminal.out().println(next.get());
      next = trigger.nextAfter(next.get());
    }
  }

  private Instant now() {
    return terminal.clock().instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private Trigger trigger(ZoneId zoneId, Instant start) {
    if (cron.isPresent()) {
      return Cron.parse(cron.get(), zoneId);
    }
    if (at.isPresent()) {
      return Once.of(instant("--at", at.get(), zoneId));
    }
    Instant first = anchor.map(text -> instant("--anchor", text, zoneId)).orElse(start);
    Interval interval = interval(every.orElseThrow());
    return Every.of(first, interval.n(), IntervalUnit.valueOf(interval.unit().name()), zoneId);
  }

  private static Instant instant(String option, String text, ZoneId zoneId) {
    try {
      return Instants.parse(text, zoneId);
    } catch (InvalidValueException e) {
      throw new Failure(option + ": " + e.getMessage(), e);
    }
  }

  private static Interval interval(String text) {
    try {
      return Interval.parse(text);
    } catch (InvalidValueException e) {
      throw new Failure("--every: " + e.getMessage(), e);
    }
  }
}

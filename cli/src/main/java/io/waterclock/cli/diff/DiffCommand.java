package io.waterclock.cli.diff;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.ZoneOption;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Table;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.topics.NewestWatermark;
import io.waterclock.decide.whatif.OccurrenceChange;
import io.waterclock.decide.whatif.OccurrenceChange.Kind;
import io.waterclock.decide.whatif.ScheduleDifference;
import io.waterclock.decide.whatif.Side;
import io.waterclock.decide.whatif.TimeFrame;
import io.waterclock.decide.whatif.WhatIf;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Occurrence;
import io.waterclock.occurrences.Tzdb;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.tzdb.InvalidZoneDataException;
import io.waterclock.occurrences.tzdb.ZoneData;
import io.waterclock.occurrences.tzdb.ZoneDataPin;
import io.waterclock.schemas.avro.Watermark;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows which occurrences a change adds, removes or moves. Exit code 2 if there are any. */
@Command(
    name = "diff",
    exitCodeOnInvalidInput = ExitCode.SOFTWARE,
    description = {
      "Show which occurrences of the next days a change adds, removes or moves, and change"
          + " nothing.",
      "",
      "The change is files of schedules and calendars, as apply reads them, or other time-zone"
          + " data, or both. It is compared with the cluster, or with the files of --before,"
          + " without Kafka.",
      "An occurrence is moved if it fires at another instant, but has the same nominal instant or"
          + " the same wall-clock time, or is the only one that is added and removed on its date.",
      "Exit codes: 0 no difference, 1 failure or wrong usage, 2 differences."
    })
public final class DiffCommand extends ReportingCommand {
  private static final int DIFFERENCES = 2;
  private static final int LONGEST_DAYS = 3_660;
  private static final int HIGHEST_LIMIT = 1_000_000;
  private static final long PROGRESS_NANOS = 3_000_000_000L;

  @Parameters(
      arity = "0..*",
      paramLabel = "PATH",
      description = "Files or folders with schedules and calendars, in JSON or YAML.")
  List<Path> after = List.of();

  @Option(
      names = "--before",
      paramLabel = "PATH",
      description =
          "Compare with the schedules and calendars of this file or folder instead of a cluster;"
              + " repeatable.")
  List<Path> before = List.of();

  @Option(
      names = "--tzdb",
      paramLabel = "FILE[,FILE@INSTANT]",
      description =
          "Use other time-zone data after the change: the lib/tzdb.dat of a Java runtime, its"
              + " folder, or a jar of org.threeten:threetenbp. After a comma: the data from an"
              + " instant on.")
  Optional<String> tzdb = Optional.empty();

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "30",
      description = "Compare this many days from now (default: ${DEFAULT-VALUE}).")
  int days;

  @Option(
      names = "--show",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "Print at most N changes of each schedule (default: ${DEFAULT-VALUE}); --json prints"
              + " all.")
  int show;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10000",
      description =
          "Compare at most N occurrences of each schedule (default: ${DEFAULT-VALUE}). The output"
              + " says where the comparison ends.")
  int limit;

  @Mixin ZoneOption defaultZone = new ZoneOption();

  @Override
  public Integer call() {
    if (after.isEmpty() && tzdb.isEmpty()) {
      throw new WrongUsage("Give a PATH with definitions, or --tzdb, or both.");
    }
    requireUpTo("--days", days, LONGEST_DAYS);
    if (limit < 1 || limit > HIGHEST_LIMIT || show < 0) {
      throw new WrongUsage(
          "--limit must be from 1 to " + HIGHEST_LIMIT + ", and --show at least 0.");
    }
    Instant now = now();
    ZoneId zone = defaultZone.zone();
    Function<String, ZoneId> zones = tzdb.map(this::zones).orElse(Zones::parse);
    DiffSide old = before.isEmpty() ? cluster(zone, now) : DiffSide.ofFiles(before, zone, now);
    DiffSide changed = after.isEmpty() ? old : old.with(after, zone, now);
    Calendars calendars = old.allCalendars();
    WhatIf whatIf =
        new WhatIf(
            Side.of(calendars),
            new Side(
                changed.calendars().equals(old.calendars()) ? calendars : changed.allCalendars(),
                zones),
            new TimeFrame(now, now.plus(Duration.ofDays(days))),
            limit);
    return print(whatIf, old, changed) ? DIFFERENCES : ExitCode.OK;
  }

  private Function<String, ZoneId> zones(String pin) {
    try {
      ZoneData data = ZoneDataPin.read(pin);
      note("time-zone data before: " + Tzdb.version() + ", after: " + data.version());
      return data::zone;
    } catch (InvalidZoneDataException e) {
      throw new Failure("--tzdb: " + e.getMessage(), e);
    }
  }

  private DiffSide cluster(ZoneId zone, Instant now) {
    Cluster cluster = cluster();
    noteOtherZoneData(cluster);
    return DiffSide.ofCluster(cluster, zone, now, progress());
  }

  private void noteOtherZoneData(Cluster cluster) {
    int partitions = cluster.partitions(cluster.topics().schedules()).size();
    String others =
        cluster.watermarks(partitions).values().stream()
            .map(NewestWatermark::watermark)
            .map(Watermark::getTzdb)
            .filter(version -> !version.equals(Tzdb.version()))
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    if (!others.isEmpty()) {
      note(
          "the scheduler has the time-zone data "
              + others
              + ", and this command "
              + Tzdb.version()
              + "; set WATERCLOCK_TZDB to the data of the scheduler");
    }
  }

  /** Prints all differences, and returns whether there are any. */
  private boolean print(WhatIf whatIf, DiffSide old, DiffSide changed) {
    SortedSet<String> ids = new TreeSet<>(old.plans().keySet());
    ids.addAll(changed.plans().keySet());
    Table table = new Table("SCHEDULE", "CHANGE", "BEFORE", "AFTER");
    Map<Kind, Long> totals = new EnumMap<>(Kind.class);
    int differing = 0;
    int compared = 0;
    boolean hasRows = false;
    long printedAt = System.nanoTime();
    for (String id : ids) {
      ScheduleDifference difference =
          whatIf.compare(
              id,
              Optional.ofNullable(old.plans().get(id)),
              Optional.ofNullable(changed.plans().get(id)));
      compared++;
      if (System.nanoTime() - printedAt > PROGRESS_NANOS) {
        printedAt = System.nanoTime();
        note("compared " + compared + " of " + ids.size() + " schedules");
        terminal().flush();
      }
      if (difference.isEmpty() && difference.comparedUntil().isEmpty()) {
        continue;
      }
      differing += difference.isEmpty() ? 0 : 1;
      for (Kind kind : Kind.values()) {
        totals.merge(kind, difference.count(kind), Long::sum);
      }
      if (json) {
        println(json(difference));
      } else {
        rows(difference, table);
        hasRows = true;
      }
    }
    if (hasRows) {
      table.print(terminal().out());
    }
    if (!json) {
      summarise(whatIf.window(), compared, differing, totals);
    }
    old.unknown()
        .forEach(
            id ->
                note(
                    id
                        + " is not compared: the topics do not show which definition is in force, or"
                        + " from which instant it counts"));
    return differing > 0;
  }

  private void rows(ScheduleDifference difference, Table table) {
    List<OccurrenceChange> changes = difference.changes();
    for (OccurrenceChange change : changes.subList(0, Math.min(show, changes.size()))) {
      table.row(
          List.of(
              difference.id(), label(change.kind()), text(change.before()), text(change.after())));
    }
    if (changes.size() > show || changes.isEmpty()) {
      table.row(
          List.of(
              difference.id(),
              changes.isEmpty() ? "" : "more: " + (changes.size() - show),
              difference.firesBefore() + " fires",
              difference.firesAfter() + " fires"));
    }
    difference.problems().forEach(table::note);
    difference
        .comparedUntil()
        .ifPresent(until -> table.note("compared up to " + until + " only; see --limit"));
  }

  private void summarise(TimeFrame window, int compared, int differing, Map<Kind, Long> totals) {
    println(
        "%s of %s schedules differ from %s to %s: occurrences added %s, removed %s, moved %s"
            .formatted(
                differing,
                compared,
                window.now(),
                window.end(),
                totals.getOrDefault(Kind.ADDED, 0L),
                totals.getOrDefault(Kind.REMOVED, 0L),
                totals.getOrDefault(Kind.MOVED, 0L)));
  }

  private static String text(Optional<Occurrence> occurrence) {
    return occurrence.map(one -> one.due().toString()).orElse("-");
  }

  private static String label(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static ObjectNode json(ScheduleDifference difference) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.put("schedule", difference.id());
    for (Kind kind : Kind.values()) {
      tree.put(label(kind), difference.count(kind));
    }
    tree.put("fires_before", difference.firesBefore());
    tree.put("fires_after", difference.firesAfter());
    difference.comparedUntil().ifPresent(at -> tree.put("compared_until", at.toString()));
    ArrayNode problems = tree.putArray("problems");
    difference.problems().forEach(problems::add);
    ArrayNode changes = tree.putArray("changes");
    for (OccurrenceChange change : difference.changes()) {
      ObjectNode node = changes.addObject().put("change", label(change.kind()));
      change.before().ifPresent(one -> node.set("before", json(one)));
      change.after().ifPresent(one -> node.set("after", json(one)));
    }
    return tree;
  }

  private static ObjectNode json(Occurrence occurrence) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("occurrence", occurrence.at().toString())
        .put("due", occurrence.due().toString());
  }
}

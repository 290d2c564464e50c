package io.waterclock.cli.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.ZoneOption;
import io.waterclock.client.schedules.FireRun;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.RunReader;
import io.waterclock.client.schedules.RunReader.RunId;
import io.waterclock.client.topics.Partitions;
import io.waterclock.console.model.Diagnosis;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.FailingFires;
import io.waterclock.schemas.avro.RunningBackfill;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.text.Problems;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "get",
    description = {
      "Show a schedule: its state, its next occurrences, its last fires with the reports of"
          + " workers, and its definition.",
      "",
      "The state comes from the instance that owns the schedule, or from the topics if no instance"
          + " answers."
    })
public final class GetCommand extends ReportingCommand {
  private static final int MOST_NEXT = 1_000;
  private static final int FIRES = 10;

  @Parameters(paramLabel = "ID", description = "The schedule's id.")
  String id = "";

  @Option(
      names = "--next",
      paramLabel = "N",
      defaultValue = "5",
      description = "The number of next occurrences, from 1 to 1000 (default: ${DEFAULT-VALUE}).")
  int count;

  @Mixin ZoneOption defaultZone = new ZoneOption();

  @Override
  public Integer call() {
    requireUpTo("--next", count, MOST_NEXT);
    ScheduleId.parse(id);
    Cluster cluster = cluster();
    KnownSchedule written = existing(id, cluster);
    List<TopicPartition> partitions = cluster.partitions(cluster.topics().schedules());
    ScheduleProgress progress =
        ScheduleProgress.of(
            written,
            Partitions.home(id, partitions).partition(),
            cluster.watermarks(partitions.size()));
    KnownSchedule entry = progress.live().map(live -> live.over(written)).orElse(written);
    Optional<List<Instant>> next =
        new CalendarTopic(cluster)
            .upcoming(defaultZone.zone(), List.of(entry))
            .withoutJitter()
            .dueAfter(entry, terminal().clock().instant(), count);
    List<HistoryEvent> fires =
        History.newest(cluster, id, cluster.topics().fires(), FIRES).events().stream()
            .map(fire -> fire.noting(entry.status().map(ScheduleStatus::getRevision)))
            .toList();
    Map<RunId, FireRun> reports = cluster.runs(RunReader.DEPTH).reported(id);
    if (json) {
      ObjectNode tree = tree(entry, next, fires, reports);
      progress.addTo(tree);
      println(tree);
    } else {
      print(entry, progress, next, fires, reports);
    }
    return ExitCode.OK;
  }

  private ObjectNode tree(
      KnownSchedule entry,
      Optional<List<Instant>> next,
      List<HistoryEvent> fires,
      Map<RunId, FireRun> reports) {
    ObjectNode tree = EntryJson.of(entry, next);
    for (HistoryEvent fire : fires) {
      ObjectNode node = fire.json().deepCopy();
      reported(fire, reports).ifPresent(run -> node.set("outcome", RunText.json(run)));
      tree.withArray("fires").add(node);
    }
    return tree;
  }

  private static Optional<FireRun> reported(HistoryEvent fire, Map<RunId, FireRun> reports) {
    String backfill = fire.json().path("backfill").textValue();
    return Optional.ofNullable(
        reports.get(
            new RunId(fire.json().path("fire_id").asText(), Optional.ofNullable(backfill))));
  }

  /** The report about its run; empty if no report was requested and none was written. */
  private static String run(HistoryEvent fire, Map<RunId, FireRun> reports) {
    boolean isAsked = fire.json().path("wants_outcome").asBoolean();
    return reported(fire, reports)
        .map(run -> "  " + RunText.of(run))
        .orElse(isAsked ? "  (not reported)" : "");
  }

  private void print(
      KnownSchedule entry,
      ScheduleProgress progress,
      Optional<List<Instant>> next,
      List<HistoryEvent> fires,
      Map<RunId, FireRun> reports) {
    line("id", entry.id());
    line(
        "state",
        entry
            .state()
            .map(Enum::name)
            .orElse("pending: no scheduler has accepted or rejected it yet"));
    entry.status().ifPresent(this::print);
    line("source", progress.source());
    progress.decidedThrough().ifPresent(at -> line("decided", "through " + at));
    line(
        "watchdog",
        progress
            .checked()
            .map(at -> "has checked it since " + at)
            .orElse("has not checked it yet"));
    line(
        "next",
        next.map(GetCommand::text).orElse("unknown: the topics no longer retain the revision"));
    if (fires.isEmpty()) {
      line("fires", "none among the newest records");
    }
    fires.forEach(fire -> line("fired", fire.at() + "  " + fire.text() + run(fire, reports)));
    if (entry.isUnsure()) {
      line(
          "unsure",
          "the newest record follows; the topics no longer retain the definition in force");
    }
    entry
        .schedule()
        .map(schedule -> RecordCodecs.schedule().toJson(schedule).toPrettyString())
        .ifPresent(terminal()::print);
  }

  private void print(ScheduleStatus status) {
    line("since", status.getSince().toString());
    Optional.ofNullable(status.getRevision()).ifPresent(revision -> line("revision", revision));
    Optional.ofNullable(status.getReason()).ifPresent(reason -> line("reason", reason));
    Optional.ofNullable(status.getRejectedRevision())
        .ifPresent(
            rejected -> line("rejected", rejected + ": " + Problems.text(status.getProblems())));
    Optional.ofNullable(status.getPause()).ifPresent(pause -> line("paused", text(pause)));
    Optional.ofNullable(status.getFailing()).ifPresent(failing -> line("failing", text(failing)));
    status.getOverdue().forEach(overdue -> line("overdue", Diagnosis.overdue(overdue)));
    if (!status.getSkips().isEmpty()) {
      line("skipped", text(status.getSkips()));
    }
    status.getBackfills().forEach(backfill -> line("backfill", text(backfill)));
  }

  private static String text(CommandedPause pause) {
    return "by "
        + Optional.ofNullable(pause.getAuthor()).orElse("command")
        + " since "
        + pause.getSince()
        + Optional.ofNullable(pause.getNote()).map(note -> ": " + note).orElse("");
  }

  private static String text(FailingFires failing) {
    return Diagnosis.text(failing) + "; waterclock runs ID shows the runs";
  }

  private static String text(RunningBackfill backfill) {
    Integer most = backfill.getMaxRunning();
    return "from %s to %s%s%s, %s fired, command %s; waterclock backfill ID --progress shows more"
        .formatted(
            backfill.getFrom(),
            backfill.getTo(),
            backfill.getNewestFirst() ? ", newest first" : "",
            most == null ? "" : ", " + most + " at a time",
            backfill.getFired(),
            backfill.getCommandId());
  }

  private void line(String name, String value) {
    println(String.format(Locale.ROOT, "%-9s %s", name, value));
  }

  private static String text(List<Instant> instants) {
    return instants.isEmpty()
        ? "-"
        : String.join(", ", instants.stream().map(Instant::toString).toList());
  }
}

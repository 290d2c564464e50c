package io.waterclock.cli.transfer;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.cli.cluster.SchedulerOptions;
import io.waterclock.cli.limit.LimitTopic;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "export",
    description = {
      "Write all schedules to a file: definitions, positions, anchors, pauses, skips and backfills;"
          + " and the calendars. One line of JSON each.",
      "",
      "To move schedules, stop the scheduler first: the importing scheduler decides again what this"
          + " one decides after the export."
    })
public final class ExportCommand extends ReportingCommand {
  @Option(
      names = "--as-code",
      paramLabel = "DIR",
      description =
          "Write the definitions, calendars and limits alone, as YAML files that apply reads, to this"
              + " folder, which must be empty or new.")
  Optional<Path> asCode = Optional.empty();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "-",
      description = "The file to write, or - for standard output (default: -).")
  String output = "-";

  @Mixin SourceOptions source = new SourceOptions();
  @Mixin SchedulerOptions scheduler = new SchedulerOptions();

  @Override
  public Integer call() {
    Cluster cluster = cluster();
    if (asCode.isPresent()) {
      CodeExport export = new CodeExport(asCode.get());
      export.write(
          new CalendarTopic(cluster).all(),
          new LimitTopic(cluster).allIfAny(),
          cluster.catalogue(progress()).all());
      export.unknown().forEach(id -> note(id + " is missing: its definition in force is unknown"));
      report(export.schedules(), export.calendars(), export.limits());
      return export.unknown().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
    SchedulerGroup group = scheduler.on(cluster);
    List<String> members = group.members();
    Export export =
        new Export(cluster, source.of(cluster, group, terminal()), source.decidedThrough);
    ExportHeader header =
        ExportHeader.of(cluster, group, terminal().clock().instant(), !members.isEmpty());
    if (!members.isEmpty()) {
      note(
          "the scheduler is running; the importing scheduler decides again what this one decides from"
              + " now on, unless these instances stop first: "
              + String.join(", ", members));
    }
    ExportWriter written = write(export, header);
    source.noteGuessed(terminal());
    source
        .missing()
        .forEach(
            (id, reason) ->
                note(id + " is missing: its definition in force is unknown, because " + reason));
    report(written.schedules(), written.calendars(), 0);
    long waiting = new LimitTopic(cluster).waiting(group, terminal().clock().instant());
    if (waiting > 0) {
      note(
          ("%s fires wait for limits, and are not in the export: an importing scheduler does not"
                  + " fire them. Let them start first, or withdraw them.")
              .formatted(waiting));
    }
    if (source.missing().isEmpty()) {
      return waiting > 0 && members.isEmpty() ? ExitCode.SOFTWARE : ExitCode.OK;
    }
    note(
        "%s schedules are missing. %s If the scheduler's state exists, export without --from-topics."
            .formatted(source.missing().size(), SourceOptions.REMEDY));
    return ExitCode.SOFTWARE;
  }

  private ExportWriter write(Export export, ExportHeader header) {
    if (!output.equals("-")) {
      return export.to(Path.of(output), header);
    }
    ExportWriter written = export.to(terminal().out(), header);
    terminal().requireWhole();
    return written;
  }

  private void report(long schedules, long calendars, long limits) {
    if (json) {
      ObjectNode counts =
          new ObjectMapper()
              .createObjectNode()
              .put("schedules", schedules)
              .put("calendars", calendars);
      if (asCode.isPresent()) {
        counts.put("limits", limits);
      }
      (output.equals("-") ? terminal().err() : terminal().out()).println(counts);
    } else {
      note(
          "exported "
              + schedules
              + " schedules, "
              + calendars
              + " calendars"
              + (limits == 0 ? "" : ", " + limits + " limits"));
    }
  }
}

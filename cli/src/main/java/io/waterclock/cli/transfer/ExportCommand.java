package io.waterclock.cli.transfer;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ConnectionOptions;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.cli.cluster.SchedulerOptions;
import io.waterclock.cli.terminal.Terminal;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Exports the schedules of a scheduler, for an import elsewhere. */
@Command(
    name = "export",
    description = {
      "Write all schedules to a file: definitions, positions, anchors, pauses, skips and backfills;"
          + " and the calendars. One line of JSON each.",
      "",
      "To move schedules, stop the scheduler first: the importing scheduler decides again what this"
          + " one decides after the export."
    })
public final class ExportCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      defaultValue = "-",
      description = "The file to write, or - for standard output (default: -).")
  String output = "-";

  @Option(names = "--json", description = "Print the summary as JSON.")
  boolean json;

  @Mixin SourceOptions source = new SourceOptions();
  @Mixin SchedulerOptions scheduler = new SchedulerOptions();

  @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
  ConnectionOptions connection = new ConnectionOptions();

  public ExportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Cluster cluster = Cluster.of(connection);
    SchedulerGroup group = scheduler.on(cluster);
    List<String> members = group.members();
    Export export = new Export(cluster, source.of(cluster, group, terminal), source.decidedThrough);
    ExportHeader header =
        ExportHeader.of(cluster, group, terminal.clock().instant(), !members.isEmpty());
    if (!members.isEmpty()) {
      terminal.note(
          "the scheduler is running; the importing scheduler decides again what this one decides from"
              + " now on, unless these instances stop first: "
              + String.join(", ", members));
    }
    ExportWriter written = write(export, header);
    source.noteGuessed(terminal);
    report(written);
    return ExitCode.OK;
  }

  private ExportWriter write(Export export, ExportHeader header) {
    if (!output.equals("-")) {
      return export.to(Path.of(output), header);
    }
    ExportWriter written = export.to(terminal.out(), header);
    terminal.flush();
    return written;
  }

  private void report(ExportWriter written) {
    if (json) {
      (output.equals("-") ? terminal.err() : terminal.out())
          .println(
              new ObjectMapper()
                  .createObjectNode()
                  .put("schedules", written.schedules())
                  .put("calendars", written.calendars())
                  .toString());
    } else {
      terminal.note(
          "exported " + written.schedules() + " schedules, " + written.calendars() + " calendars");
    }
  }
}

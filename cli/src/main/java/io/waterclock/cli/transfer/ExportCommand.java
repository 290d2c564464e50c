package io.waterclock.cli.transfer;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ConnectionOptions;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.cli.cluster.SchedulerOptions;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.occurrences.Tzdb;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes down what a scheduler knows, to be imported elsewhere. */
@Command(
    name = "export",
    description = {
      "Write all schedules to a file: definitions, how far each is decided, anchors, pauses, skips,"
          + " backfills; and the calendars. One line of JSON each.",
      "",
      "To move schedules, stop the scheduler first: what it decides afterwards is decided again"
          + " where the file is imported."
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
  @Mixin ConnectionOptions connection = new ConnectionOptions();

  /** A command that writes to {@code terminal}. */
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
        new ExportHeader(
            cluster.topics().prefix(),
            group.clusterId(),
            terminal.clock().instant(),
            !members.isEmpty(),
            Tzdb.version());
    if (!members.isEmpty()) {
      terminal.note(
          "the scheduler is running; what it decides from now on is decided again where this is"
              + " imported, unless it is stopped first: "
              + String.join(", ", members));
    }
    ExportWriter written = write(export, header);
    source.guessed().forEach(this::warnGuessed);
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

  private void warnGuessed(String id) {
    terminal.note(
        id + " counts from its last change: when its trigger was first defined is not known");
  }
}

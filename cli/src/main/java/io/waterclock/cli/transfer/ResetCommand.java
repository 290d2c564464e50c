package io.waterclock.cli.transfer;

import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ConnectionOptions;
import io.waterclock.cli.cluster.ProgressLines;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.cli.cluster.SchedulerOptions;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.occurrences.Tzdb;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes a scheduler's state anew where it does not fit its topics any more. */
@Command(
    name = "reset",
    description = {
      "Make the state of a scheduler anew: after partitions were added to its topic schedules, after"
          + " that was made anew or mirrored from another cluster, or when the state is damaged or"
          + " lost.",
      "",
      "Writes all that is known of the schedules to a file, as export does; deletes the state; and"
          + " hands the schedules back through the topic, as import does. Nothing that was decided"
          + " fires again, and nothing is lost. No instance may run meanwhile.",
      "",
      "Without --yes it only says what it would do."
    })
public final class ResetCommand implements Callable<Integer> {
  private static final DateTimeFormatter IN_NAMES =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final Terminal terminal;

  @Option(names = "--yes", description = "Do it.")
  boolean yes;

  @Option(
      names = "--backup",
      paramLabel = "FILE",
      description =
          "The file to write, which must not exist (default: waterclock-PREFIX-TIME.jsonl in the"
              + " working directory).")
  Optional<Path> backup = Optional.empty();

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description =
          "Take what is known of the schedules from this export: to go on after a reset that was"
              + " interrupted, or to go back to an older export.")
  Optional<Path> state = Optional.empty();

  @Option(
      names = "--discard",
      description =
          "Forget what is known. The scheduler reads the topic schedules from its beginning, and"
              + " each schedule counts from its record there: what it fired since fires again.")
  boolean discard;

  @Mixin SourceOptions source = new SourceOptions();
  @Mixin SchedulerOptions scheduler = new SchedulerOptions();
  @Mixin ConnectionOptions connection = new ConnectionOptions();

  /** A command that writes to {@code terminal}. */
  public ResetCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if ((state.isPresent() ? 1 : 0) + (discard ? 1 : 0) + (source.fromTopics ? 1 : 0) > 1) {
      throw new WrongUsage("Only one of --state, --discard and --from-topics can be given.");
    }
    Cluster cluster = Cluster.of(connection);
    SchedulerGroup group = scheduler.on(cluster);
    List<String> members = group.members();
    if (!members.isEmpty()) {
      throw new Failure(
          "Nothing was reset, as "
              + members.size()
              + (members.size() == 1 ? " instance runs: " : " stream threads run: ")
              + String.join(", ", members)
              + ". Stop all instances first.");
    }
    Reset reset = new Reset(cluster, group, ProgressLines.on(terminal));
    Instant now = terminal.clock().instant();
    Path file = state.or(() -> backup).orElseGet(() -> Path.of(fileName(cluster, now)));
    if (state.isEmpty() && Files.exists(file)) {
      throw new Failure("The file " + file + " exists; it is not overwritten.");
    }
    print(reset.plan(describe(file)));
    if (!yes) {
      terminal.println("Nothing was done. With --yes it is.");
      return ExitCode.OK;
    }
    Optional<ExportFile> known =
        discard ? Optional.empty() : Optional.of(known(cluster, group, file));
    carryOut(reset, known, file);
    return ExitCode.OK;
  }

  private static String fileName(Cluster cluster, Instant now) {
    return "waterclock-" + cluster.topics().prefix() + "-" + IN_NAMES.format(now) + ".jsonl";
  }

  private Optional<String> describe(Path file) {
    if (discard) {
      return Optional.empty();
    }
    return Optional.of(
        state.isPresent()
            ? "take the schedules and how far they are from " + file
            : "write all schedules and how far they are to " + file);
  }

  private ExportFile known(Cluster cluster, SchedulerGroup group, Path file) {
    if (state.isEmpty()) {
      Export export =
          new Export(cluster, source.of(cluster, group, terminal), source.decidedThrough);
      ExportWriter written =
          export.to(
              file,
              new ExportHeader(
                  cluster.topics().prefix(),
                  group.clusterId(),
                  terminal.clock().instant(),
                  false,
                  Tzdb.version()));
      terminal.note("wrote " + written.schedules() + " schedules to " + file);
      source
          .guessed()
          .forEach(
              id ->
                  terminal.note(
                      id
                          + " counts from its last change: when its trigger was first defined is"
                          + " not known"));
    }
    return ExportFile.check(file, new CalendarTopic(cluster).all().keySet());
  }

  private void carryOut(Reset reset, Optional<ExportFile> known, Path file) {
    try {
      long unread = reset.run(known, state.isPresent() ? source.decidedThrough : Optional.empty());
      terminal.println(
          "Done: "
              + known.map(export -> export.ids().size()).orElse(0)
              + " schedules handed back, and "
              + unread
              + " records that were not read yet. Start the scheduler"
              + (known.isPresent()
                  ? " with import.allow=*, without which it rejects the schedules that are"
                      + " handed back; take that away once all partitions are ready."
                  : "."));
    } catch (Failure e) {
      throw known.isEmpty()
          ? e
          : new Failure(
              e.getMessage()
                  + " The reset is not complete; nothing is lost: run it again with --state "
                  + file
                  + " instead of --from-topics or --backup, before the scheduler is started.",
              e);
    }
  }

  private void print(List<String> steps) {
    terminal.println("To reset " + scheduler.on(Cluster.of(connection)).applicationId() + ":");
    steps.forEach(step -> terminal.println("  - " + step));
  }
}

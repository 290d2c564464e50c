package io.waterclock.cli.transfer;

import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ClusterCommand;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.cli.cluster.SchedulerOptions;
import io.waterclock.cli.cluster.TopicOptions;
import io.waterclock.cli.limit.LimitTopic;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.WrongUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "reset",
    description = {
      "Rebuild the state of a scheduler: after its topic schedules received more partitions, was created"
          + " again or was mirrored from another cluster, or if the state is damaged or lost.",
      "",
      "The command exports all schedules to a file, deletes the state, and imports the schedules"
          + " through the topic. Decided occurrences do not fire again, and nothing is lost. No"
          + " instance may run meanwhile.",
      "",
      "Without --yes it only prints the steps."
    })
public final class ResetCommand extends ClusterCommand {
  private static final DateTimeFormatter IN_NAMES =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  @Option(names = "--yes", description = "Carry out the reset.")
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
          "Take the schedules from this export: to continue an interrupted reset, or to return to an"
              + " older export.")
  Optional<Path> state = Optional.empty();

  @Option(
      names = "--discard",
      description =
          "Discard the state. The scheduler reads the topic schedules from its beginning, and each"
              + " schedule counts from its record there: it fires again what it fired since.")
  boolean discard;

  @Option(
      names = "--discard-waiting",
      description =
          "When the number of partitions has changed: give up the fires that wait for limits.")
  boolean discardWaiting;

  @Mixin SourceOptions source = new SourceOptions();
  @Mixin SchedulerOptions scheduler = new SchedulerOptions();
  @Mixin TopicOptions topics = new TopicOptions();

  @Override
  public Integer call() {
    if ((state.isPresent() ? 1 : 0) + (discard ? 1 : 0) + (source.fromTopics ? 1 : 0) > 1) {
      throw new WrongUsage("Only one of --state, --discard and --from-topics can be given.");
    }
    Cluster cluster = cluster();
    SchedulerGroup group = scheduler.on(cluster);
    List<String> members = group.members();
    if (!members.isEmpty()) {
      throw new Failure(
          ("Nothing was reset, because %s%s%s. Stop all instances first; one that has died counts"
                  + " until its session ends, after 6 s unless configured.")
              .formatted(
                  members.size(),
                  members.size() == 1 ? " instance runs: " : " stream threads run: ",
                  String.join(", ", members)));
    }
    Reset reset = new Reset(cluster, group, topics, progress());
    Instant now = terminal().clock().instant();
    if (reset.endsLimiter() && !discardWaiting) {
      requireNoneWaits(new LimitTopic(cluster).waiting(group, now));
    }
    Path file = state.or(() -> backup).orElseGet(() -> Path.of(fileName(cluster, now)));
    if (state.isEmpty() && Files.exists(file)) {
      throw new Failure("The file " + file + " exists; the command does not overwrite it.");
    }
    print(reset.plan(describe(file)));
    if (!yes) {
      println("Nothing was done. --yes carries out the reset.");
      return ExitCode.OK;
    }
    Optional<ExportFile> known =
        discard ? Optional.empty() : Optional.of(known(cluster, group, file));
    carryOut(reset, known, file);
    return ExitCode.OK;
  }

  private static void requireNoneWaits(long waiting) {
    if (waiting > 0) {
      throw new Failure(
          ("Nothing was reset, because %s fires wait for limits, and their groups get other"
                  + " partitions: they would never start. --discard-waiting gives them up.")
              .formatted(waiting));
    }
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
            ? "take the schedules and their positions from " + file
            : "write all schedules and their positions to " + file);
  }

  private ExportFile known(Cluster cluster, SchedulerGroup group, Path file) {
    if (state.isEmpty()) {
      Export export =
          new Export(cluster, source.of(cluster, group, terminal()), source.decidedThrough);
      requireAll(source.missing());
      ExportWriter written =
          export.to(file, ExportHeader.of(cluster, group, terminal().clock().instant(), false));
      note("wrote " + written.schedules() + " schedules to " + file);
      source.noteGuessed(terminal());
    }
    return ExportFile.check(file, new CalendarTopic(cluster).all().keySet());
  }

  private static void requireAll(Map<String, String> missing) {
    if (missing.isEmpty()) {
      return;
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        "Nothing was reset, because the topics do not show the definitions in force of %s schedules:"
            .formatted(missing.size()));
    SourceOptions.firstOf(
            missing.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .toList())
        .forEach(line -> lines.add("  " + line));
    lines.add(
        SourceOptions.REMEDY
            + " To continue without them, give --state a file of export --from-topics.");
    throw new Failure(lines);
  }

  private void carryOut(Reset reset, Optional<ExportFile> known, Path file) {
    try {
      long unread = reset.run(known, state.isPresent() ? source.decidedThrough : Optional.empty());
      println(
          "Done: %s schedules to import, and %s unread records. Start the scheduler%s"
              .formatted(
                  known.map(export -> export.ids().size()).orElse(0),
                  unread,
                  known.isPresent()
                      ? " with import.allow=*, without which it rejects the schedules to import; remove"
                          + " the setting when all partitions are ready."
                      : "."));
    } catch (Failure e) {
      throw known.isEmpty()
          ? e
          : new Failure(
              e.getMessage()
                  + " The reset is incomplete, but nothing is lost: run it again with --state "
                  + file
                  + " instead of --from-topics or --backup, before you start the scheduler.",
              e);
    }
  }

  private void print(List<String> steps) {
    println("To reset " + scheduler.on(cluster()).applicationId() + ":");
    steps.forEach(step -> println("  - " + step));
  }
}

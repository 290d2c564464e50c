package io.waterclock.cli.read;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.terminal.DurationText;
import io.waterclock.cli.terminal.Table;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.schedules.FireRun;
import io.waterclock.occurrences.core.Words;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "runs",
    description = {
      "Show what workers made of the fires: results, attempts, durations, errors, newest first.",
      "",
      "With an ID: the newest fires of the schedule, also those that no worker has reported on.",
      "Without: the newest reported runs of all schedules, or of those that match.",
      "The topics retain fires and reports for 7 days by default. Times of runs are by the clocks"
          + " of the workers. What a backfill fires again has runs of its own."
    })
public final class RunsCommand extends ReportingCommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "ID",
      description = "The schedule's id; not with a filter.")
  Optional<String> id = Optional.empty();

  @Option(names = "--failed", description = "Only runs that failed.")
  boolean failed;

  @Option(
      names = "--backfill",
      paramLabel = "COMMAND",
      description =
          "Only runs of the backfill that this command started; with an ID. 'backfill ID"
              + " --progress' shows the backfills.")
  Optional<String> backfill = Optional.empty();

  @ArgGroup(validate = false, order = 90, heading = "%nRuns of all schedules that match:%n")
  FilterOptions filter = new FilterOptions();

  @Option(
      names = "--max",
      paramLabel = "N",
      defaultValue = "100",
      description = "Only the newest N runs (default: ${DEFAULT-VALUE}).")
  int max = 100;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "100000",
      description =
          "The number of newest records of each partition to search (default: ${DEFAULT-VALUE}).")
  long depth;

  @Override
  public Integer call() {
    requireLeast("--max", max, 1);
    requireLeast("--depth", depth, 1);
    if (id.isPresent() && filter.isGiven()) {
      throw new WrongUsage("Either an ID or a filter such as --owner, not both.");
    }
    if (backfill.isPresent() && id.isEmpty()) {
      throw new WrongUsage("--backfill goes with an ID.");
    }
    Cluster cluster = cluster();
    List<FireRun> runs = id.map(one -> ofOne(cluster, one)).orElseGet(() -> ofAll(cluster));
    if (json) {
      runs.forEach(run -> println(RunText.json(run)));
    } else {
      print(runs);
      RunText.sums(runs).filter(text -> id.isPresent() && !failed).ifPresent(this::println);
    }
    if (runs.isEmpty()) {
      note(
          "the newest records contain no such run; workers report results unless they are told not"
              + " to");
    }
    return ExitCode.OK;
  }

  private List<FireRun> ofOne(Cluster cluster, String schedule) {
    existing(schedule, cluster);
    return cluster.runs(depth).of(schedule, Integer.MAX_VALUE).stream()
        .filter(this::isWanted)
        .limit(max)
        .toList();
  }

  private List<FireRun> ofAll(Cluster cluster) {
    return cluster.runs(depth).reported(filter.ids(cluster), this::isWanted, max);
  }

  private boolean isWanted(FireRun run) {
    return (!failed || run.hasFailed()) && (backfill.isEmpty() || backfill.equals(run.backfill()));
  }

  private void print(List<FireRun> runs) {
    Table table =
        new Table(
            id.isPresent()
                ? new String[] {"OCCURRENCE", "STARTED", "TOOK", "TRIES", "WORKER", "RESULT"}
                : new String[] {
                  "SCHEDULE", "OCCURRENCE", "STARTED", "TOOK", "TRIES", "WORKER", "RESULT"
                });
    for (FireRun run : runs) {
      List<String> row =
          List.of(
              run.scheduleId(),
              run.fire().occurrence().toString(),
              run.startedAt().map(RunsCommand::time).orElse("-"),
              run.duration().map(DurationText::text).orElse("-"),
              run.attempts() == 0 ? "-" : Integer.toString(run.attempts()),
              run.worker().orElse("-"),
              RunText.of(run));
      table.row(id.isPresent() ? row.subList(1, row.size()) : row);
    }
    table.print(terminal().out());
    println(Words.number(runs.size(), "run"));
  }

  private static String time(Instant at) {
    return at.truncatedTo(ChronoUnit.MILLIS).toString();
  }
}

package io.waterclock.cli.change;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.terminal.TimeText;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.schedules.BackfillProgress;
import io.waterclock.client.schedules.RunReader;
import io.waterclock.console.model.ViewJson;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

@Command(
    name = "backfill",
    description = {
      "Fire the occurrences of a past range again with the same fire ids, and print the scheduler's"
          + " answer. Consumers ignore the fires that they have processed before, so a backfill"
          + " fills only the holes.",
      "",
      "The newest occurrence fires first with --newest-first; with --max-running N, no more than N"
          + " of the fires run at a time. The scheduler's setting backfill.rate limits the rate.",
      "With --cancel: stop a backfill. With --progress: what became of the fires of the newest"
          + " backfills."
    })
public final class BackfillCommand extends SteeringCommand {
  @ArgGroup(multiplicity = "1")
  Work work = new Work();

  /** A range to fire again, or the backfill to stop. */
  static final class Work {
    @ArgGroup(exclusive = false)
    @Nullable Range range;

    @Option(
        names = "--cancel",
        required = true,
        paramLabel = "COMMAND",
        description =
            "Stop the backfill that this command started; 'get' shows the backfills that run.")
    Optional<String> cancel = Optional.empty();

    @Option(
        names = "--progress",
        required = true,
        description =
            "How many fires of each backfill run, have succeeded, failed, or are not reported.")
    boolean progress;
  }

  static final class Range {
    @Option(
        names = "--from",
        required = true,
        paramLabel = "TIME",
        description =
            "The start, inclusive: an instant such as 2026-11-21T09:00:00Z, a date (in UTC), or a"
                + " duration, such as 2h for the last two hours.")
    String from = "";

    @Option(
        names = "--to",
        required = true,
        paramLabel = "TIME",
        description = "The end, exclusive: the same, or now.")
    String to = "";

    @Option(names = "--newest-first", description = "Fire the newest occurrence first.")
    boolean newestFirst;

    @Option(
        names = "--max-running",
        paramLabel = "N",
        description =
            "No more than N of the fires run at a time, 1 to 100: the next one fires when a worker"
                + " reports an end, or a time-out is over.")
    Optional<Integer> maxRunning = Optional.empty();
  }

  @Override
  public Integer call() {
    if (work.progress) {
      return showProgress();
    }
    return Optional.ofNullable(work.range)
        .map(this::fire)
        .orElseGet(() -> stop(work.cancel.orElseThrow(BackfillCommand::nothingGiven)));
  }

  private static WrongUsage nothingGiven() {
    return new WrongUsage("The range is missing: give --from and --to, or --cancel COMMAND.");
  }

  private int fire(Range range) {
    Instant from = time("--from", range.from);
    Instant to = time("--to", range.to);
    ObjectNode action = action().put("from", from.toString()).put("to", to.toString());
    if (range.newestFirst) {
      action.put("newest_first", true);
    }
    range.maxRunning.ifPresent(most -> action.put("max_running", most));
    String done = "fires again from " + from + " to " + to + " by command " + commandId;
    return send("backfill", action, done);
  }

  private int showProgress() {
    String schedule =
        id.filter(one -> !bulk.isGiven())
            .orElseThrow(() -> new WrongUsage("--progress goes with an ID."));
    List<BackfillProgress> backfills =
        BackfillProgress.of(cluster().runs(RunReader.DEPTH).of(schedule, Integer.MAX_VALUE));
    if (json) {
      backfills.forEach(one -> println(ViewJson.of(one)));
    } else {
      backfills.forEach(one -> println(one.commandId() + "  " + one.text()));
    }
    if (backfills.isEmpty()) {
      note("the newest records contain no fire of a backfill of " + schedule);
    }
    return ExitCode.OK;
  }

  private Instant time(String option, String text) {
    Instant now = now();
    return TimeText.AGO.parse(option, text, ZoneOffset.UTC, now);
  }

  private int stop(String backfill) {
    return send(
        "cancel_backfill",
        action().put("backfill", backfill),
        "stopped firing for backfill " + backfill);
  }
}

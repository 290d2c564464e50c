package io.waterclock.cli.change;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.terminal.TimeText;
import io.waterclock.cli.terminal.WrongUsage;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "backfill",
    description = {
      "Fire the occurrences of a past range again with the same fire ids, and print the scheduler's"
          + " answer. Consumers ignore the fires that they have processed before, so a backfill fills"
          + " only the holes.",
      "",
      "The scheduler's setting backfill.rate limits the rate. With --cancel: stop a backfill."
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
  }

  @Override
  public Integer call() {
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
    String done = "fires again from " + from + " to " + to + " by command " + commandId;
    return send("backfill", action, done);
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

package io.waterclock.cli.change;

import io.waterclock.cli.read.FilterOptions;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.topics.BulkRun;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options of a change to all schedules that match. */
final class BulkOptions {
  @ArgGroup(validate = false)
  FilterOptions filter = new FilterOptions();

  @Option(names = "--all", description = "Change every schedule.")
  boolean all;

  @Option(names = "--dry-run", description = "With a filter: only print the ids.")
  boolean dryRun;

  @Option(names = "--yes", description = "With a filter: do not ask.")
  boolean yes;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "With a filter: change at most N schedules a second.")
  Optional<Double> rate = Optional.empty();

  @Option(
      names = "--bulk-id",
      paramLabel = "BULK",
      description =
          "With a filter: the id that an interrupted change has printed, to continue it. The"
              + " scheduler executes a bulk change once for each schedule and id.")
  Optional<String> id = Optional.empty();

  /** Whether the change is for all schedules that match, not for one. */
  boolean isGiven() {
    return all || filter.isGiven();
  }

  /** Checks that the change is either for one schedule or for those that match. */
  void check(boolean hasId) {
    if (hasId == isGiven()) {
      throw new WrongUsage(
          "Either an ID or a filter such as --owner, --label or --all is needed, and not both.");
    }
    if (all && filter.isGiven()) {
      throw new WrongUsage("--all goes without other filters.");
    }
    if (!isGiven() && (dryRun || yes || rate.isPresent() || id.isPresent())) {
      throw new WrongUsage(
          "--dry-run, --yes, --rate and --bulk-id go with a filter such as --owner or --all.");
    }
    WrongUsage.ifBlank("--owner", filter.selector().owner());
    if (rate.filter(most -> !(most > 0)).isPresent()) {
      throw new WrongUsage("--rate must be above zero.");
    }
  }

  BulkRun pace(Duration timeout) {
    return new BulkRun(rate.orElse(Double.POSITIVE_INFINITY), timeout);
  }
}

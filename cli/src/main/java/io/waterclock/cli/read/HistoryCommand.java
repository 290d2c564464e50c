package io.waterclock.cli.read;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.topics.ReadProgress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "history",
    description = {
      "Show the history of a schedule: definitions, fires, reports of workers and missed",
      "occurrences, oldest first.",
      "",
      "By default the topics retain fires and reports for 7 days, the others for 30 days.",
      "Commands are shown as they were written, also those that the scheduler refused.",
      "Reads only the partition of the schedule. Works for deleted schedules, too."
    })
public final class HistoryCommand extends ReportingCommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "ID",
      description = "The schedule's id; not with a filter.")
  Optional<String> id = Optional.empty();

  @ArgGroup(validate = false, order = 90, heading = "%nAll schedules that match:%n")
  FilterOptions filter = new FilterOptions();

  @Mixin WindowOptions window = new WindowOptions();

  @Option(
      names = "--max",
      paramLabel = "N",
      defaultValue = "100",
      description = "Only the newest N events (default: ${DEFAULT-VALUE}).")
  int max = 100;

  @Override
  public Integer call() {
    requireLeast("--max", max, 1);
    Instant now = terminal().clock().instant();
    Instant from = window.from(now);
    Instant to = window.to(now);
    if (id.isPresent() == filter.isGiven()) {
      throw new WrongUsage(
          "Either an ID or a filter such as --owner or --label is needed, and not both.");
    }
    Cluster cluster = cluster();
    Set<String> ids = id.map(Set::of).orElseGet(() -> matching(cluster));
    String named = id.orElse(ids.size() == 1 ? ids.iterator().next() : ids.size() + " schedules");
    if (ids.isEmpty()) {
      note("no schedule matches.");
      return ExitCode.OK;
    }
    History history =
        History.all(
            cluster,
            ids,
            max,
            event -> !event.at().isBefore(from) && event.at().isBefore(to),
            progress());
    for (HistoryEvent event : history.events()) {
      println(json ? json(event) : text(event));
    }
    if (history.events().isEmpty()) {
      if (id.isPresent()
          && !history.hasAny()
          && cluster.catalogue(ReadProgress.UNSEEN).of(id.get()).isEmpty()) {
        throw new Failure(
            "There is no schedule " + named + ", and its topics retain nothing about it.");
      }
      note("the topics contain nothing about " + named + " in that time.");
    }
    if (history.older() > 0) {
      note(history.older() + " older ones are not shown; see --max");
    }
    return ExitCode.OK;
  }

  private Set<String> matching(Cluster cluster) {
    return cluster.catalogue(progress()).all().stream()
        .filter(filter.lists(filter.selector()))
        .map(KnownSchedule::id)
        .collect(Collectors.toSet());
  }

  private static String text(HistoryEvent event) {
    return String.format(
        Locale.ROOT,
        "%-24s  %-8s  %s",
        event.at().truncatedTo(ChronoUnit.MILLIS),
        event.kind(),
        event.text());
  }

  private static String json(HistoryEvent event) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.put("at", event.at().toString());
    tree.put("kind", event.kind().name());
    tree.set("record", event.json());
    return tree.toString();
  }
}

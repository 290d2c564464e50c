package io.waterclock.cli.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ConnectionOptions;
import io.waterclock.cli.cluster.ProgressLines;
import io.waterclock.cli.cluster.ZoneOption;
import io.waterclock.cli.live.WatchdogProgress;
import io.waterclock.cli.terminal.Table;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.text.Problems;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows all schedules. */
@Command(
    name = "list",
    description = {
      "Show schedules: state, trigger, zone, last fire, next occurrence; all, or those that fit.",
      "A definition is (unsure) where it is only the newest record, and may have been rejected.",
      "",
      "Reads the topics schedules, revisions and status, and the newest records of fires; with"
          + " --stale, asks the instances, too."
    })
public final class ListCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String UNSURE = "(unsure)";

  private final Terminal terminal;

  @Mixin FilterOptions filter = new FilterOptions();

  @Option(
      names = "--stale",
      paramLabel = "DURATION",
      description =
          "Only those at which the watchdog's walk has not looked for so long, and those at which"
              + " it has never looked. It is told to within a pass (watchdog.interval): give twice"
              + " that, or more.")
  Optional<Duration> stale = Optional.empty();

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "10000",
      description =
          "How many of the newest records of each partition of fires are searched for the last fires"
              + " (default: ${DEFAULT-VALUE}).")
  long depth;

  @Option(names = "--json", description = "Print each schedule as one line of JSON.")
  boolean json;

  @Mixin ConnectionOptions connection = new ConnectionOptions();
  @Mixin ZoneOption defaultZone = new ZoneOption();

  /** A command that writes to {@code terminal}. */
  public ListCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws JsonProcessingException {
    if (stale.filter(age -> age.isNegative() || age.isZero()).isPresent()) {
      throw new WrongUsage("--stale must be above zero, such as 15m.");
    }
    if (depth < 1) {
      throw new WrongUsage("--depth must be at least 1.");
    }
    Cluster cluster = Cluster.of(connection);
    Optional<WatchdogProgress> staleness = stale.map(age -> WatchdogProgress.of(cluster));
    List<KnownSchedule> all =
        cluster.catalogue(ProgressLines.on(terminal)).all().stream()
            .filter(entry -> staleness.isEmpty() || isStale(entry, staleness.get()))
            .toList();
    List<KnownSchedule> entries = all.stream().filter(filter::fits).toList();
    NextOccurrences outlook =
        NextOccurrences.of(defaultZone.zone(), terminal.clock().instant(), cluster, entries);
    LastFires last = LastFires.read(cluster, depth, ProgressLines.on(terminal));
    if (json) {
      for (KnownSchedule entry : entries) {
        ObjectNode tree = EntryJson.of(entry, outlook.of(entry, 1));
        last.addTo(tree, entry.id());
        staleness.ifPresent(known -> known.addTo(tree, entry));
        terminal.out().println(JSON.writeValueAsString(tree));
      }
    } else {
      print(entries, outlook, last, staleness);
    }
    remarks(all).forEach(terminal.err()::println);
    return ExitCode.OK;
  }

  /** Where the topics do not tell the definition in force. */
  private List<String> remarks(List<KnownSchedule> all) {
    List<String> remarks = new ArrayList<>();
    if (!json && all.stream().filter(filter::fits).anyMatch(EffectiveDefinition::isUnsure)) {
      remarks.add(
          "waterclock: "
              + UNSURE
              + " is what the newest record says; the definition in force is not retained any more,"
              + " and another one if that record was rejected");
    }
    long others = all.stream().filter(filter::mayFit).count();
    if (others > 0) {
      remarks.add(
          "waterclock: "
              + others
              + " more do not fit by their newest record, but may by the definition in force, which"
              + " is not retained any more");
    }
    return remarks;
  }

  private boolean isStale(KnownSchedule entry, WatchdogProgress staleness) {
    Instant latest = terminal.clock().instant().minus(stale.orElseThrow());
    return staleness.audited(entry).filter(at -> !at.isBefore(latest)).isEmpty();
  }

  private void print(
      List<KnownSchedule> entries,
      NextOccurrences outlook,
      LastFires last,
      Optional<WatchdogProgress> staleness) {
    List<String> headings =
        new ArrayList<>(List.of("ID", "STATE", "TRIGGER", "ZONE", "LAST", "NEXT"));
    staleness.ifPresent(known -> headings.add("AUDITED"));
    Table table = new Table(headings.toArray(String[]::new));
    for (KnownSchedule entry : entries) {
      List<String> row = new ArrayList<>(row(entry, outlook, last));
      staleness.ifPresent(
          known -> row.add(known.audited(entry).map(Instant::toString).orElse("never")));
      table.row(row);
      problems(entry).ifPresent(table::note);
    }
    table.print(terminal.out());
    terminal.out().println(entries.size() == 1 ? "1 schedule" : entries.size() + " schedules");
    staleness.flatMap(WatchdogProgress::remark).ifPresent(text -> terminal.err().println(text));
  }

  private List<String> row(KnownSchedule entry, NextOccurrences outlook, LastFires last) {
    Optional<Schedule> schedule = entry.schedule();
    return List.of(
        entry.id(),
        entry.state().map(State::name).orElse("(not taken up)"),
        schedule.map(TriggerText::of).orElse("(unreadable)")
            + (EffectiveDefinition.isUnsure(entry) ? " " + UNSURE : ""),
        schedule.map(Schedule::getTimezone).orElseGet(() -> defaultZone.zone().getId()),
        last.text(entry.id()),
        outlook
            .of(entry, 1)
            .map(next -> next.stream().findFirst().map(Instant::toString).orElse("-"))
            .orElse("?"));
  }

  private static Optional<String> problems(KnownSchedule entry) {
    Optional<String> fault =
        entry.status().map(ScheduleStatus::getReason).map(reason -> "faulted: " + reason);
    Optional<String> rejected =
        entry
            .status()
            .map(ScheduleStatus::getProblems)
            .filter(problems -> !problems.isEmpty())
            .map(problems -> "rejected: " + Problems.text(problems));
    return fault.or(() -> rejected);
  }
}

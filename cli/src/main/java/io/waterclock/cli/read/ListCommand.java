package io.waterclock.cli.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.ZoneOption;
import io.waterclock.cli.live.WatchdogProgress;
import io.waterclock.cli.terminal.Table;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.Selector;
import io.waterclock.console.model.Diagnosis;
import io.waterclock.console.model.TriggerLine;
import io.waterclock.console.model.Upcoming;
import io.waterclock.occurrences.core.Words;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.text.Problems;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "list",
    description = {
      "List all schedules, or those that match: state, trigger, zone, last fire, next occurrence.",
      "An id without any accepted definition is listed only with --state REJECTED, which also lists"
          + " schedules whose newest definition was rejected while an older one stays in force.",
      "An active schedule whose fires fail, time after time, is FAILING.",
      "A definition is (unsure) if it is only the newest record, which may have been rejected.",
      "",
      "Reads the topics schedules, revisions and status, and the newest records of fires; with"
          + " --stale, also asks the instances."
    })
public final class ListCommand extends ReportingCommand {
  private static final String UNSURE = "(unsure)";

  @Mixin FilterOptions filter = new FilterOptions();

  @Option(
      names = "--stale",
      paramLabel = "DURATION",
      description =
          "Only those that the watchdog has not checked for this long, or never. The time is exact"
              + " to one pass of the watchdog (watchdog.interval): give at least twice that.")
  Optional<Duration> stale = Optional.empty();

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "10000",
      description =
          "The number of newest records of each partition of fires to search for the last fires"
              + " (default: ${DEFAULT-VALUE}).")
  long depth;

  @Mixin ZoneOption defaultZone = new ZoneOption();

  @Override
  public Integer call() {
    if (stale.filter(age -> age.isNegative() || age.isZero()).isPresent()) {
      throw new WrongUsage("--stale must be above zero, such as 15m.");
    }
    requireLeast("--depth", depth, 1);
    Cluster cluster = cluster();
    Optional<WatchdogProgress> staleness = stale.map(age -> WatchdogProgress.of(cluster));
    List<KnownSchedule> all =
        cluster.catalogue(progress()).all().stream()
            .filter(entry -> staleness.isEmpty() || isStale(entry, staleness.get()))
            .toList();
    Upcoming upcoming =
        new CalendarTopic(cluster).upcoming(defaultZone.zone(), all).withoutJitter();
    List<KnownSchedule> entries =
        all.stream()
            .map(entry -> filter.looksAtNext() ? withNext(entry, upcoming) : entry)
            .filter(filter.lists(filter.withNext()))
            .toList();
    LastFires last = LastFires.read(cluster, depth, progress());
    if (json) {
      for (KnownSchedule entry : entries) {
        ObjectNode tree = EntryJson.of(entry, next(entry, upcoming));
        last.addTo(tree, entry.id());
        staleness.ifPresent(known -> known.addTo(tree, entry));
        println(tree);
      }
    } else {
      print(entries, upcoming, last, staleness);
    }
    notes(all, entries).forEach(this::note);
    return ExitCode.OK;
  }

  /** Notes about schedules whose definition in force is unknown. */
  private List<String> notes(List<KnownSchedule> all, List<KnownSchedule> entries) {
    List<String> notes = new ArrayList<>();
    if (!json && entries.stream().anyMatch(KnownSchedule::isUnsure)) {
      notes.add(
          UNSURE
              + " marks the newest record; the topics no longer retain the definition in force,"
              + " which differs if that record was rejected");
    }
    long rejected = all.stream().filter(filter::hides).count();
    if (rejected > 0) {
      notes.add(
          rejected
              + (rejected == 1 ? " id has" : " ids have")
              + " no accepted definition; --state REJECTED lists what was rejected");
    }
    Selector selector = filter.withNext();
    long others =
        all.stream()
            .filter(selector::matchesIdAndState)
            .filter(entry -> !selector.selects(entry) && !entry.isDefinitionKnown())
            .count();
    if (others > 0) {
      notes.add(
          others
              + " more do not match by their newest record, but may by the definition in force,"
              + " which the topics no longer retain");
    }
    return notes;
  }

  private boolean isStale(KnownSchedule entry, WatchdogProgress staleness) {
    Instant latest = terminal().clock().instant().minus(stale.orElseThrow());
    return staleness.checked(entry).filter(at -> !at.isBefore(latest)).isEmpty();
  }

  private void print(
      List<KnownSchedule> entries,
      Upcoming upcoming,
      LastFires last,
      Optional<WatchdogProgress> staleness) {
    List<String> headings =
        new ArrayList<>(List.of("ID", "STATE", "TRIGGER", "ZONE", "LAST", "NEXT"));
    staleness.ifPresent(known -> headings.add("CHECKED"));
    Table table = new Table(headings.toArray(String[]::new));
    for (KnownSchedule entry : entries) {
      List<String> row = new ArrayList<>(row(entry, upcoming, last));
      staleness.ifPresent(
          known -> row.add(known.checked(entry).map(Instant::toString).orElse("never")));
      table.row(row);
      problems(entry).ifPresent(table::note);
    }
    table.print(terminal().out());
    println(Words.number(entries.size(), "schedule"));
    staleness.flatMap(WatchdogProgress::note).ifPresent(this::note);
  }

  private Optional<List<Instant>> next(KnownSchedule entry, Upcoming upcoming) {
    return upcoming.dueAfter(entry, terminal().clock().instant(), 1);
  }

  /** Never is what is complete, and what calendars and skips leave out for good. */
  private KnownSchedule withNext(KnownSchedule entry, Upcoming upcoming) {
    Instant now = terminal().clock().instant();
    if (upcoming.neverFires(entry, now)
        || entry.state().filter(State.COMPLETED::equals).isPresent()) {
      return entry.with(KnownSchedule.NextFire.NEVER);
    }
    return next(entry, upcoming).stream()
        .flatMap(List::stream)
        .findFirst()
        .map(at -> entry.with(KnownSchedule.NextFire.at(at)))
        .orElse(entry);
  }

  private List<String> row(KnownSchedule entry, Upcoming upcoming, LastFires last) {
    Optional<Schedule> schedule = entry.schedule();
    return List.of(
        entry.id(),
        state(entry),
        schedule
                .map(TriggerLine::withDialect)
                .orElse(FilterOptions.isRejected(entry) ? "(rejected)" : "(unreadable)")
            + (entry.isUnsure() ? " " + UNSURE : ""),
        schedule.map(Schedule::getTimezone).orElseGet(() -> defaultZone.zone().getId()),
        last.text(entry.id()),
        next(entry, upcoming)
            .map(next -> next.stream().findFirst().map(Instant::toString).orElse("-"))
            .orElse("?"));
  }

  private static String state(KnownSchedule entry) {
    return entry
        .state()
        .map(
            state ->
                state == State.ACTIVE && entry.failing().isPresent() ? "FAILING" : state.name())
        .orElse("(pending)");
  }

  private static String pause(CommandedPause pause) {
    String author = Optional.ofNullable(pause.getAuthor()).map(name -> " by " + name).orElse("");
    return "paused%s: %s".formatted(author, Optional.ofNullable(pause.getNote()).orElse("no note"));
  }

  private static Optional<String> problems(KnownSchedule entry) {
    Optional<String> reason =
        entry
            .status()
            .map(ScheduleStatus::getReason)
            .map(why -> state(entry).toLowerCase(Locale.ROOT) + ": " + why);
    boolean isFaulted = entry.state().filter(State.FAULTED::equals).isPresent();
    Optional<String> rejected =
        entry
            .status()
            .map(ScheduleStatus::getProblems)
            .filter(problems -> !problems.isEmpty())
            .map(problems -> "rejected: " + Problems.text(problems));
    Optional<String> failing = entry.failing().map(it -> "failing: " + Diagnosis.text(it));
    Optional<String> paused = entry.status().map(ScheduleStatus::getPause).map(ListCommand::pause);
    return isFaulted ? reason : rejected.or(() -> failing).or(() -> paused).or(() -> reason);
  }
}

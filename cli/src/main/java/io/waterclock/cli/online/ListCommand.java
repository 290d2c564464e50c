package io.waterclock.cli.online;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.Table;
import io.waterclock.cli.Terminal;
import io.waterclock.schemas.Problems;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
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
      "Show schedules: state, trigger, zone, next occurrence; all, or those that fit.",
      "",
      "Reads the topics schedules, revisions and status."
    })
public final class ListCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Terminal terminal;

  @Mixin FilterOptions filter = new FilterOptions();

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
    Cluster cluster = Cluster.of(connection);
    List<Entry> entries =
        Catalogue.all(cluster, Progress.on(terminal)).stream().filter(filter::fits).toList();
    Outlook outlook = Outlook.of(defaultZone.zone(), terminal.clock().instant(), cluster, entries);
    if (json) {
      for (Entry entry : entries) {
        terminal.out().println(JSON.writeValueAsString(EntryJson.of(entry, outlook.of(entry, 1))));
      }
    } else {
      print(entries, outlook);
    }
    return ExitCode.OK;
  }

  private void print(List<Entry> entries, Outlook outlook) {
    Table table = new Table("ID", "STATE", "TRIGGER", "ZONE", "NEXT");
    for (Entry entry : entries) {
      table.row(row(entry, outlook));
      problems(entry).ifPresent(table::note);
    }
    table.print(terminal.out());
    terminal.out().println(entries.size() == 1 ? "1 schedule" : entries.size() + " schedules");
  }

  private List<String> row(Entry entry, Outlook outlook) {
    Optional<Schedule> schedule = entry.schedule();
    return List.of(
        entry.id(),
        entry.state().map(State::name).orElse("(not taken up)"),
        schedule.map(TriggerText::of).orElse("(unreadable)"),
        schedule.map(Schedule::getTimezone).orElseGet(() -> defaultZone.zone().getId()),
        outlook
            .of(entry, 1)
            .map(next -> next.stream().findFirst().map(Instant::toString).orElse("-"))
            .orElse("?"));
  }

  private static Optional<String> problems(Entry entry) {
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

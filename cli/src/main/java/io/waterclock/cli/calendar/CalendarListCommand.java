package io.waterclock.cli.calendar;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ConnectionOptions;
import io.waterclock.cli.terminal.Table;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.schemas.avro.Calendar;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** Shows all calendars. */
@Command(
    name = "list",
    description =
        "Show all calendars: the dates and weekdays that they exclude, and their last date.")
public final class CalendarListCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--json", description = "Print each calendar as one line of JSON.")
  boolean json;

  @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
  ConnectionOptions connection = new ConnectionOptions();

  public CalendarListCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    SortedMap<String, Calendar> calendars = new CalendarTopic(Cluster.of(connection)).all();
    if (json) {
      calendars.forEach((name, calendar) -> terminal.println(CalendarText.json(name, calendar)));
      return ExitCode.OK;
    }
    Table table = new Table("NAME", "EXCLUDES", "LAST DATE", "DESCRIPTION");
    calendars.forEach((name, calendar) -> table.row(row(name, calendar)));
    table.print(terminal.out());
    terminal.println(calendars.size() == 1 ? "1 calendar" : calendars.size() + " calendars");
    return ExitCode.OK;
  }

  private static List<String> row(String name, Calendar calendar) {
    return List.of(
        name,
        CalendarText.excluded(calendar),
        CalendarText.lastDate(calendar).map(LocalDate::toString).orElse("-"),
        Optional.ofNullable(calendar.getDescription()).orElse("-"));
  }
}

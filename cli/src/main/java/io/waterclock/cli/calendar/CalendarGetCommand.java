package io.waterclock.cli.calendar;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ConnectionOptions;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Calendar;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one calendar. */
@Command(name = "get", description = "Show a calendar in the JSON form that put accepts.")
public final class CalendarGetCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "NAME", description = "The calendar's name.")
  String name = "";

  @Option(names = "--json", description = "Print it with its name, as one line of JSON.")
  boolean json;

  @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
  ConnectionOptions connection = new ConnectionOptions();

  public CalendarGetCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws JsonProcessingException {
    Calendar calendar =
        Optional.ofNullable(new CalendarTopic(Cluster.of(connection)).all().get(name))
            .orElseThrow(() -> new Failure("There is no calendar " + name + "."));
    if (json) {
      terminal.println(CalendarText.json(name, calendar));
      return ExitCode.OK;
    }
    terminal.print(
        new ObjectMapper()
            .writerWithDefaultPrettyPrinter()
            .writeValueAsString(RecordCodecs.calendar().toJson(calendar)));
    return ExitCode.OK;
  }
}

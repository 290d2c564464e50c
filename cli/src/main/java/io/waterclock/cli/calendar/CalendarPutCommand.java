package io.waterclock.cli.calendar;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ConnectionOptions;
import io.waterclock.cli.cluster.DefinitionFile;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.definition.CalendarRules;
import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Problems;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.producer.RecordMetadata;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Defines or redefines a calendar. */
@Command(
    name = "put",
    description = {
      "Define a calendar, or redefine it, from a JSON or YAML file.",
      "",
      "For example:",
      "",
      "{\"dates\":[\"2026-12-25\",\"2026-12-31/2027-01-01\"],\"weekdays\":[\"SAT\",\"SUN\"]}",
      "",
      "If it is invalid, the command prints all problems, writes nothing and exits with 1."
    })
public final class CalendarPutCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "NAME", description = "The calendar's name, for example holidays-de.")
  String name = "";

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      defaultValue = "-",
      description = "A file with the calendar, or - for standard input (default: -).")
  String file = "-";

  @Option(names = "--json", description = "Print the result as one JSON object on one line.")
  boolean json;

  @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
  ConnectionOptions connection = new ConnectionOptions();

  public CalendarPutCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    CalendarName calendarName = CalendarText.name(name);
    byte[] value = DefinitionFile.read(file, terminal);
    Calendar calendar = read(value);
    List<Problem> problems = CalendarRules.problems(calendar);
    if (!problems.isEmpty()) {
      throw new Failure(name + " was refused: " + Problems.text(problems));
    }
    CalendarTopic topic = new CalendarTopic(Cluster.of(connection));
    Optional<Calendar> before = Optional.ofNullable(topic.all().get(name));
    if (before.filter(calendar::equals).isPresent()) {
      say("unchanged", calendar, Optional.empty());
      return ExitCode.OK;
    }
    RecordMetadata written = topic.write(calendarName, Optional.of(value));
    Optional<Instant> countsAfter =
        before.map(earlier -> Instant.ofEpochMilli(written.timestamp()));
    say(before.isPresent() ? "changed" : "created", calendar, countsAfter);
    return ExitCode.OK;
  }

  /**
   * @param countsAfter the instant from which it replaces an earlier calendar
   */
  private void say(String done, Calendar calendar, Optional<Instant> countsAfter) {
    if (json) {
      ObjectNode tree = CalendarText.json(name, calendar).put("done", done);
      countsAfter.ifPresent(at -> tree.put("counts_after", at.toString()));
      terminal.println(tree);
      return;
    }
    terminal.println(
        name
            + " "
            + done
            + ": excludes "
            + CalendarText.excluded(calendar)
            + countsAfter.map(at -> ", for occurrences after " + at).orElse(""));
  }

  private Calendar read(byte[] value) {
    if (value.length > CalendarRules.MAX_BYTES) {
      throw new Failure(
          name + " was refused: it has more than " + CalendarRules.MAX_BYTES + " bytes.");
    }
    try {
      return RecordCodecs.calendar().decode(value);
    } catch (UndecodableException e) {
      throw new Failure(name + " was refused: " + e.getMessage(), e);
    }
  }
}

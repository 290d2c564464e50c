package io.waterclock.cli.calendar;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ConnectionOptions;
import io.waterclock.cli.cluster.ProgressLines;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.CalendarName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.RecordMetadata;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes a calendar. */
@Command(
    name = "delete",
    description = "Delete a calendar: it then excludes nothing. Warns if schedules name it.")
public final class CalendarDeleteCommand implements Callable<Integer> {
  private static final int MOST_NAMED = 10;

  private final Terminal terminal;

  @Parameters(paramLabel = "NAME", description = "The calendar's name.")
  String name = "";

  @Option(names = "--json", description = "Print the result as one JSON object on one line.")
  boolean json;

  @ArgGroup(validate = false, order = 100, heading = ConnectionOptions.HEADING)
  ConnectionOptions connection = new ConnectionOptions();

  public CalendarDeleteCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    CalendarName calendarName = CalendarText.name(name);
    Cluster cluster = Cluster.of(connection);
    CalendarTopic topic = new CalendarTopic(cluster);
    if (!topic.all().containsKey(name)) {
      throw new Failure("There is no calendar " + name + ".");
    }
    List<String> users =
        cluster.catalogue(ProgressLines.on(terminal)).all().stream()
            .filter(entry -> entry.schedule().filter(s -> s.getExcept().contains(name)).isPresent())
            .map(KnownSchedule::id)
            .toList();
    RecordMetadata written = topic.write(calendarName, Optional.empty());
    Instant countsAfter = Instant.ofEpochMilli(written.timestamp());
    if (json) {
      ObjectNode tree = JsonNodeFactory.instance.objectNode().put("name", name);
      tree.put("done", "deleted").put("counts_after", countsAfter.toString());
      ArrayNode usedBy = tree.putArray("used_by");
      users.forEach(usedBy::add);
      terminal.println(tree);
      return ExitCode.OK;
    }
    terminal.println(name + " deleted: excludes no occurrence after " + countsAfter);
    if (!users.isEmpty()) {
      terminal.note(warning(users));
    }
    return ExitCode.OK;
  }

  private static String warning(List<String> users) {
    return (users.size() == 1
            ? "1 schedule names it and continues"
            : users.size() + " schedules name it and continue")
        + " as if it were empty; the next definition of such a schedule must not name it: "
        + users.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
        + (users.size() > MOST_NAMED ? ", ..." : "");
  }
}

package io.waterclock.cli.calendar;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.DefinitionFile;
import io.waterclock.cli.cluster.NamedRecords;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.cluster.ZoneOption;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Table;
import io.waterclock.cli.terminal.TerminalCommand;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.console.model.Upcoming;
import io.waterclock.definition.Exclusions;
import io.waterclock.occurrences.core.Words;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.RecordMetadata;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "calendar",
    description = {
      "Show and change calendars: dates on which the schedules that name them do not occur"
          + " (--except), or on which alone they occur (--only).",
      "",
      "A change applies to the occurrences after it."
    },
    subcommands = {
      CalendarCommand.Put.class,
      CalendarCommand.ListAll.class,
      CalendarCommand.Get.class,
      CalendarCommand.Delete.class
    },
    synopsisSubcommandLabel = "COMMAND")
public final class CalendarCommand extends TerminalCommand {
  @Override
  public Integer call() {
    throw new WrongUsage("A command is missing: put, list, get or delete.");
  }

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
  static final class Put extends ReportingCommand {
    @Parameters(paramLabel = "NAME", description = "The calendar's name, for example holidays-de.")
    String name = "";

    @Option(
        names = {"-f", "--file"},
        paramLabel = "FILE",
        defaultValue = "-",
        description = "A file with the calendar, or - for standard input (default: -).")
    String file = "-";

    @Override
    public Integer call() {
      NamedRecords<Calendar> topic = new CalendarTopic(cluster()).records();
      topic.checkName(name);
      byte[] value = DefinitionFile.read(file, terminal());
      Calendar calendar = topic.read(name, value);
      Optional<Calendar> before = Optional.ofNullable(topic.all().get(name));
      if (before.filter(calendar::equals).isPresent()) {
        say("unchanged", calendar, Optional.empty());
        return ExitCode.OK;
      }
      RecordMetadata written = topic.write(name, Optional.of(value));
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
        ObjectNode tree = json(name, calendar).put("done", done);
        countsAfter.ifPresent(at -> tree.put("counts_after", at.toString()));
        println(tree);
        return;
      }
      println(
          "%s %s: excludes %s%s"
              .formatted(
                  name,
                  done,
                  excluded(calendar),
                  countsAfter.map(at -> ", for occurrences after " + at).orElse("")));
    }
  }

  @Command(
      name = "list",
      description =
          "Show all calendars: the dates and weekdays that they exclude, and their last date.")
  static final class ListAll extends ReportingCommand {
    @Override
    public Integer call() {
      SortedMap<String, Calendar> calendars = new CalendarTopic(cluster()).all();
      if (json) {
        calendars.forEach((name, calendar) -> println(json(name, calendar)));
        return ExitCode.OK;
      }
      Table table = new Table("NAME", "EXCLUDES", "LAST DATE", "DESCRIPTION");
      calendars.forEach((name, calendar) -> table.row(row(name, calendar)));
      table.print(terminal().out());
      println(Words.number(calendars.size(), "calendar"));
      return ExitCode.OK;
    }

    private static List<String> row(String name, Calendar calendar) {
      return List.of(
          name,
          excluded(calendar),
          lastDate(calendar).map(LocalDate::toString).orElse("-"),
          Optional.ofNullable(calendar.getDescription()).orElse("-"));
    }
  }

  @Command(name = "get", description = "Show a calendar in the JSON form that put accepts.")
  static final class Get extends ReportingCommand {
    @Parameters(paramLabel = "NAME", description = "The calendar's name.")
    String name = "";

    @Override
    public Integer call() {
      Calendar calendar = new CalendarTopic(cluster()).records().existing(name);
      if (json) {
        println(json(name, calendar));
        return ExitCode.OK;
      }
      terminal().print(RecordCodecs.calendar().toJson(calendar).toPrettyString());
      return ExitCode.OK;
    }
  }

  @Command(
      name = "delete",
      description = {
        "Delete a calendar: it then names no date, so it excludes nothing (--except), or all"
            + " (--only).",
        "",
        "Warns if schedules name it. Asks first if schedules would never fire again."
      })
  static final class Delete extends ReportingCommand {
    private static final int MOST_NAMED = 10;

    @Parameters(paramLabel = "NAME", description = "The calendar's name.")
    String name = "";

    @Option(names = "--yes", description = "Do not ask.")
    boolean yes;

    @Mixin ZoneOption defaultZone = new ZoneOption();

    @Override
    public Integer call() {
      Cluster cluster = cluster();
      NamedRecords<Calendar> topic = new CalendarTopic(cluster).records();
      topic.checkName(name);
      SortedMap<String, Calendar> calendars = topic.all();
      var unused = topic.existing(calendars, name);
      List<KnownSchedule> known =
          cluster.catalogue(progress()).all().stream()
              .filter(
                  entry ->
                      entry
                          .schedule()
                          .filter(s -> Exclusions.calendars(s).contains(name))
                          .isPresent())
              .toList();
      List<String> ended = ended(known, calendars);
      if (!ended.isEmpty()) {
        ask(ended);
      }
      List<String> users = known.stream().map(KnownSchedule::id).toList();
      RecordMetadata written = topic.write(name, Optional.empty());
      Instant countsAfter = Instant.ofEpochMilli(written.timestamp());
      if (json) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode().put("name", name);
        tree.put("done", "deleted").put("counts_after", countsAfter.toString());
        ArrayNode usedBy = tree.putArray("used_by");
        users.forEach(usedBy::add);
        ArrayNode neverFire = tree.putArray("never_fire");
        ended.forEach(neverFire::add);
        println(tree);
        return ExitCode.OK;
      }
      println(name + " deleted: names no date for occurrences after " + countsAfter);
      if (!users.isEmpty()) {
        note(warning(users));
      }
      return ExitCode.OK;
    }

    /** Those that have an occurrence with the calendar, and none without it: under {@code only}. */
    private List<String> ended(List<KnownSchedule> known, SortedMap<String, Calendar> calendars) {
      Upcoming with = new Upcoming(defaultZone.zone(), CalendarTopic.inForce(calendars));
      SortedMap<String, Calendar> others = new TreeMap<>(calendars);
      others.remove(name);
      Upcoming without = new Upcoming(defaultZone.zone(), CalendarTopic.inForce(others));
      return known.stream()
          .filter(entry -> entry.schedule().filter(s -> s.getOnly().contains(name)).isPresent())
          .filter(entry -> entry.state().filter(State.COMPLETED::equals).isEmpty())
          .filter(entry -> with.named(entry, now()).findFirst().isPresent())
          .filter(entry -> without.named(entry, now()).findFirst().isEmpty())
          .map(KnownSchedule::id)
          .toList();
    }

    private void ask(List<String> ended) {
      String text =
          "%s would never fire again, as %s only on its dates: %s"
              .formatted(
                  Words.number(ended.size(), "schedule"),
                  ended.size() == 1 ? "it occurs" : "they occur",
                  shown(ended));
      if (yes) {
        note(text);
      } else if (!terminal().confirm(text + "; delete " + name + "?")) {
        throw new Failure("Nothing was changed.");
      }
    }

    private static String warning(List<String> users) {
      return (users.size() == 1
              ? "1 schedule names it and continues"
              : users.size() + " schedules name it and continue")
          + " as if it were empty; the next definition of such a schedule must not name it: "
          + shown(users);
    }

    private static String shown(List<String> ids) {
      return ids.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
          + (ids.size() > MOST_NAMED ? ", ..." : "");
    }
  }

  /** For example "14 dates and SAT, SUN". */
  private static String excluded(Calendar calendar) {
    long dates =
        calendar.getDates().stream()
            .mapToLong(range -> ChronoUnit.DAYS.between(range.getFirst(), range.getLast()) + 1)
            .sum();
    String weekdays = weekdays(calendar);
    if (dates == 0) {
      return weekdays.isEmpty() ? "nothing" : weekdays;
    }
    return Words.number(dates, "date") + (weekdays.isEmpty() ? "" : " and " + weekdays);
  }

  private static ObjectNode json(String name, Calendar calendar) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode().put("name", name);
    tree.set("calendar", RecordCodecs.calendar().toJson(calendar));
    return tree;
  }

  private static String weekdays(Calendar calendar) {
    return calendar.getWeekdays().stream().map(Enum::name).collect(Collectors.joining(", "));
  }

  /** The last date that it names; after it, it excludes only weekdays. */
  private static Optional<LocalDate> lastDate(Calendar calendar) {
    return calendar.getDates().stream().map(DateRange::getLast).max(Comparator.naturalOrder());
  }
}

package io.waterclock.cli.limit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.DefinitionFile;
import io.waterclock.cli.cluster.NamedRecords;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.terminal.Table;
import io.waterclock.cli.terminal.TerminalCommand;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.console.limits.LimitRow;
import io.waterclock.console.model.ViewJson;
import io.waterclock.occurrences.core.Words;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.LimitPause;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.FieldDifference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "limits",
    description = {
      "Show and change limits: how many fires of the schedules that name one (limit) run at a time,"
          + " and how many start.",
      "",
      "A change applies to what starts after it. The schedulers need the setting limits=true."
    },
    subcommands = {
      LimitsCommand.Put.class,
      LimitsCommand.ListAll.class,
      LimitsCommand.Get.class,
      LimitsCommand.Pause.class,
      LimitsCommand.Resume.class,
      LimitsCommand.Delete.class
    },
    synopsisSubcommandLabel = "COMMAND")
public final class LimitsCommand extends TerminalCommand {
  @Override
  public Integer call() {
    throw new WrongUsage("A command is missing: put, list, get, pause, resume or delete.");
  }

  /** Reads and writes one limit. */
  private abstract static class OnLimit extends ReportingCommand {
    @Parameters(paramLabel = "NAME", description = "The limit's name, for example etl.")
    String name = "";

    final NamedRecords<Limit> topic() {
      return new LimitTopic(cluster()).records();
    }

    final void write(NamedRecords<Limit> topic, Limit limit) {
      var unused = topic.write(name, Optional.of(LimitTopic.json(topic.valid(name, limit))));
    }

    final void say(String done, Optional<Limit> limit) {
      if (json) {
        println(json(name, limit).put("done", done));
      } else {
        println(name + " " + done + limit.map(given -> ": " + text(given)).orElse(""));
      }
    }
  }

  @Command(
      name = "put",
      description = {
        "Define a limit, or redefine it: from options, or from a JSON or YAML file.",
        "",
        "For example:",
        "",
        "{\"max_running\":4,\"lanes\":[{\"from_priority\":10,\"max_running\":3}], "
            + "\"closed\":[{\"cron\":\"0 22 * * *\",\"duration\":\"1h\"}]}",
        "",
        "Replaces the whole limit: fields that are not given, such as closed windows, are removed,"
            + " and the command names them. A pause stays in effect. If the limit is invalid, the"
            + " command prints all problems, writes nothing and exits with 1."
      })
  static final class Put extends OnLimit {
    @Option(
        names = {"-f", "--file"},
        paramLabel = "FILE",
        description = "A file with the limit, or - for standard input.")
    Optional<String> file = Optional.empty();

    @Option(
        names = "--max-running",
        paramLabel = "COUNT",
        description = "How many fires may run at a time.")
    Optional<Integer> maxRunning = Optional.empty();

    @Option(
        names = "--per-second",
        paramLabel = "COUNT",
        description = "How many fires may start in any second.")
    Optional<Integer> perSecond = Optional.empty();

    @Option(
        names = "--description",
        paramLabel = "TEXT",
        description = "For people, with --max-running or --per-second.")
    Optional<String> description = Optional.empty();

    @Override
    public Integer call() {
      if (file.isPresent() && description.isPresent()) {
        throw new WrongUsage("With --file, the description is in the file.");
      }
      if (file.isPresent() == (maxRunning.isPresent() || perSecond.isPresent())) {
        throw new WrongUsage("Give either --file, or --max-running or --per-second.");
      }
      NamedRecords<Limit> topic = topic();
      topic.checkName(name);
      Limit limit =
          file.map(from -> topic.read(name, DefinitionFile.read(from, terminal())))
              .orElseGet(
                  () ->
                      Limit.newBuilder()
                          .setMaxRunning(maxRunning.orElse(null))
                          .setPerSecond(perSecond.orElse(null))
                          .setDescription(description.orElse(null))
                          .build());
      Optional<Limit> before = Optional.ofNullable(topic.all().get(name));
      if (limit.getPaused() == null) {
        limit.setPaused(before.map(Limit::getPaused).orElse(null));
      }
      if (before.filter(limit::equals).isPresent()) {
        say("unchanged", before);
        return ExitCode.OK;
      }
      write(topic, limit);
      say(before.isPresent() ? "changed" : "created", Optional.of(limit));
      List<String> removed = before.map(old -> removed(old, limit)).orElse(List.of());
      if (!removed.isEmpty()) {
        note("removed, as put replaces the whole limit: " + String.join(", ", removed));
      }
      return ExitCode.OK;
    }

    /** For example "max_running: 4". */
    private static List<String> removed(Limit before, Limit after) {
      JsonNode old = RecordCodecs.limit().toJson(before);
      return FieldDifference.between(old, RecordCodecs.limit().toJson(after)).stream()
          .filter(field -> field.after().isEmpty())
          .map(field -> field.name() + ": " + old.get(field.name()))
          .toList();
    }
  }

  @Command(
      name = "list",
      description = {
        "Show all limits, and what their groups do: how many fires run and wait, and since when the"
            + " oldest waits.",
        "",
        "The numbers come from the topics: a fire runs from its record in the topic fires until a"
            + " worker reports its end, or its time is up."
      })
  static final class ListAll extends ReportingCommand {
    @Override
    public Integer call() {
      LimitTopic topic = new LimitTopic(cluster());
      SortedMap<String, Limit> limits = topic.all();
      List<LimitRow> rows = topic.book(now()).rows(Map.of(), now());
      if (json) {
        rows.forEach(row -> println(json(row, Optional.ofNullable(limits.get(row.name())))));
        return ExitCode.OK;
      }
      Table table =
          new Table("NAME", "LIMIT", "NOW", "RUNNING", "WAITING", "OLDEST", "DESCRIPTION");
      rows.forEach(
          row ->
              table.row(
                  List.of(
                      row.name(),
                      row.isDefined() ? row.text() : "none",
                      row.pause()
                          .map(
                              by ->
                                  by.author().map(author -> "paused by " + author).orElse("paused"))
                          .orElse(row.isClosed() ? "closed" : "open"),
                      Long.toString(row.running()),
                      (row.isCut() ? "at least " : "") + row.waiting(),
                      row.oldest().map(one -> one.due().toString()).orElse("-"),
                      row.description().orElse("-"))));
      table.print(terminal().out());
      println(Words.number(limits.size(), "limit"));
      return ExitCode.OK;
    }

    private static ObjectNode json(LimitRow row, Optional<Limit> limit) {
      ObjectNode tree = LimitsCommand.json(row.name(), limit);
      tree.set(
          "now", ViewJson.of(row).without(List.of("name", "text", "description", "schedules")));
      return tree;
    }
  }

  @Command(name = "get", description = "Show a limit in the JSON form that put accepts.")
  static final class Get extends OnLimit {
    @Override
    public Integer call() {
      Limit limit = topic().existing(name);
      if (json) {
        println(json(name, Optional.of(limit)));
      } else {
        terminal().print(RecordCodecs.limit().toJson(limit).toPrettyString());
      }
      return ExitCode.OK;
    }
  }

  @Command(name = "pause", description = "Let nothing of a limit start. What runs goes on.")
  static final class Pause extends OnLimit {
    @Option(names = "--note", paramLabel = "TEXT", description = "Why, for others.")
    Optional<String> note = Optional.empty();

    @Option(
        names = "--for",
        paramLabel = "DURATION",
        description = "Ends by itself after this time, for example 2h (default: it lasts).")
    Optional<Duration> time = Optional.empty();

    @Override
    public Integer call() {
      NamedRecords<Limit> topic = topic();
      Limit limit = Limit.newBuilder(topic.existing(name)).build();
      limit.setPaused(
          new LimitPause(
              note.orElse(null),
              System.getProperty("user.name"),
              time.map(now()::plus).orElse(null)));
      write(topic, limit);
      say("paused", Optional.of(limit));
      return ExitCode.OK;
    }
  }

  @Command(name = "resume", description = "End the pause of a limit: what waits starts.")
  static final class Resume extends OnLimit {
    @Override
    public Integer call() {
      NamedRecords<Limit> topic = topic();
      Limit before = topic.existing(name);
      Limit limit = Limit.newBuilder(before).setPaused(null).build();
      if (before.getPaused() != null) {
        write(topic, limit);
      }
      say(before.getPaused() == null ? "was not paused" : "resumed", Optional.of(limit));
      return ExitCode.OK;
    }
  }

  @Command(
      name = "delete",
      description = "End a limit: all that waits starts at once. Warns if schedules name it.")
  static final class Delete extends OnLimit {
    @Override
    public Integer call() {
      NamedRecords<Limit> topic = topic();
      topic.existing(name);
      long users =
          cluster().catalogue(progress()).all().stream()
              .filter(
                  entry ->
                      entry.schedule().map(Schedule::getLimit).filter(name::equals).isPresent())
              .count();
      topic.write(name, Optional.empty());
      say("deleted", Optional.empty());
      if (users > 0) {
        note(
            (users == 1 ? "1 schedule names it and has" : users + " schedules name it and have")
                + " no limit now: waterclock list --where \"limit = '"
                + name
                + "'\"");
      }
      return ExitCode.OK;
    }
  }

  private static ObjectNode json(String name, Optional<Limit> limit) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode().put("name", name);
    limit.ifPresent(given -> tree.set("limit", RecordCodecs.limit().toJson(given)));
    return tree;
  }

  private static String text(Limit limit) {
    return LimitRow.text(limit) + (limit.getPaused() == null ? "" : ", paused");
  }
}

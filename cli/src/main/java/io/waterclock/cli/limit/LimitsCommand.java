package io.waterclock.cli.limit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.DefinitionFile;
import io.waterclock.cli.cluster.RecordWriter;
import io.waterclock.cli.cluster.ReportingCommand;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Table;
import io.waterclock.cli.terminal.TerminalCommand;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.topics.Partitions;
import io.waterclock.limits.GroupLimit;
import io.waterclock.limits.LimitRules;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.LimitPause;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Problems;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
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

  /** Reads and writes the topic. */
  private abstract static class OnTopic extends ReportingCommand {
    /** Like the scheduler, ignores records that are no valid limits. */
    final SortedMap<String, Limit> all() {
      Cluster cluster = cluster();
      SortedMap<String, Limit> limits = new TreeMap<>();
      cluster
          .reader()
          .each(
              cluster.partitions(cluster.topics().limits()),
              record -> {
                String name = Partitions.key(record);
                if (record.value() == null) {
                  limits.remove(name);
                } else {
                  RecordCodecs.limit()
                      .readable(record.value(), cluster.schemas())
                      .filter(limit -> LimitRules.problems(limit).isEmpty())
                      .ifPresent(limit -> limits.put(name, limit));
                }
              });
      return limits;
    }

    /**
     * @throws Failure if there is none
     */
    final Limit existing(String name) {
      return Optional.ofNullable(all().get(name))
          .orElseThrow(() -> new Failure("There is no limit " + name + "."));
    }

    final void write(String name, Optional<Limit> limit) {
      limit.ifPresent(
          given -> {
            List<Problem> problems = LimitRules.problems(given);
            if (!problems.isEmpty()) {
              throw new Failure(name + " was refused: " + Problems.text(problems));
            }
          });
      RecordWriter.write(
          cluster(),
          new ProducerRecord<>(
              cluster().topics().limits(),
              parsed(name).utf8(),
              limit
                  .map(given -> RecordCodecs.limit().encode(given, WireFormat.JSON))
                  .orElse(null)));
    }

    final void say(String name, String done, Optional<Limit> limit) {
      if (json) {
        ObjectNode tree = json(name, limit).put("done", done);
        println(tree);
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
        "{\"max_running\":4,\"lanes\":[{\"from_priority\":10,\"max_running\":3}],"
            + "\"closed\":[{\"cron\":\"0 22 * * *\",\"duration\":\"1h\"}]}",
        "",
        "If it is invalid, the command prints all problems, writes nothing and exits with 1."
      })
  static final class Put extends OnTopic {
    @Parameters(paramLabel = "NAME", description = "The limit's name, for example etl.")
    String name = "";

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

    @Override
    public Integer call() {
      if (file.isPresent() == (maxRunning.isPresent() || perSecond.isPresent())) {
        throw new WrongUsage("Give either --file, or --max-running or --per-second.");
      }
      Limit limit =
          file.map(this::read)
              .orElseGet(
                  () ->
                      Limit.newBuilder()
                          .setMaxRunning(maxRunning.orElse(null))
                          .setPerSecond(perSecond.orElse(null))
                          .build());
      Optional<Limit> before = Optional.ofNullable(all().get(parsed(name).value()));
      if (before.filter(limit::equals).isPresent()) {
        say(name, "unchanged", before);
        return ExitCode.OK;
      }
      write(name, Optional.of(limit));
      say(name, before.isPresent() ? "changed" : "created", Optional.of(limit));
      return ExitCode.OK;
    }

    private Limit read(String from) {
      byte[] value = DefinitionFile.read(from, terminal());
      if (value.length > LimitRules.MAX_BYTES) {
        throw new Failure(
            name + " was refused: it has more than " + LimitRules.MAX_BYTES + " bytes.");
      }
      try {
        return RecordCodecs.limit().decode(value);
      } catch (UndecodableException e) {
        throw new Failure(name + " was refused: " + e.getMessage(), e);
      }
    }
  }

  @Command(name = "list", description = "Show all limits, and whether they are closed now.")
  static final class ListAll extends OnTopic {
    @Override
    public Integer call() {
      SortedMap<String, Limit> limits = all();
      if (json) {
        limits.forEach((name, limit) -> println(json(name, Optional.of(limit))));
        return ExitCode.OK;
      }
      Table table = new Table("NAME", "LIMIT", "NOW", "DESCRIPTION");
      limits.forEach(
          (name, limit) ->
              table.row(
                  List.of(
                      name,
                      text(limit),
                      GroupLimit.of(limit).isClosed(now()) ? "closed" : "open",
                      Optional.ofNullable(limit.getDescription()).orElse("-"))));
      table.print(terminal().out());
      println(limits.size() == 1 ? "1 limit" : limits.size() + " limits");
      return ExitCode.OK;
    }
  }

  @Command(name = "get", description = "Show a limit in the JSON form that put accepts.")
  static final class Get extends OnTopic {
    @Parameters(paramLabel = "NAME", description = "The limit's name.")
    String name = "";

    @Override
    public Integer call() {
      Limit limit = existing(name);
      if (json) {
        println(json(name, Optional.of(limit)));
      } else {
        terminal().print(RecordCodecs.limit().toJson(limit).toPrettyString());
      }
      return ExitCode.OK;
    }
  }

  @Command(name = "pause", description = "Let nothing of a limit start. What runs goes on.")
  static final class Pause extends OnTopic {
    @Parameters(paramLabel = "NAME", description = "The limit's name.")
    String name = "";

    @Option(names = "--note", paramLabel = "TEXT", description = "Why, for others.")
    Optional<String> note = Optional.empty();

    @Option(
        names = "--for",
        paramLabel = "DURATION",
        description = "Ends by itself after this time, for example 2h (default: it lasts).")
    Optional<Duration> time = Optional.empty();

    @Override
    public Integer call() {
      Limit limit = Limit.newBuilder(existing(name)).build();
      limit.setPaused(
          new LimitPause(
              note.orElse(null),
              System.getProperty("user.name"),
              time.map(now()::plus).orElse(null)));
      write(name, Optional.of(limit));
      say(name, "paused", Optional.of(limit));
      return ExitCode.OK;
    }
  }

  @Command(name = "resume", description = "End the pause of a limit: what waits starts.")
  static final class Resume extends OnTopic {
    @Parameters(paramLabel = "NAME", description = "The limit's name.")
    String name = "";

    @Override
    public Integer call() {
      Limit before = existing(name);
      Limit limit = Limit.newBuilder(before).setPaused(null).build();
      if (before.getPaused() != null) {
        write(name, Optional.of(limit));
      }
      say(name, before.getPaused() == null ? "was not paused" : "resumed", Optional.of(limit));
      return ExitCode.OK;
    }
  }

  @Command(name = "delete", description = "End a limit: all that waits starts at once.")
  static final class Delete extends OnTopic {
    @Parameters(paramLabel = "NAME", description = "The limit's name.")
    String name = "";

    @Override
    public Integer call() {
      existing(name);
      write(name, Optional.empty());
      say(name, "deleted", Optional.empty());
      return ExitCode.OK;
    }
  }

  /**
   * @throws Failure if it is not a valid name of a limit
   */
  private static LimitName parsed(String text) {
    try {
      return new LimitName(text);
    } catch (InvalidIdException e) {
      throw new Failure("The name is invalid: " + e.getMessage() + ".", e);
    }
  }

  private static ObjectNode json(String name, Optional<Limit> limit) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode().put("name", name);
    limit.ifPresent(given -> tree.set("limit", RecordCodecs.limit().toJson(given)));
    return tree;
  }

  /** For example "4 at a time, 50 a second, 1 lane, paused". */
  private static String text(Limit limit) {
    StringBuilder text = new StringBuilder();
    add(text, limit.getMaxRunning() == null ? "" : limit.getMaxRunning() + " at a time");
    add(text, limit.getPerSecond() == null ? "" : limit.getPerSecond() + " a second");
    int lanes = limit.getLanes().size();
    add(text, lanes == 0 ? "" : lanes == 1 ? "1 lane" : lanes + " lanes");
    int windows = limit.getClosed().size();
    add(text, windows == 0 ? "" : windows == 1 ? "1 closed window" : windows + " closed windows");
    add(text, limit.getPaused() == null ? "" : "paused");
    return text.isEmpty() ? "no bound" : text.toString();
  }

  private static void add(StringBuilder text, String part) {
    text.append(text.isEmpty() || part.isEmpty() ? "" : ", ").append(part);
  }
}

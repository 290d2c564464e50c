package io.waterclock.cli.serve;

import io.waterclock.cli.cluster.Requests;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.KafkaLogs;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.schemas.Topics;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.testkit.EmbeddedKafkaException;
import io.waterclock.topology.Waterclock;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Kafka and the scheduler in one process, with sample schedules, for trying things out. */
@Command(
    name = "dev",
    description = {
      "Run Kafka and the scheduler in this terminal, with sample schedules, and show each fire.",
      "",
      "For trying things out and for tests by hand; a broker on its own is no place for data."
    })
public final class DevCommand implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final Terminal terminal;
  private final Function<Terminal, CommandLine> commands;

  @Option(
      names = "--port",
      defaultValue = "9092",
      paramLabel = "PORT",
      description = "The broker's port on 127.0.0.1 (default: ${DEFAULT-VALUE}).")
  int port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Where data is kept for the next time (default: a temporary folder, removed).")
  Optional<Path> data = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the scheduler; may be given several times.")
  Map<String, String> set = new LinkedHashMap<>();

  @Option(names = "--no-samples", description = "Put no sample schedules.")
  boolean noSamples;

  /** A command that writes to {@code terminal}. */
  /**
   * @param commands all commands, to define the samples with
   */
  public DevCommand(Terminal terminal, Function<Terminal, CommandLine> commands) {
    this.terminal = terminal;
    this.commands = commands;
  }

  @Override
  public Integer call() throws IOException {
    KafkaLogs.connectionErrorsOnly();
    if (port < 0 || port > 65_535) {
      throw new WrongUsage("--port must be from 0 (any free one) to 65535, not " + port + ".");
    }
    Shutdown shutdown = Shutdown.listening();
    say("Starting Kafka on 127.0.0.1:" + port + " ...");
    Path folder = data.isPresent() ? data.get() : temporary(shutdown);
    EmbeddedKafka kafka = shutdown.onExit(kafka(folder));
    Waterclock scheduler = shutdown.onExit(RunCommand.start(settings(kafka, folder)));
    Topics topics = new Topics(set.getOrDefault("prefix", Topics.DEFAULT_PREFIX));
    awaitReady(scheduler);
    if (!noSamples) {
      Samples.put(Requests.at(kafka.bootstrapServers(), topics));
    }
    shutdown.running();
    introduce(kafka, scheduler, topics);
    return run(
        "fires",
        "--follow",
        "--from-beginning",
        "--bootstrap-server",
        kafka.bootstrapServers(),
        "--prefix",
        topics.prefix());
  }

  private EmbeddedKafka kafka(Path folder) {
    try {
      return EmbeddedKafka.start(folder.resolve("kafka"), port);
    } catch (EmbeddedKafkaException e) {
      throw new Failure(e.getMessage() + " --port and --data choose others.", e);
    }
  }

  private Map<String, String> settings(EmbeddedKafka kafka, Path folder) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("partitions", "1");
    settings.put("health.port", "0");
    settings.put("import.allow", "*");
    settings.put("state.dir", folder.resolve("state").toString());
    settings.putAll(set);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    return settings;
  }

  private void awaitReady(Waterclock scheduler) {
    long start = System.nanoTime();
    while (!scheduler.isReady()) {
      if (System.nanoTime() - start > TIMEOUT.toNanos()) {
        throw new Failure(
            "The scheduler is not ready after "
                + TIMEOUT.toSeconds()
                + " s: "
                + String.join("; ", scheduler.health().ready().problems()));
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private void introduce(EmbeddedKafka kafka, Waterclock scheduler, Topics topics) {
    say("");
    if (!noSamples) {
      run("list", "--bootstrap-server", kafka.bootstrapServers(), "--prefix", topics.prefix());
      say("");
    }
    String server = port == 9092 ? "" : " --bootstrap-server " + kafka.bootstrapServers();
    say("From another terminal:");
    say("  ./waterclock put hello --every 3s --payload '{\"to\":\"world\"}'" + server);
    say("  ./waterclock list" + server);
    say("or with any producer, for example:");
    say(
        "  echo 'hello|{\"every\":\"3s\"}' | kcat -b "
            + kafka.bootstrapServers()
            + " -t "
            + topics.schedules()
            + " -K '|' -P");
    scheduler
        .healthPort()
        .ifPresent(
            health ->
                say(
                    "Health: http://127.0.0.1:"
                        + health
                        + "/ready, /live, /metrics and /partitions"));
    say("Ctrl-C ends it. Each fire: fired at, schedule, occurrence, cause, lateness, payload.");
    say("");
    terminal.flush();
  }

  private int run(String... command) {
    int exitCode = commands.apply(terminal).execute(command);
    terminal.flush();
    return exitCode;
  }

  private void say(String line) {
    PrintWriter out = terminal.out();
    out.println(line);
    out.flush();
  }

  private static Path temporary(Shutdown shutdown) throws IOException {
    Path folder = Files.createTempDirectory("waterclock-dev");
    shutdown.onExit(() -> remove(folder));
    return folder;
  }

  private static void remove(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> found = Files.walk(folder)) {
      all = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.deleteIfExists(path);
    }
  }
}

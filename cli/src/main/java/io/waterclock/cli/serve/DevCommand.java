package io.waterclock.cli.serve;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.Logs;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.cli.terminal.TerminalCommand;
import io.waterclock.cli.terminal.WrongUsage;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.console.Console;
import io.waterclock.console.access.AccessRules;
import io.waterclock.console.access.Identification;
import io.waterclock.console.access.Role;
import io.waterclock.console.http.ConsoleServer;
import io.waterclock.console.model.ModelWriter;
import io.waterclock.occurrences.tzdb.ZoneData;
import io.waterclock.runtime.Waterclock;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.text.Instants;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.testkit.EmbeddedKafkaException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "dev",
    description = {
      "Run Kafka and the scheduler in this terminal, with sample schedules, and show each fire.",
      "",
      "For a first try and for tests by hand. Keep no important data there: a single broker has no"
          + " replicas."
    })
public final class DevCommand extends TerminalCommand {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** The first answers of a scheduler on a slow machine take longer than the others. */
  private static final Duration ANSWERS = Duration.ofSeconds(20);

  /** The default of {@code health.port}; if it is taken, any free port serves. */
  private static final int HEALTH_PORT = 8085;

  private static final String CONSOLE_HOST = "127.0.0.1";

  /** As for the command console; if it is taken, any free port serves. */
  private static final int CONSOLE_PORT = 8086;

  /**
   * A broker and a controller in one JVM die together, so they may hear of each other as seldom as
   * by Kafka's defaults, and need no metadata records that only show that the controller lives.
   * After a crash no start waits for the session: {@link EmbeddedKafka} ends the old registration.
   */
  private static final Map<String, String> UNHURRIED =
      Map.of(
          "broker.heartbeat.interval.ms", "2000",
          "broker.session.timeout.ms", "9000",
          "controller.quorum.fetch.timeout.ms", "2000",
          "metadata.max.idle.interval.ms", "0",
          "group.coordinator.threads", "1");

  private final Function<Terminal, CommandLine> commands;

  @Option(
      names = "--port",
      defaultValue = "9092",
      paramLabel = "PORT",
      description = "The broker's port on 127.0.0.1 (default: ${DEFAULT-VALUE}).")
  int port;

  @Option(
      names = "--console-port",
      paramLabel = "PORT",
      description =
          "The port of the web console on 127.0.0.1, 0 for any free one (default: "
              + CONSOLE_PORT
              + ", or any free one if it is taken).")
  Optional<Integer> consolePort = Optional.empty();

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      description =
          "A topic of yours to create, with one partition; may be repeated. Schedules may name it"
              + " as their target.")
  List<String> topicNames = List.of();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "A folder that keeps the data for the next start (default: a temporary folder that is"
              + " removed).")
  Optional<Path> data = Optional.empty();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "A setting of the scheduler, for example health.port=8090 (0 for any free port); may be"
              + " repeated.")
  Map<String, String> set = new LinkedHashMap<>();

  @Option(
      names = "--tzdb",
      paramLabel = "FILE[,FILE@INSTANT]",
      description =
          "Other time-zone data with which the console may compare, as for waterclock diff; may be"
              + " repeated.")
  List<String> tzdb = List.of();

  @Option(names = "--no-samples", description = "Do not define the sample schedules.")
  boolean noSamples;

  /**
   * @param commands creates all commands, to list the samples and follow the fires
   */
  public DevCommand(Function<Terminal, CommandLine> commands) {
    this.commands = commands;
  }

  @Override
  public Integer call() throws IOException {
    requirePort("--port", port);
    consolePort.ifPresent(given -> requirePort("--console-port", given));
    List<ZoneData> zoneData = ConsoleOptions.zoneData("--tzdb", tzdb);
    Instant begin = terminal().clock().instant();
    Shutdown shutdown = Shutdown.listening();
    print("Starting Kafka on 127.0.0.1:" + port + " ...");
    Path folder = data.isPresent() ? data.get() : temporary(shutdown);
    EmbeddedKafka kafka = shutdown.onExit(kafka(folder));
    create(kafka);
    Waterclock scheduler = shutdown.onExit(RunCommand.start(settings(kafka, folder)));
    Topics topics = new Topics(set.getOrDefault("prefix", Topics.DEFAULT_PREFIX));
    awaitReady(scheduler);
    Schedules schedules =
        shutdown.onExit(
            Schedules.builder(kafka.bootstrapServers())
                .prefix(topics.prefix())
                .timeout(ANSWERS)
                .build());
    if (!noSamples) {
      Samples.put(schedules);
    }
    Console console = shutdown.onExit(console(kafka, topics, schedules, zoneData));
    shutdown.running();
    printInstructions(kafka, scheduler, topics);
    print("Console: " + ConsoleCommand.address(CONSOLE_HOST, console));
    print(
        "Ctrl-C ends it. Each line is a fire: time, schedule, occurrence, cause, lateness,"
            + " payload.");
    print("");
    return run(
        "fires",
        "--follow",
        "--from",
        begin.toString(),
        "--bootstrap-server",
        kafka.bootstrapServers(),
        "--prefix",
        topics.prefix());
  }

  private static void requirePort(String option, int port) {
    if (port < 0 || port > 65_535) {
      throw new WrongUsage(option + " must be from 0 (any free port) to 65535, not " + port + ".");
    }
  }

  private EmbeddedKafka kafka(Path folder) {
    try {
      return EmbeddedKafka.start(folder.resolve("kafka"), port, UNHURRIED);
    } catch (EmbeddedKafkaException e) {
      throw new Failure(e.getMessage() + " --port and --data choose another port and folder.", e);
    }
  }

  /** The topics that do not exist yet. */
  private void create(EmbeddedKafka kafka) {
    if (topicNames.isEmpty()) {
      return;
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      Set<String> known = admin.listTopics().names().get();
      admin
          .createTopics(
              topicNames.stream()
                  .distinct()
                  .filter(name -> !known.contains(name))
                  .map(name -> new NewTopic(name, 1, (short) 1))
                  .toList())
          .all()
          .get();
    } catch (ExecutionException e) {
      throw new Failure("--topic: " + RootCause.of(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, String> settings(EmbeddedKafka kafka, Path folder) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("partitions", "1");
    settings.put("format", "json");
    settings.put("health.port", isFree(HEALTH_PORT) ? Integer.toString(HEALTH_PORT) : "0");
    settings.put("import.allow", "*");
    settings.put("retries", "true");
    // an instance that is alone hears of no rebalance
    settings.put("main.consumer.heartbeat.interval.ms", "2000");
    if (!topicNames.isEmpty()) {
      settings.put("targets.allow", String.join(",", topicNames));
    }
    settings.put("state.dir", folder.resolve("state").toString());
    settings.putAll(set);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    Logs.configureServer(settings);
    return settings;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private void awaitReady(Waterclock scheduler) {
    long start = System.nanoTime();
    while (!scheduler.isReady()) {
      if (System.nanoTime() - start > TIMEOUT.toNanos()) {
        throw new Failure(
            "The scheduler is not ready after %s s: %s"
                .formatted(
                    TIMEOUT.toSeconds(), String.join("; ", scheduler.health().ready().problems())));
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private void printInstructions(EmbeddedKafka kafka, Waterclock scheduler, Topics topics) {
    print("");
    if (!noSamples) {
      run("list", "--bootstrap-server", kafka.bootstrapServers(), "--prefix", topics.prefix());
      print("");
    }
    String server = port == 9092 ? "" : " --bootstrap-server " + kafka.bootstrapServers();
    print("From another terminal:");
    print("  ./waterclock put hello --every 3s --payload '{\"to\":\"world\"}'" + server);
    print("  ./waterclock list" + server);
    print("or with any producer, for example:");
    print(
        "  echo 'hello|{\"every\":\"3s\"}' | kcat -b %s -t %s -K '|' -P"
            .formatted(kafka.bootstrapServers(), topics.schedules()));
    scheduler
        .healthPort()
        .ifPresent(
            health ->
                print(
                    "Health: http://127.0.0.1:"
                        + health
                        + "/ready, /live, /metrics and /partitions"));
    terminal().flush();
  }

  /** Everyone on this machine may do everything, as with the broker. */
  private Console console(
      EmbeddedKafka kafka, Topics topics, Schedules schedules, List<ZoneData> zoneData) {
    Cluster cluster = Cluster.at(kafka.bootstrapServers(), topics);
    ConsoleServer.Listening listening =
        new ConsoleServer.Listening(
            CONSOLE_HOST,
            consolePort.orElse(isFree(CONSOLE_PORT) ? CONSOLE_PORT : 0),
            AccessRules.forEveryone(Role.EDITOR),
            new Identification.None(System.getProperty("user.name", "local")));
    return ConsoleCommand.start(
        new Console.Settings(
            listening,
            new ConsoleServer.Offer(List.of(), zoneData),
            Instants.zone(set.getOrDefault("default.timezone", "UTC")),
            // beside a broker and a scheduler in the same heap
            ModelWriter.Limits.of(Runtime.getRuntime().maxMemory() / 5, 1_000_000)),
        ConsoleCommand.source(cluster, Optional.of(schedules)),
        terminal());
  }

  private int run(String... command) {
    int exitCode = commands.apply(terminal()).execute(command);
    terminal().flush();
    return exitCode;
  }

  private void print(String line) {
    PrintWriter out = terminal().out();
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

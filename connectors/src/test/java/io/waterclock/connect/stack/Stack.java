package io.waterclock.connect.stack;

import io.waterclock.connect.webhook.WebhookServer;
import io.waterclock.connect.webhook.WebhookServer.Received;
import io.waterclock.connect.webhook.WebhookServer.Reply;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.State;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;

/**
 * All that a team would run: a broker, the scheduler, PostgreSQL, Connect with our plug-in archive
 * and Debezium's, and a webhook. The configurations are those that we ship; only addresses and
 * passwords are changed, and how long things take.
 */
final class Stack {
  private static final Path CONFIG = Path.of("config");
  private static final Path WORKER =
      Path.of("..", "deploy", "compose", "connect-distributed.properties");
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  final Topics topics = Topics.ofDefault();
  final Postgres postgres;
  final ConnectWorker connect;
  private final Path dir;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final List<Received> takenBefore = new ArrayList<>();
  private EmbeddedKafka kafka;
  private WebhookServer webhook;

  /** Starts all of it; what has been started is ended if something cannot be. */
  Stack(Path dir) throws Exception {
    this.dir = dir;
    try {
      this.kafka = EmbeddedKafka.start(dir.resolve("kafka"), Ports.free());
      running.push(() -> kafka.close());
      this.connect =
          new ConnectWorker(
              dir,
              Ports.free(),
              WORKER,
              worker(kafka.bootstrapServers(), Plugins.in(dir.resolve("plugins"))),
              List.of("-Xmx384m"));
      running.push(connect);
      connect.start(); // it takes the longest, and the others meanwhile
      this.postgres = new Postgres(dir, Ports.free());
      running.push(postgres);
      this.webhook = WebhookServer.start(Ports.free());
      running.push(() -> webhook.close());
      running.push(Waterclock.start(scheduler(kafka.bootstrapServers(), dir)));
      running.remove(connect);
      running.push(connect); // the first to end: an orderly PostgreSQL waits for who reads its log
    } catch (Exception e) {
      stop();
      throw e;
    }
  }

  /** Where all is, and less patience than is good outside of a test. */
  private static Map<String, String> worker(String bootstrapServers, Path plugins) {
    return Map.of(
        "bootstrap.servers",
        bootstrapServers,
        "plugin.path",
        plugins.toString(),
        "offset.flush.interval.ms",
        "500",
        "session.timeout.ms",
        "6000",
        "heartbeat.interval.ms",
        "1000",
        "consumer.session.timeout.ms",
        "6000",
        "consumer.heartbeat.interval.ms",
        "1000");
  }

  private static WaterclockConfig scheduler(String bootstrapServers, Path dir) {
    return WaterclockConfig.parse(
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "state.dir",
            dir.resolve("state").toString(),
            "partitions",
            "2",
            "import.allow",
            "*",
            "health.port",
            "off"));
  }

  void restartKafka() {
    int port = kafka.port();
    kafka.close();
    kafka = EmbeddedKafka.start(dir.resolve("kafka"), port);
  }

  void stopWebhook() {
    webhook.close();
    takenBefore.addAll(webhook.taken);
  }

  void startWebhookAgain() {
    webhook = WebhookServer.start(webhook.port());
  }

  void webhookAnswers(Function<Received, Reply> script) {
    webhook.answering(script);
  }

  /**
   * The fires of a schedule that the webhook has accepted, each once, in the order of their
   * arrival.
   */
  List<Received> delivered(String scheduleId) {
    Set<String> seen = new TreeSet<>();
    return Stream.concat(takenBefore.stream(), webhook.taken.stream())
        .filter(request -> request.attribute("subject").equals(scheduleId))
        .filter(request -> seen.add(request.header("idempotency-key")))
        .toList();
  }

  /** The ids of the fires that the webhook has taken. */
  Set<String> deliveredIds(String scheduleId) {
    return delivered(scheduleId).stream()
        .map(request -> request.header("idempotency-key"))
        .collect(Collectors.toSet());
  }

  /** The ids of a schedule's fires in the history table. */
  List<String> history(String scheduleId) throws SQLException {
    return postgres.query("SELECT fire_id FROM fires WHERE schedule_id = '" + scheduleId + "'");
  }

  void connectSource(String... more) throws IOException {
    connect.connect(
        CONFIG.resolve("schedules-from-postgresql.json"),
        with(
            Map.of(
                "database.port",
                Integer.toString(postgres.port()),
                "retriable.restart.connector.wait.ms",
                "1000"),
            more));
  }

  void connectHistory() throws IOException {
    connect.connect(
        CONFIG.resolve("history-to-postgresql.json"), Map.of("connection.url", postgres.url()));
  }

  /** Results of runs, and the times of polls in their own table. */
  void connectResults() throws IOException {
    for (String file :
        List.of(
            "runs-to-postgresql.json", "times-to-postgresql.json", "starts-to-postgresql.json")) {
      connect.connect(CONFIG.resolve(file), Map.of("connection.url", postgres.url()));
    }
  }

  /** As docs/connectors.md says; does nothing unless the sink has failed. */
  void restartHistory() throws IOException, InterruptedException {
    for (String name :
        List.of("fires-to-history", "outcomes-to-runs", "fires-to-polls", "starts-to-polls")) {
      connect.restartFailed(name);
    }
  }

  void connectWebhook() throws IOException {
    connect.connect(
        CONFIG.resolve("fires-to-webhook.json"),
        Map.of(
            "url",
            webhook.url("/jobs"),
            "signature.secrets",
            UUID.randomUUID().toString(),
            "internal.allow",
            "127.0.0.1",
            "request.timeout.ms",
            "1000",
            "retry.backoff.ms",
            "100",
            "retry.backoff.max.ms",
            "1000",
            "outcomes.bootstrap.servers",
            kafka.bootstrapServers()));
  }

  private static Map<String, String> with(Map<String, String> settings, String... more) {
    Map<String, String> all = new HashMap<>(settings);
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  void exampleTables() throws IOException, SQLException {
    postgres.sql(Files.readString(CONFIG.resolve("example-tables.sql")));
  }

  /** Retries until the assertion holds, also while a service is away. */
  static void eventually(ThrowingRunnable holds) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(250))
        .ignoreExceptions()
        .untilAsserted(holds);
  }

  /** The ids of all fires, by schedule. */
  Map<String, Set<String>> fired() {
    Map<String, Set<String>> ids = new TreeMap<>();
    for (ConsumerRecord<String, byte[]> record : records(topics.fires())) {
      Fire fire = RecordCodecs.fire().decode(record.value());
      ids.computeIfAbsent(fire.getScheduleId(), id -> new TreeSet<>()).add(fire.getFireId());
    }
    return ids;
  }

  /** What the scheduler says of each schedule at last; nothing of one that is deleted. */
  Map<String, State> states() {
    Map<String, State> states = new TreeMap<>();
    for (ConsumerRecord<String, byte[]> record : records(topics.status())) {
      if (record.value() == null) {
        states.remove(record.key());
      } else {
        states.put(record.key(), RecordCodecs.status().decode(record.value()).getState());
      }
    }
    return states;
  }

  /** All that is in a topic. */
  List<ConsumerRecord<String, byte[]>> records(String topic) {
    return Records.of(topic, Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  /** Stops all running services, the newest first, also if one of them fails to stop. */
  void stop() throws Exception {
    List<Exception> failures = new ArrayList<>();
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      throw failures.get(0);
    }
  }
}

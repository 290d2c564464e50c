package io.waterclock.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpServer;
import io.waterclock.cli.deploy.DocumentedRight;
import io.waterclock.connect.stack.ConnectWorker;
import io.waterclock.connect.stack.Plugins;
import io.waterclock.connect.stack.Postgres;
import io.waterclock.connect.stack.Records;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.testkit.KafkaSecurity;
import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.serialization.StringSerializer;
import org.assertj.core.api.ListAssert;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The profile {@code connect} of docker-compose.yml: Connect, PostgreSQL and the connectors, with
 * the commands, the environment and the files that it names, in processes of this machine. The
 * broker is one with TLS, SASL/SCRAM and ACLs: the worker gets a login beside what the file says,
 * and the rights that docs/rights.md lists for it, and no others.
 */
@Timeout(600)
@Tag("all")
final class ConnectTest {
  private static final String SETTINGS = "/etc/connect/connect-distributed.properties";
  private static final String TABLES = "/docker-entrypoint-initdb.d/example-tables.sql";
  private static final int PORT = 8083;
  private static final Duration BOUND = Duration.ofMinutes(3);
  private static final String ADMIN = "admin";
  private static final String USER = "connect";

  @TempDir Path dir;

  /** How the script ended, and what it printed. */
  private record Run(int exitCode, String output) {}

  @Test
  void the_worker_and_the_script_name_what_the_file_starts() throws IOException {
    ComposeFile file = ComposeFile.read();
    assertThat(file.of("connect"))
        .containsExactly("kafka", "waterclock", "postgres", "connect", "connectors");
    assertThat(file.words("connect", "command"))
        .containsExactly("/opt/kafka/bin/connect-distributed.sh", SETTINGS);
    Properties worker = new Properties();
    try (Reader settings = Files.newBufferedReader(file.mount("connect", SETTINGS))) {
      worker.load(settings);
    }
    assertThat(worker)
        .containsEntry(
            "bootstrap.servers", file.environment("waterclock").get("WATERCLOCK_BOOTSTRAP_SERVERS"))
        .containsEntry("listeners", "http://0.0.0.0:" + PORT);
    assertThat(Documents.dockerfile("^COPY --from=plugins \\S+ (.*)$"))
        .containsExactly(worker.getProperty("plugin.path"));
    assertThat(file.environment("connectors"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "CONNECT", "http://connect:" + PORT,
                "POSTGRES_HOST", "postgres",
                "POSTGRES_PORT", "5432"));
    assertThat(file.words("postgres", "command")).contains("wal_level=logical");
    for (JsonNode connector : connectors(file)) {
      JsonNode config = connector.at("/config");
      assertThat(text(config, "database.user", "connection.username")).isEqualTo("postgres");
      assertThat(text(config, "database.password", "connection.password"))
          .isEqualTo(file.environment("postgres").get("POSTGRES_PASSWORD"));
    }
  }

  @Test
  void rows_become_fires_history_requests_and_outcomes_with_what_the_file_starts_and_what_it_may()
      throws Exception {
    assumeThat(Plugins.arePacked()).as("the plug-in archive, which mvn verify builds").isTrue();
    ComposeFile file = ComposeFile.read();
    int port = Ports.free();
    KafkaSecurity security =
        KafkaSecurity.in(dir.resolve("security"))
            .superUser(ADMIN, "admin-secret")
            .user(USER, "change-me");
    HttpServer webhook = webhook();
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, security)) {
      Map<String, Object> admin = security.client(kafka.bootstrapServers(), ADMIN);
      Map<String, String> login = texts(security.client(kafka.bootstrapServers(), USER));
      grant(admin);
      try (ConnectWorker connect = worker(file, login, port)) {
        connect.start();
        try (Postgres postgres = new Postgres(dir, Ports.free());
            Waterclock scheduler = scheduler(texts(admin))) {
          postgres.sql(Files.readString(file.mount("postgres", TABLES)));
          connect.awaitReady();
          assertHealth(file, port);
          assertPlugins(connect);
          assertConnectors(file, connect, port, postgres.port());
          connectWebhook(connect, webhook.getAddress().getPort(), login);
          postgres.sql(
              "INSERT INTO jobs (name, job_class, interval, interval_unit, cron) VALUES"
                  + " ('sync', 'SyncJob', 1, 'second', null),"
                  + " ('gone', 'GoneJob', 1, 'second', null),"
                  + " ('odd', 'OddJob', null, null, '61 * * * *')");
          put("curious", "{\"every\":\"1s\",\"overlap\":\"skip\"}", admin);
          eventually(
              () ->
                  assertThat(postgres.query("SELECT schedule_id FROM fires"))
                      .contains("jobs/sync", "jobs/gone", "curious"));
          eventually(() -> assertKeys("waterclock.outcomes", admin).contains("curious"));
          eventually(
              () ->
                  assertThat(postgres.query("SELECT schedule_id FROM runs"))
                      .contains("jobs/sync", "curious"));
          eventually(
              () ->
                  assertKeys("waterclock.dlq", admin)
                      .contains("jobs/odd")
                      .anyMatch(key -> key.startsWith("jobs/gone|")));
          assertThat(connect.failures()).isEmpty();
          assertThat(scheduler.isReady()).isTrue();
        }
      }
    } finally {
      webhook.stop(0);
    }
  }

  private static void assertHealth(ComposeFile file, int port)
      throws IOException, InterruptedException {
    assertThat(file.healthcheck("connect", PORT, port)).isZero();
    assertThat(file.healthcheck("connect", PORT, Ports.free())).isNotZero();
  }

  private static void assertPlugins(ConnectWorker connect)
      throws IOException, InterruptedException {
    assertThat(connect.get("/connector-plugins?connectorsOnly=false"))
        .contains(
            "io.waterclock.connect.ScheduleRow",
            "io.waterclock.connect.AlertConverter",
            "io.waterclock.connect.FireConverter",
            "io.waterclock.connect.OutcomeConverter",
            "io.waterclock.connect.RunTimes",
            "io.waterclock.connect.webhook.WebhookSinkConnector",
            "io.debezium.connector.postgresql.PostgresConnector",
            "io.debezium.connector.jdbc.JdbcSinkConnector");
  }

  /** The script creates what it is given, says what is refused, and may run again. */
  private static void assertConnectors(
      ComposeFile file, ConnectWorker connect, int port, int postgres)
      throws IOException, InterruptedException {
    Run nowhere = create(file, port, Ports.free());
    assertThat(nowhere.output()).contains("schedules-from-postgresql is refused", " 400");
    assertThat(nowhere.exitCode()).isEqualTo(1);
    for (int up = 0; up < 2; up++) {
      Run run = create(file, port, postgres);
      assertThat(run.exitCode()).as(run.output()).isZero();
    }
    assertThat(new JsonMapper().readTree(connect.get("/connectors")))
        .map(JsonNode::asText)
        .containsExactlyInAnyOrderElementsOf(
            connectors(file).stream().map(each -> each.at("/name").asText()).toList());
    assertThat(connect.get("/connectors?expand=info"))
        .contains("\"localhost\"", "//localhost:" + postgres + "/");
  }

  private static ListAssert<String> assertKeys(String topic, Map<String, Object> client) {
    return assertThat(Records.of(topic, client).stream().map(ConsumerRecord::key).toList());
  }

  private static void eventually(ThrowingRunnable holds) {
    await().atMost(BOUND).ignoreExceptions().untilAsserted(holds);
  }

  /** Takes everything but the fires of one schedule, which it refuses for good. */
  private static HttpServer webhook() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String event = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          boolean isGone = event.contains("\"subject\":\"jobs/gone\"");
          exchange.sendResponseHeaders(isGone ? 410 : 204, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static void grant(Map<String, Object> client) throws Exception {
    List<AclBinding> acls =
        DocumentedRight.of("Kafka Connect").stream().map(right -> right.allowing(USER)).toList();
    assertThat(acls).isNotEmpty();
    try (Admin admin = Admin.create(client)) {
      admin.createAcls(acls).all().get();
      await()
          .atMost(BOUND)
          .until(() -> admin.describeAcls(AclBindingFilter.ANY).values().get().containsAll(acls));
    }
  }

  private static void put(String id, String definition, Map<String, Object> client)
      throws Exception {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(client, new StringSerializer(), new StringSerializer())) {
      producer.send(new ProducerRecord<>("waterclock.schedules", id, definition)).get();
    }
  }

  private Waterclock scheduler(Map<String, String> client) {
    Map<String, String> settings = new HashMap<>(client);
    settings.put("state.dir", dir.resolve("state").toString());
    settings.put("partitions", "1");
    settings.put("health.port", "off");
    settings.put("import.allow", "*");
    Waterclock scheduler = Waterclock.start(WaterclockConfig.parse(settings));
    await().atMost(BOUND).until(scheduler::isReady);
    return scheduler;
  }

  /** With transactions, which ask for one right more. */
  private ConnectWorker worker(ComposeFile file, Map<String, String> login, int port)
      throws IOException {
    Map<String, String> changes = new HashMap<>();
    for (String client : List.of("", "producer.", "consumer.", "admin.")) {
      changes.putAll(prefixed(client, login));
    }
    changes.put("plugin.path", Plugins.in(dir.resolve("plugins")).toString());
    changes.put("exactly.once.source.support", "enabled");
    return new ConnectWorker(
        dir,
        port,
        file.mount("connect", SETTINGS),
        changes,
        List.of(
            Objects.requireNonNull(file.environment("connect").get("KAFKA_HEAP_OPTS")).split(" ")));
  }

  /** Runs the service that creates the connectors. */
  private static Run create(ComposeFile file, int connect, int postgres)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(file.words("connectors", "entrypoint"));
    command.addAll(file.words("connectors", "command"));
    command.replaceAll(word -> file.onThisMachine("connectors", word));
    Map<String, String> environment = new TreeMap<>(file.environment("connectors"));
    environment.put("CONNECT", "http://127.0.0.1:" + connect);
    environment.put("POSTGRES_HOST", "localhost");
    environment.put("POSTGRES_PORT", Integer.toString(postgres));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Run(process.waitFor(), output);
  }

  private static List<JsonNode> connectors(ComposeFile file) throws IOException {
    List<JsonNode> connectors = new ArrayList<>();
    for (String word : file.words("connectors", "command")) {
      connectors.add(
          new JsonMapper().readTree(Path.of(file.onThisMachine("connectors", word)).toFile()));
    }
    return connectors;
  }

  /** The third connector, which the file leaves out as it wants a URL. */
  private static void connectWebhook(ConnectWorker connect, int webhook, Map<String, String> login)
      throws IOException {
    Map<String, String> changes = new HashMap<>(prefixed("outcomes.producer.", login));
    changes.put("outcomes.bootstrap.servers", String.valueOf(login.get("bootstrap.servers")));
    changes.put("signature.secrets", UUID.randomUUID().toString());
    changes.put("url", "http://127.0.0.1:" + webhook + "/jobs");
    changes.put("internal.allow", "127.0.0.1");
    connect.connect(Documents.ROOT.resolve("connectors/config/fires-to-webhook.json"), changes);
  }

  private static Map<String, String> prefixed(String prefix, Map<String, String> settings) {
    Map<String, String> prefixed = new HashMap<>();
    settings.forEach((key, value) -> prefixed.put(prefix + key, value));
    return prefixed;
  }

  private static Map<String, String> texts(Map<String, Object> settings) {
    Map<String, String> texts = new HashMap<>();
    settings.forEach((key, value) -> texts.put(key, value.toString()));
    return texts;
  }

  /** The first of these settings that there is. */
  private static String text(JsonNode config, String... keys) {
    return Stream.of(keys)
        .map(key -> config.path(key).asText())
        .filter(value -> !value.isEmpty())
        .findFirst()
        .orElseThrow();
  }
}

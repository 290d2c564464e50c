package io.waterclock.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.CliRun;
import io.waterclock.cli.Main;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.schemas.ReaderSettings;
import io.waterclock.schemas.Topics;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process that operators run, with the log that their tools collect. */
@Tag("all")
final class RunCommandTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Topics HEADERS = new Topics("headers");

  @TempDir static Path dir;
  private static EmbeddedKafka kafka;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  void a_life_without_trouble_with_a_console_is_events_in_JSON_and_none_above_INFO()
      throws Exception {
    Process process =
        run(
            "quiet",
            "--set",
            "log.format=json",
            "--set",
            "partitions=2",
            "--set",
            "console=on",
            "--set",
            "console.port=0",
            "--set",
            "console.role=operator",
            "--prefix",
            "quiet");
    String[] put = {
      "put", "tick", "--every", "1s", "--bootstrap-server", kafka.bootstrapServers(), "--prefix"
    };
    await().atMost(PATIENCE).until(() -> CliRun.of(with(put, "quiet")).exitCode() == 0);
    await().atMost(PATIENCE).until(() -> consoleShows("quiet", "tick"));
    process.toHandle().destroy();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isZero();

    assertThat(Files.readString(dir.resolve("quiet.out"))).isEmpty();
    // on a loaded machine Kafka Streams asks the broker again, and warns
    assertThat(events("quiet"))
        .filteredOn(event -> !event.path("message").asText().contains("TimeoutException"))
        .isNotEmpty()
        .allSatisfy(
            event -> {
              assertThat(event.path("log.level").asText()).as(event.toString()).isEqualTo("INFO");
              assertThat(Instant.parse(event.path("@timestamp").asText()))
                  .isAfter(Instant.now().minus(Duration.ofHours(1)));
              assertThat(event.path("message").asText()).isNotBlank();
              assertThat(event.path("log.logger").asText()).startsWith("io.waterclock.");
              assertThat(event.path("process.thread.name").asText()).isNotBlank();
              assertThat(event.path("service.name").asText()).isEqualTo("waterclock");
            });
  }

  /** The heap of {@link #run} is smaller than the 410 MB that the manifests give. */
  @Test
  void records_that_consist_of_headers_end_no_start_of_an_instance_with_a_console()
      throws Exception {
    Process before = runWithConsole("before", 0);
    String[] put = {
      "put", "tick", "--every", "1s", "--bootstrap-server", kafka.bootstrapServers(), "--prefix"
    };
    await().atMost(PATIENCE).until(() -> CliRun.of(with(put, HEADERS.prefix())).exitCode() == 0);
    before.destroyForcibly().waitFor();
    writeHeaders();
    for (String name : List.of("started", "restarted")) {
      int port = Ports.free();
      Process after = runWithConsole(name, port);
      await().atMost(PATIENCE).until(() -> !after.isAlive() || isReady(port));
      await().atMost(PATIENCE).until(() -> !after.isAlive() || consoleShows(name, "tick"));
      assertThat(after.isAlive()).as(() -> String.join("\n", log(name))).isTrue();
      after.destroyForcibly().waitFor();
    }
    assertThat(deadLetters()).isEqualTo(24);
  }

  private static Process runWithConsole(String name, int healthPort) throws IOException {
    return run(
        name,
        "--set",
        "log.format=json",
        "--set",
        "console=on",
        "--set",
        "console.port=0",
        "--set",
        "health.port=" + healthPort,
        "--set",
        "partitions=12",
        "--prefix",
        HEADERS.prefix());
  }

  /** A megabyte each, and more than forty in memory. */
  private static void writeHeaders() throws Exception {
    List<Header> headers = Collections.nCopies(500_000, new RecordHeader("", new byte[0]));
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers(), "max.request.size", 2 << 20),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = 0; i < 24; i++) {
        byte[] key = ("headers/" + i).getBytes(UTF_8);
        byte[] value = "{\"every\":\"1h\"}".getBytes(UTF_8);
        producer.send(new ProducerRecord<>(HEADERS.schedules(), null, key, value, headers)).get();
      }
    }
  }

  private static boolean isReady(int port) throws InterruptedException {
    try {
      URI ready = URI.create("http://127.0.0.1:" + port + "/ready");
      return HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(ready).build(), HttpResponse.BodyHandlers.discarding())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false; // it does not listen yet
    }
  }

  private static long deadLetters() {
    Map<String, String> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
    TopicReader reader = new TopicReader(() -> ReaderSettings.consumer(settings));
    AtomicLong found = new AtomicLong();
    reader.toEnd(reader.partitions(HEADERS.dlq()), record -> found.incrementAndGet() > 0);
    return found.get();
  }

  @Test
  void why_it_cannot_start_is_an_event_too() throws Exception {
    Process process = run("wrong", "--set", "log.format=json", "--set", "tick.interval=never");
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isOne();
    assertThat(events("wrong"))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.path("log.level").asText()).isEqualTo("ERROR");
              assertThat(event.path("message").asText()).startsWith("tick.interval: ");
            });
  }

  @Test
  void another_format_is_refused() throws Exception {
    Process process = run("xml", "--set", "log.format=xml");
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).isOne();
    assertThat(log("xml"))
        .containsExactly("waterclock: log.format: \"xml\" is neither text nor json.");
  }

  /** Asks the console at the address that the log names. */
  private static boolean consoleShows(String name, String id)
      throws IOException, InterruptedException {
    String said = "The console listens on ";
    for (JsonNode event : events(name)) {
      String message = event.path("message").asText();
      if (message.startsWith(said)) {
        URI list = URI.create(message.substring(said.length()) + "api/v1/schedules");
        return HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString())
            .body()
            .contains("\"id\":\"" + id + "\"");
      }
    }
    return false;
  }

  private static Process run(String name, String... more) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
    command.add("-cp");
    command.addAll(List.of(System.getProperty("java.class.path"), Main.class.getName(), "run"));
    command.addAll(List.of("--bootstrap-server", kafka.bootstrapServers()));
    command.addAll(List.of("--set", "health.port=0"));
    command.addAll(List.of("--set", "state.dir=" + dir.resolve(name)));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectOutput(dir.resolve(name + ".out").toFile())
        .redirectError(dir.resolve(name + ".log").toFile())
        .start();
  }

  private static String[] with(String[] words, String last) {
    return Stream.concat(Stream.of(words), Stream.of(last)).toArray(String[]::new);
  }

  private static List<String> log(String name) {
    try {
      return Files.readAllLines(dir.resolve(name + ".log"), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<JsonNode> events(String name) throws IOException {
    List<JsonNode> events = new ArrayList<>();
    for (String line : log(name)) {
      events.add(JSON.readTree(line));
    }
    return events;
  }
}

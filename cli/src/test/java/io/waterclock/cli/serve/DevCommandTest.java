package io.waterclock.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.cli.CliRun;
import io.waterclock.testkit.Ports;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** A new user's first minutes, with a real broker and scheduler. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class DevCommandTest {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @TempDir static Path dir;
  private static DevProcess dev;
  private static int consolePort;

  @BeforeAll
  static void start() throws Exception {
    consolePort = Ports.free();
    dev =
        DevProcess.start(
            dir.resolve("data"),
            "--topic",
            "orders",
            "--console-port",
            Integer.toString(consolePort));
    await().atMost(PATIENCE).until(() -> fired("samples/heartbeat"));
  }

  @AfterAll
  static void stop() {
    dev.close();
  }

  @Test
  void it_shows_the_samples_and_how_to_go_on_before_the_first_fire() {
    assertThat(dev.lines())
        .anyMatch(line -> line.matches("samples/heartbeat +ACTIVE +every 5s +UTC .*"))
        .anyMatch(line -> line.matches("samples/report +ACTIVE +cron 0 9 \\* .*Europe/Berlin .*"))
        .anyMatch(line -> line.contains("kcat") && line.contains("-t waterclock.schedules"))
        // on a loaded machine Kafka Streams asks the broker again, and warns
        .noneMatch(line -> line.contains("Exception") && !line.contains("TimeoutException"));
  }

  @Test
  void it_prints_the_address_of_a_console_that_answers() throws Exception {
    String address =
        dev.lines().stream()
            .filter(line -> line.startsWith("Console: "))
            .map(line -> line.substring("Console: ".length()))
            .findFirst()
            .orElseThrow();
    assertThat(address).isEqualTo("http://127.0.0.1:" + consolePort + "/");
    HttpResponse<String> session =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(address + "api/v1/session")).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(session.body()).contains("\"role\":\"EDITOR\"");
  }

  @Test
  void what_put_writes_is_accepted_and_fires() {
    CliRun put = run("put", "from-flags", "--every", "1s", "--payload", "{\"n\":1}");
    assertThat(put.exitCode()).isZero();
    assertThat(put.out()).contains("from-flags accepted", "revision waterclock.schedules-0@");

    await().atMost(PATIENCE).until(() -> fired("from-flags"));
    assertThat(run("put", "from-flags", "--every", "1s", "--payload", "{\"n\":1}").out())
        .contains("unchanged");
    assertThat(run("fires", "--schedule", "from-flags", "--max", "1", "--json").out())
        .contains("\"schedule_id\":\"from-flags\"", "\"payload\":{\"n\":1}");
    assertThat(run("get", "from-flags").out()).contains("ACTIVE", "\"every\" : \"PT1S\"");
    assertThat(run("delete", "from-flags").out()).contains("from-flags deleted");
    assertThat(run("get", "from-flags").exitCode()).isEqualTo(1);
  }

  @Test
  void schedules_may_name_a_topic_that_it_was_to_create() {
    CliRun put =
        run("put", "to-orders", "--in=1s", "--payload=tea", "--target-topic=orders", "--json");
    assertThat(put.out()).contains("\"verdict\":\"ACCEPTED\"");
    assertThat(run("put", "to-none", "--in=1s", "--target-topic=none").err())
        .contains("--target-topic: ");
  }

  @Test
  void what_a_plain_producer_writes_as_json_fires() throws Exception {
    produce("from-producer", "{\"in\":\"PT1S\"}".getBytes(UTF_8));
    await().atMost(PATIENCE).until(() -> fired("from-producer"));
  }

  @Test
  void a_yaml_file_is_as_good_as_json() throws Exception {
    Path file = Files.writeString(dir.resolve("s.yaml"), "cron: 0 9 * * *\ntimezone: Asia/Tokyo\n");
    assertThat(run("put", "from-yaml", "--file", file.toString()).out())
        .contains("from-yaml accepted", "T00:00:00Z");
  }

  @Test
  void bad_records_are_answered_with_all_problems_and_stop_no_other_schedule() throws Exception {
    assertRejected("{\"cron\":\"61 * * * *\"}", "cron: minute: 61 is out of range 0-59");
    assertRejected("{\"every\":\"5m\",\"timezone\":\"Europe/Berln\"}", "Europe/Berlin");
    assertRejected("{\"every\":\"5m\",\"cron\":\"@daily\"}", "both cron and every");
    assertRejected("{\"every\":\"5m\",\"cach_up\":\"skip\"}", "cach_up", "catch_up");
    assertRejected("{\"cron\":\"0 0 30 2 *\"}", "names no day of any year");
    assertRejected(
        "{\"cron\":\"61 * * * *\",\"grace\":\"soon\",\"max_replay\":0}",
        "for 3 reasons",
        "cron",
        "grace",
        "max_replay");
    String payload = "x".repeat(1_048_200);
    assertRejected("{\"every\":\"5m\",\"payload\":\"" + payload + "\"}", "payload", "bytes");
    assertThat(run("put", "bad id", "--every", "5m").err()).contains("bad id", "a space");

    produce("rubbish", new byte[] {(byte) 0xde, (byte) 0xad});
    await().atMost(PATIENCE).until(() -> rejected().contains("rubbish"));
    assertThat(rejected()).contains("neither single-object Avro", "de ad");

    int before = dev.lines().size();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                dev.lines().subList(before, dev.lines().size()).stream()
                    .anyMatch(line -> line.contains("samples/heartbeat")));
  }

  private static String rejected() {
    return run("list", "--state", "REJECTED").out();
  }

  @Test
  @Tag("all")
  @Order(Integer.MAX_VALUE)
  void it_ends_cleanly_on_a_signal_and_continues_from_its_data_at_the_next_start()
      throws Exception {
    assertThat(run("put", "kept", "--every", "1s").exitCode()).isZero();
    assertThat(dev.terminate()).isZero();
    assertThat(dev.lines()).noneMatch(line -> line.startsWith("\tat "));

    try (DevProcess again = DevProcess.start(dir.resolve("data"), "--no-samples")) {
      await()
          .atMost(PATIENCE)
          .until(() -> again.lines().stream().anyMatch(line -> line.contains("  kept  ")));
      assertThat(again.lines()).noneMatch(line -> line.startsWith("\tat "));
      assertThat(again.terminate()).isZero();
    }
  }

  private static void assertRejected(String json, String... words) {
    CliRun put =
        CliRun.withInput(
            json, "put", "bad", "--file", "-", "--bootstrap-server", dev.bootstrapServer());
    assertThat(put.exitCode()).as(json.substring(0, Math.min(80, json.length()))).isEqualTo(1);
    assertThat(put.err()).contains("bad was rejected").contains(words);
  }

  private static CliRun run(String... args) {
    List<String> all = new ArrayList<>(Arrays.asList(args));
    all.add("--bootstrap-server");
    all.add(dev.bootstrapServer());
    return CliRun.of(all.toArray(String[]::new));
  }

  private static boolean fired(String id) {
    return dev.lines().stream().anyMatch(line -> line.contains("Z  " + id + "  "));
  }

  private static void produce(String id, byte[] value) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", dev.bootstrapServer()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>("waterclock.schedules", id.getBytes(UTF_8), value)).get();
    }
  }
}

package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.brokers.TopicException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.schemas.registry.Registration;
import io.waterclock.schemas.registry.RegistryClient;
import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.schemas.registry.SchemaRegistry;
import io.waterclock.testkit.EmbeddedKafka;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.avro.Schema;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a registry and with Confluent's own serializers. */
final class RegistryOnBrokerTest {
  private static final Duration LONG = Duration.ofMinutes(4);
  private static final Map<String, String> BROKER = Map.of("group.min.session.timeout.ms", "500");
  private static final HexFormat HEX = HexFormat.of();
  private static final Pattern HELD =
      Pattern.compile("waterclock_held_records\\{partition=\"\\d+\"} 1\\.0");

  @TempDir Path dir;

  @Test
  void what_confluents_serializer_writes_is_fired_and_its_deserializer_reads_the_fire()
      throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, BROKER);
        RegistryProcess registry = RegistryProcess.start(dir)) {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "peers", dir);
      String topic = tenant.topics().schedules();
      Schedule schedule = schedule("{\"every\":\"1s\",\"labels\":{\"team\":\"ops\"}}");
      byte[] theirs = peerWrites(registry, topic, RecordCodecs.schedule().schema(), schedule);
      try (SchemaRegistry ours = new SchemaRegistry(settings(registry))) {
        Registration registration = ours.register(Map.of(topic, RecordCodecs.schedule().schema()));
        registration.done().get(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(RecordCodecs.schedule().encode(schedule, registration.encoding()))
            .isEqualTo(theirs);
      }

      try (Waterclock scheduler = start(tenant, registry, "avro-registry");
          Producing schedules = tenant.schedules();
          TopicReader<byte[]> fires =
              new TopicReader<>(
                  tenant.bootstrapServers(), tenant.topics().fires(), bytes -> bytes)) {
        await().atMost(LONG).until(scheduler::isReady);
        schedules.send(Optional.of(bytes("a")), Optional.of(theirs), Map.of());
        byte[] fire = await().atMost(LONG).until(fires::values, all -> !all.isEmpty()).get(0);

        assertThat(fire).startsWith(0);
        assertThat(peer("read", registry.url(), tenant.topics().fires(), HEX.formatHex(fire)))
            .contains("\"schedule_id\": \"a\"")
            .contains("\"labels\": {\"team\": \"ops\"}");
        assertThat(
                RecordCodecs.fire()
                    .decode(fire, new RegistryClient(settings(registry)))
                    .getSchedule()
                    .getLabels())
            .isEqualTo(schedule.getLabels());
      }
    }
  }

  @Test
  @Tag("all")
  void a_registry_that_is_away_loses_nothing_and_stops_no_other_schedule() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, BROKER);
        RegistryProcess registry = RegistryProcess.start(dir)) {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "away", dir);
      byte[] record = writtenWithAnotherSchema(registry, tenant);
      SchemaSource schemas = new RegistryClient(settings(registry)).kept(Duration.ofSeconds(1));
      try (Waterclock scheduler = start(tenant, registry, "avro-registry");
          Producing schedules = tenant.schedules();
          TopicReader<Fire> fires = fires(tenant, schemas)) {
        await().atMost(LONG).until(scheduler::isReady);
        schedules.put("other", "{\"every\":\"1s\"}");
        schedules.put("mine", "{\"every\":\"1s\",\"description\":\"old\"}");
        awaitMore(fires, "other", "");
        awaitMore(fires, "mine", "old");

        registry.kill();
        schedules.send(Optional.of(bytes("mine")), Optional.of(record), Map.of());
        await()
            .atMost(LONG)
            .until(() -> scheduler.metrics().scrape(), text -> HELD.matcher(text).find());
        awaitMore(fires, "other", "");
        awaitMore(fires, "mine", "old");
      }
      try (Waterclock scheduler = start(tenant, registry, "json");
          TopicReader<Fire> fires = fires(tenant, schemas)) {
        await().atMost(LONG).until(scheduler::isReady);
        fires.toEnd();
        awaitMore(fires, "other", "");
        awaitMore(fires, "mine", "old");
        assertThat(count(fires, "mine", "new")).isZero();

        registry.restart();
        awaitMore(fires, "mine", "new");
      }
    }
  }

  @Test
  @Tag("all")
  void a_scheduler_that_writes_with_the_registry_begins_once_that_answers() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, BROKER);
        RegistryProcess registry = RegistryProcess.start(dir)) {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "later", dir);
      registry.kill();
      try (Waterclock scheduler = start(tenant, registry, "avro-registry")) {
        await()
            .atMost(LONG)
            .until(
                () -> scheduler.health().ready().problems(),
                problems ->
                    problems.stream().anyMatch(text -> text.contains("registry does not answer")));
        assertThat(scheduler.health().live().isOk()).isTrue();

        registry.restart();
        await().atMost(LONG).until(scheduler::isReady);
        awaitWatermark(tenant);
      }

      registry.kill();
      makeSchedulesAnew(tenant);
      try (Waterclock scheduler = start(tenant, registry, "avro-registry")) {
        registry.restart();
        assertThat(assertTimeoutPreemptively(LONG, scheduler::await))
            .get(THROWABLE)
            .isInstanceOf(TopicException.class)
            .hasMessageContaining("it was made anew")
            .hasMessageContaining("waterclock reset");
      }
    }
  }

  /** As a producer with an older or a newer version of the schema would write it. */
  private byte[] writtenWithAnotherSchema(RegistryProcess registry, Tenant tenant)
      throws IOException, InterruptedException {
    Schema ours = RecordCodecs.schedule().schema();
    Schema another = new Schema.Parser().parse(ours.toString());
    another.addProp("note", "theirs");
    Schedule schedule = schedule("{\"every\":\"1s\",\"description\":\"new\"}");
    return peerWrites(registry, tenant.topics().schedules(), another, schedule);
  }

  private byte[] peerWrites(
      RegistryProcess registry, String topic, Schema schema, Schedule schedule)
      throws IOException, InterruptedException {
    Path file = Files.writeString(dir.resolve("schedule.avsc"), schema.toString());
    String body = HEX.formatHex(RecordCodecs.schedule().encodeBody(schedule));
    return HEX.parseHex(peer("write", registry.url(), topic, file.toString(), body));
  }

  /** Runs the peer in a JVM of its own; returns the last line that it prints. */
  private String peer(String... args) throws IOException, InterruptedException {
    Path peers = Path.of(System.getProperty("waterclock.peers", "none"));
    Path source = Path.of("src/test/resources/confluent/ConfluentPeer.java").toAbsolutePath();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp"));
    command.add(peers.resolve("confluent.jar").toString());
    command.add(source.toString());
    command.addAll(List.of(args));
    Path errors = dir.resolve("peer.err");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    List<String> lines;
    try (var out = process.inputReader()) {
      lines = out.lines().toList();
    }
    assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
    return lines.get(lines.size() - 1);
  }

  private static Waterclock start(Tenant tenant, RegistryProcess registry, String format) {
    return Waterclock.start(
        tenant.config(
            Map.of("partitions", "3", "format", format, "schema.registry.url", registry.url())));
  }

  private static RegistrySettings settings(RegistryProcess registry) {
    return RegistrySettings.parse(Map.of("schema.registry.url", registry.url()), new ArrayList<>())
        .orElseThrow();
  }

  private static TopicReader<Fire> fires(Tenant tenant, SchemaSource schemas) {
    return new TopicReader<>(
        tenant.bootstrapServers(),
        tenant.topics().fires(),
        bytes -> RecordCodecs.fire().decode(bytes, schemas));
  }

  private static void awaitWatermark(Tenant tenant) {
    try (TopicReader<byte[]> watermarks =
        new TopicReader<>(
            tenant.bootstrapServers(), tenant.topics().watermarks(), bytes -> bytes)) {
      await().atMost(LONG).until(watermarks::values, all -> !all.isEmpty());
    }
  }

  private static void makeSchedulesAnew(Tenant tenant) throws Exception {
    String topic = tenant.topics().schedules();
    try (Admin admin = tenant.admin()) {
      admin.deleteTopics(List.of(topic)).all().get(LONG.toSeconds(), TimeUnit.SECONDS);
      await().atMost(LONG).until(() -> !admin.listTopics().names().get().contains(topic));
      admin
          .createTopics(
              List.of(
                  new NewTopic(topic, 3, (short) 1)
                      .configs(
                          Map.of(
                              "cleanup.policy", "compact",
                              "compression.type", "uncompressed",
                              "min.compaction.lag.ms", "604800000",
                              "delete.retention.ms", "604800000"))))
          .all()
          .get(LONG.toSeconds(), TimeUnit.SECONDS);
      await().atMost(LONG).until(() -> admin.listTopics().names().get().contains(topic));
    }
  }

  private static void awaitMore(TopicReader<Fire> fires, String id, String description) {
    long before = count(fires, id, description);
    await().atMost(LONG).until(() -> count(fires, id, description) > before + 1);
  }

  private static long count(TopicReader<Fire> fires, String id, String description) {
    return fires.values().stream()
        .filter(fire -> fire.getScheduleId().equals(id))
        .filter(
            fire ->
                Optional.ofNullable(fire.getSchedule().getDescription())
                    .orElse("")
                    .equals(description))
        .count();
  }

  private static Schedule schedule(String json) {
    return ScheduleJson.read(bytes(json), ZoneOffset.UTC).schedule();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

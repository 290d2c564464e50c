package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.brokers.TopicSetup;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.testkit.EmbeddedKafka;
import io.waterclock.topology.scheduler.store.StateCopy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A new version takes over what an old one has stored, in the midst of a replay: the changelogs
 * begin with the bytes that the old one wrote, as the history of state layouts keeps them.
 */
@Timeout(600)
final class RollingUpgradeTest {
  private static final Path OLD_STATE =
      Path.of("../../topology/src/test/resources/io/waterclock/topology/scheduler/store/v1.tsv");
  private static final Instant MARCH = Instant.parse("2026-03-01T00:00:00Z");
  private static final String RUNNING = "history/running";

  /** The occurrence whose fire runs. */
  private static final Instant RUN = MARCH.plusSeconds(180);

  private static final Instant FIRST = Instant.parse("2026-03-03T00:01:00Z");
  private static final Instant LAST = Instant.parse("2026-03-04T23:59:00Z");
  private static final Duration BOUND = Duration.ofMinutes(4);

  @TempDir Path dir;

  @Test
  @Tag("all")
  void a_replay_and_a_pause_go_on_from_one_version_and_instance_to_the_next() throws Exception {
    try (EmbeddedKafka kafka =
        EmbeddedKafka.start(
            dir.resolve("kafka"),
            0,
            Map.of(
                "group.min.session.timeout.ms", "500",
                "transaction.abort.timed.out.transaction.cleanup.interval.ms", "200"))) {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "rolling", dir);
      Map<String, String> settings = Map.of("partitions", "1");
      // slow enough to be met half-way
      Map<String, String> slow =
          Map.of(
              "partitions", "1",
              "tick.interval", "100ms",
              "tick.budget.decisions", "5",
              "catch.up.chunk", "1");
      leaveOldState(tenant, settings);
      try (SchedulerProcess old = SchedulerProcess.start(tenant.settings("old", slow));
          TopicReader<Fire> fires = tenant.fires()) {
        await().atMost(BOUND).until(() -> replayed(fires).count() > 100);
        try (SchedulerProcess young = SchedulerProcess.start(tenant.settings("young", settings))) {
          // while its process ends, the other one is at work already
          assertThat(replayed(fires)).as("met half-way").doesNotContain(LAST);
          assertThat(old.terminate()).isZero();
          await().atMost(BOUND).until(() -> replayed(fires).anyMatch(LAST::equals));
          assertRun(tenant, fires);
          resume(tenant);
          assertThat(young.terminate()).isZero();
        }
        List<Fire> all = TopicReader.values(fires.toEnd());
        assertThat(replayed(fires))
            .containsExactlyElementsOf(
                Stream.iterate(FIRST, at -> !at.isAfter(LAST), at -> at.plusSeconds(60)).toList());
        assertThat(all).noneMatch(fire -> fire.getScheduleId().equals("history/completed"));
        assertThat(
                all.stream()
                    .filter(fire -> fire.getScheduleId().equals("history/replaying"))
                    .map(Fire::getFireId))
            .doesNotHaveDuplicates();
        assertHeldFire(all);
      }
    }
  }

  /** What a resume has ordered fires first of all, for what it stands for, and once. */
  private static void assertHeldFire(List<Fire> all) {
    List<Fire> fires =
        all.stream().filter(fire -> fire.getScheduleId().equals("history/held")).toList();
    assertThat(fires).extracting(Fire::getOccurrence).doesNotHaveDuplicates();
    assertThat(fires.get(0).getOccurrence()).isEqualTo(MARCH.plusSeconds(120));
    assertThat(fires.get(0).getCause()).isEqualTo(Cause.CATCH_UP);
    assertThat(fires.get(0).getCollapsed()).isEqualTo(new Collapsed(2L, false, MARCH));
  }

  /**
   * The run that went on in the old state has held back the occurrence after it until its time-out.
   * That one fires first, and what came due besides is missed.
   */
  private static void assertRun(Tenant tenant, TopicReader<Fire> fires) {
    try (TopicReader<Missed> missed = tenant.missed()) {
      await()
          .atMost(BOUND)
          .untilAsserted(
              () -> {
                assertThat(fired(fires, RUNNING)).startsWith(RUN.plusSeconds(60));
                assertThat(missed.values())
                    .filteredOn(range -> range.getScheduleId().equals(RUNNING))
                    .first()
                    .satisfies(
                        range -> {
                          assertThat(range.getReason()).isEqualTo(MissedReason.OVERLAP);
                          assertThat(range.getFirst()).isEqualTo(RUN.plusSeconds(120));
                        });
              });
    }
  }

  /** What the pause held is missed, and nothing of it has fired. */
  private static void resume(Tenant tenant) {
    try (Producing commands = tenant.commands();
        TopicReader<Missed> missed = tenant.missed()) {
      commands.put("history/paused", "{\"command_id\":\"r-1\",\"resume\":{}}");
      await()
          .atMost(BOUND)
          .until(
              () ->
                  missed.values().stream()
                      .anyMatch(
                          range ->
                              range.getScheduleId().equals("history/paused")
                                  && range.getReason() == MissedReason.PAUSED
                                  && range
                                      .getFirst()
                                      .equals(Instant.parse("2026-03-01T00:02:00Z"))));
    }
  }

  private static Stream<Instant> replayed(TopicReader<Fire> fires) {
    return fired(fires, "history/replaying").stream();
  }

  private static List<Instant> fired(TopicReader<Fire> fires, String schedule) {
    return fires.values().stream()
        .filter(fire -> fire.getScheduleId().equals(schedule))
        .map(Fire::getOccurrence)
        .toList();
  }

  private static void leaveOldState(Tenant tenant, Map<String, String> settings) throws Exception {
    try (Admin admin = tenant.admin();
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", tenant.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      new TopicSetup(admin, tenant.client(), tenant.config(settings)).run();
      List<String> changelogs = StateCopy.changelogs(tenant.applicationId());
      admin
          .createTopics(
              changelogs.stream()
                  .map(
                      name ->
                          new NewTopic(name, 1, (short) 1)
                              .configs(Map.of("cleanup.policy", "compact")))
                  .toList())
          .all()
          .get();
      StateCopy copy = new StateCopy();
      for (ProducerRecord<byte[], byte[]> row : rows(tenant.applicationId())) {
        producer.send(row).get();
        if (row.topic().equals(StateCopy.definitions(tenant.applicationId()))) {
          copy.takeDefinition(row.key(), row.value());
        }
      }
      List<ProducerRecord<byte[], byte[]>> definitions = new ArrayList<>();
      copy.forEach(
          state ->
              definitions.add(
                  new ProducerRecord<>(
                      tenant.topics().schedules(),
                      state.id().utf8(),
                      RecordCodecs.schedule()
                          .encode(state.current().schedule(), WireFormat.AVRO))));
      for (ProducerRecord<byte[], byte[]> definition : definitions) {
        producer.send(definition).get();
      }
    }
  }

  private static List<ProducerRecord<byte[], byte[]>> rows(String applicationId)
      throws IOException {
    HexFormat hex = HexFormat.of();
    return Files.readAllLines(OLD_STATE).stream()
        .map(row -> row.split("\t"))
        .map(
            cells ->
                new ProducerRecord<>(
                    applicationId + "-" + cells[0] + "-changelog",
                    0,
                    hex.parseHex(cells[1]),
                    hex.parseHex(cells[2])))
        .toList();
  }
}

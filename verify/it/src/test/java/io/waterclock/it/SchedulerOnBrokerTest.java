package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SchedulerOnBrokerTest {
  @TempDir Path dir;

  @Test
  void a_schedule_that_a_plain_producer_wrote_fires_on_time_and_once() {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
        Waterclock scheduler = Waterclock.start(config(kafka, "state", Map.of("partitions", "3")));
        Producing schedules = new Producing(kafka.bootstrapServers(), "waterclock.schedules")) {
      await().atMost(Duration.ofMinutes(4)).until(scheduler::isReady);
      schedules.put("a", "{\"every\":\"1s\"}");
      schedules.put("b", "{\"in\":\"PT2S\",\"payload\":{\"hello\":1}}");

      try (TopicReader<Fire> reader =
          new Tenant(kafka.bootstrapServers(), "waterclock", dir).fires()) {
        await()
            .atMost(Duration.ofMinutes(4))
            .until(
                () ->
                    reader.values().stream().filter(f -> f.getScheduleId().equals("a")).count()
                        > 4);
        List<Fire> fires = reader.values();
        assertThat(fires).allMatch(fire -> !fire.getFiredAt().isBefore(fire.getDue()));
        assertThat(fires).extracting(Fire::getFireId).doesNotHaveDuplicates();
        assertThat(fires).filteredOn(f -> f.getScheduleId().equals("b")).hasSize(1);
      }
    }
  }

  @Test
  void an_idle_scheduler_commits_nothing() throws Exception {
    Map<String, String> settings = Map.of("partitions", "1", "watermark.interval", "1h");
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
        Waterclock scheduler = Waterclock.start(config(kafka, "state", settings));
        Producing schedules = new Producing(kafka.bootstrapServers(), "waterclock.schedules")) {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "waterclock", dir);
      schedules.put("a", "{\"every\":\"1h\"}");
      awaitRevisions(tenant, "a", 1);
      await().atMost(Duration.ofMinutes(4)).until(scheduler::isReady);
      try (Admin admin = tenant.admin()) {
        AtomicLong latest = new AtomicLong();
        await()
            .during(Duration.ofSeconds(4)) // ticks, and several commit intervals
            .atMost(Duration.ofMinutes(4))
            .until(
                () -> {
                  long commits = commits(admin);
                  return latest.getAndSet(commits) == commits;
                });
      }
    }
  }

  private static long commits(Admin admin) throws Exception {
    TopicPartition offsets = new TopicPartition("__consumer_offsets", 0);
    return admin
        .listOffsets(Map.of(offsets, OffsetSpec.latest()))
        .all()
        .get()
        .get(offsets)
        .offset();
  }

  @Test
  @Tag("all")
  void a_partition_that_is_read_again_as_its_offsets_were_lost_changes_nothing() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
        Producing schedules = new Producing(kafka.bootstrapServers(), "waterclock.schedules")) {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "waterclock", dir);
      try (Waterclock scheduler =
          Waterclock.start(config(kafka, "state", Map.of("partitions", "1")))) {
        schedules.put("a", "{\"every\":\"1h\"}");
        schedules.put("a", "{\"every\":\"2h\"}");
        schedules.put("gone", "{\"every\":\"1h\"}");
        schedules.delete("gone");
        awaitRevisions(tenant, "gone", 2);
        await().atMost(Duration.ofMinutes(4)).until(scheduler::isReady);
      }
      try (Admin admin = tenant.admin()) {
        admin.deleteConsumerGroups(List.of(tenant.applicationId())).all().get();
      }
      try (Waterclock scheduler =
          Waterclock.start(config(kafka, "state", Map.of("partitions", "1")))) {
        schedules.put("later", "{\"every\":\"1h\"}");
        List<Revision> revisions = awaitRevisions(tenant, "later", 1);
        assertThat(revisions).filteredOn(r -> r.getScheduleId().equals("a")).hasSize(3);
        await().atMost(Duration.ofMinutes(4)).until(scheduler::isReady);
      }
    }
  }

  private static List<Revision> awaitRevisions(Tenant tenant, String id, int count) {
    try (TopicReader<Revision> revisions = tenant.revisions()) {
      await()
          .atMost(Duration.ofMinutes(4))
          .until(
              () ->
                  revisions.values().stream().filter(r -> r.getScheduleId().equals(id)).count()
                      >= count);
      return revisions.values();
    }
  }

  private WaterclockConfig config(EmbeddedKafka kafka, String state, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("state.dir", dir.resolve(state).toString());
    settings.put("health.port", "0");
    return WaterclockConfig.parse(settings);
  }
}

package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.brokers.DeathNotes;
import io.waterclock.runtime.brokers.NotedDeaths;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Fire;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A record that kills its task is set aside after three deaths, and the scheduler goes on. */
@Timeout(900)
final class DeadlyRecordsTest {
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final String GOOD = "{\"every\":\"1s\"}";

  @TempDir static Path dir;
  @RegisterExtension static final TestBroker kafka = new TestBroker(TestBroker.SHORT_SESSIONS);

  @Test
  @Tag("all")
  void a_record_that_ends_threads_is_set_aside_and_the_instance_lives_on() {
    setAside(DeadlyZones.THROWS);
  }

  @Test
  @Tag("all")
  void a_record_that_overflows_the_stack_is_set_aside_and_the_instance_lives_on() {
    setAside(DeadlyZones.OVERFLOWS);
  }

  private static void setAside(String zone) {
    Tenant tenant = tenant("ends-" + zone.substring(zone.indexOf('/') + 1));
    try (SchedulerProcess scheduler = start(tenant, "one");
        Producing schedules = tenant.schedules()) {
      scheduler.awaitReady();
      schedules.put("good", GOOD);
      for (String id : List.of("deadly-1", "deadly-2")) {
        schedules.put(id, deadly(zone));
        assertDead(tenant, id, deadly(zone), "has ended a stream thread or a process 3 times");
      }
      awaitFire(tenant, "good");
      assertThat(scheduler.live().isOk()).isTrue();
      assertThat(scheduler.log())
          .filteredOn(line -> line.contains("Set aside " + tenant.topics().schedules() + "-0@1"))
          .hasSize(1);
      assertThat(scheduler.metrics()).contains("waterclock_set_aside_total 2.0");
    }
  }

  @Test
  @Tag("all")
  void a_record_that_ends_processes_is_set_aside_though_each_time_another_one_took_over() {
    Tenant tenant = tenant("halts");
    List<SchedulerProcess> started = new ArrayList<>();
    try (Producing schedules = tenant.schedules()) {
      SchedulerProcess one = start(tenant, "one").awaitReady();
      started.add(one);
      schedules.put("good", GOOD);
      schedules.put("deadly", deadly(DeadlyZones.HALTS));
      assertThat(one.awaitEnd()).isTrue();
      SchedulerProcess two = start(tenant, "two");
      started.add(two);
      assertThat(two.awaitEnd()).isTrue();
      SchedulerProcess again = start(tenant, "one");
      started.add(again);
      assertThat(again.awaitEnd()).isTrue();
      // each reports its own death when it is back
      started.add(start(tenant, "two"));
      await()
          .atMost(BOUND)
          .until(
              () -> {
                if (!started.get(started.size() - 1).isAlive()) {
                  started.add(start(tenant, started.size() % 2 == 0 ? "one" : "two"));
                }
                return isDead(tenant, "deadly");
              });
      assertDead(tenant, "deadly", deadly(DeadlyZones.HALTS), "the process ended meanwhile");
      awaitFire(tenant, "good");
      assertThat(started).hasSizeLessThanOrEqualTo(5);
    } finally {
      started.forEach(SchedulerProcess::close);
    }
  }

  @Test
  @Tag("all")
  void a_record_that_waits_in_the_state_can_be_set_aside_by_hand() throws Exception {
    Tenant tenant = tenant("waits");
    byte[] registered = {0, 0, 0, 0, 1, 2, 2};
    Map<String, String> away =
        Map.of("partitions", "1", "schema.registry.url", "http://127.0.0.1:1");
    try (SchedulerProcess scheduler =
            SchedulerProcess.start(tenant.settings("one", away)).awaitReady();
        Producing schedules = tenant.schedules();
        Admin admin = tenant.admin()) {
      schedules.send(Optional.of(utf8("waits")), Optional.of(registered), Map.of());
      schedules.put("good", GOOD);
      awaitFire(tenant, "good");
      assertThat(isDead(tenant, "waits")).isFalse();
      admin
          .alterConsumerGroupOffsets(
              DeathNotes.group(tenant.applicationId()),
              Map.of(
                  new TopicPartition(tenant.topics().schedules(), 0),
                  new OffsetAndMetadata(0, NotedDeaths.none().byHand(0).text())))
          .all()
          .get();
      await().atMost(BOUND).until(() -> isDead(tenant, "waits"));
      awaitFire(tenant, "good");
      assertThat(scheduler.live().isOk()).isTrue();
    }
  }

  private static void assertDead(Tenant tenant, String id, String value, String why) {
    await().atMost(BOUND).until(() -> isDead(tenant, id));
    try (TopicReader<byte[]> deadLetters = tenant.deadLetters()) {
      assertThat(deadLetters.toEnd())
          .filteredOn(entry -> entry.key().equals(Optional.of(id)))
          .singleElement()
          .satisfies(
              entry -> {
                assertThat(entry.value().orElseThrow()).isEqualTo(utf8(value));
                assertThat(entry.headers())
                    .hasEntrySatisfying(
                        HeaderNames.ERROR, error -> assertThat(error).contains(why));
              });
    }
  }

  private static boolean isDead(Tenant tenant, String id) {
    try (TopicReader<byte[]> deadLetters = tenant.deadLetters()) {
      return deadLetters.toEnd().stream().anyMatch(entry -> entry.key().equals(Optional.of(id)));
    }
  }

  private static void awaitFire(Tenant tenant, String id) {
    Instant now = Instant.now();
    try (TopicReader<Fire> fires = tenant.fires()) {
      await()
          .atMost(BOUND)
          .until(
              () ->
                  fires.values().stream()
                      .anyMatch(
                          fire ->
                              fire.getScheduleId().equals(id) && fire.getFiredAt().isAfter(now)));
    }
  }

  private static SchedulerProcess start(Tenant tenant, String instance) {
    return SchedulerProcess.start(tenant.settings(instance, Map.of("partitions", "1")));
  }

  private static Tenant tenant(String prefix) {
    return new Tenant(kafka.bootstrapServers(), prefix, dir);
  }

  private static String deadly(String zone) {
    return "{\"cron\":\"0 9 * * *\",\"timezone\":\"" + zone + "\"}";
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

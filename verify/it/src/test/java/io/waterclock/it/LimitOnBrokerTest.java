package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Fires that share a limit, through a broker and through kills. */
@Timeout(600)
final class LimitOnBrokerTest {
  private static final Duration BOUND = Duration.ofMinutes(4);
  private static final int MOST = 3;
  private static final int SCHEDULES = 30;
  private static final int MANY = 3_000;

  @TempDir static Path dir;

  @RegisterExtension
  static final TestBroker kafka =
      new TestBroker(
          Map.of(
              "group.min.session.timeout.ms", "500",
              "transaction.abort.timed.out.transaction.cleanup.interval.ms", "200"));

  /** A worker that reports the end of a fire some polls after it has read it. */
  @Test
  @Tag("all")
  void each_fire_starts_once_and_never_more_at_a_time_though_instances_are_killed()
      throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "limits", dir);
    Map<String, String> settings =
        tenant.settings("one", Map.of("partitions", "2", "limits", "true"));
    tenant.createTopics(settings);
    SchedulerProcess scheduler = SchedulerProcess.start(settings).awaitReady();
    try (Producing schedules = tenant.schedules();
        Producing limits = new Producing(tenant.bootstrapServers(), tenant.topics().limits());
        Producing outcomes = tenant.outcomes();
        TopicReader<Fire> fires = tenant.fires()) {
      limits.put("etl", "{\"max_running\":" + MOST + ",\"timeout\":\"1h\"}");
      Instant due = Instant.now().plusSeconds(2);
      for (int i = 0; i < SCHEDULES; i++) {
        schedules.put("job/" + i, "{\"at\":\"" + due + "\",\"limit\":\"etl\"}");
      }
      schedules.put("free", "{\"at\":\"" + due + "\"}");
      List<String> running = new ArrayList<>();
      Set<String> seen = new HashSet<>();
      int kills = 0;
      long end = System.nanoTime() + BOUND.toNanos();
      while (seen.size() < SCHEDULES + 1 && System.nanoTime() < end) {
        int before = seen.size();
        for (TopicReader.Entry<Fire> fire : fires.poll()) {
          String key = fire.key().orElseThrow();
          if (seen.add(key) && key.startsWith("job/")) {
            running.add(key);
            assertThat(fire.headers()).doesNotContainKey("waterclock-limit");
          }
        }
        assertThat(running).hasSizeLessThanOrEqualTo(MOST);
        if (seen.size() == before && running.size() == MOST) {
          String done = running.remove(0);
          outcomes.put(
              done.substring(0, done.indexOf('|')),
              "{\"fire_key\":\"" + done + "\",\"state\":\"SUCCEEDED\"}");
        }
        if (seen.size() > 10 * (kills + 1) && kills < 2) {
          scheduler.kill();
          kills++;
          scheduler = SchedulerProcess.start(settings).awaitReady();
        }
        if (seen.size() > SCHEDULES + 1 - MOST) {
          for (String rest : running) {
            outcomes.put(
                rest.substring(0, rest.indexOf('|')),
                "{\"fire_key\":\"" + rest + "\",\"state\":\"SUCCEEDED\"}");
          }
          running.clear();
        }
      }
      assertThat(kills).isEqualTo(2);
      assertThat(seen).hasSize(SCHEDULES + 1);
      assertThat(fires.toEnd()).hasSize(SCHEDULES + 1);
    } finally {
      scheduler.close();
    }
  }

  @Test
  void what_waits_is_withdrawn_by_a_delete_and_starts_when_the_limit_ends() throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "withdrawn", dir);
    Map<String, String> settings =
        tenant.settings("one", Map.of("partitions", "1", "limits", "true"));
    tenant.createTopics(settings);
    try (SchedulerProcess scheduler = SchedulerProcess.start(settings).awaitReady();
        Producing schedules = tenant.schedules();
        Producing limits = new Producing(tenant.bootstrapServers(), tenant.topics().limits());
        TopicReader<Fire> fires = tenant.fires();
        TopicReader<Missed> missed = tenant.missed()) {
      limits.put("partner", "{\"paused\":{\"note\":\"their release\",\"author\":\"ann\"}}");
      schedules.put("a", "{\"in\":\"0s\",\"limit\":\"partner\"}");
      schedules.put("b", "{\"in\":\"0s\",\"limit\":\"partner\"}");
      await()
          .atMost(BOUND)
          .until(
              () ->
                  scheduler.metrics().contains("\nwaterclock_limit_waiting 2.0")
                      || scheduler.metrics().contains("\nwaterclock_limit_waiting 2"));
      schedules.delete("a");
      await().atMost(BOUND).until(() -> !missed.values().isEmpty());
      assertThat(missed.values())
          .singleElement()
          .satisfies(
              range -> {
                assertThat(range.getScheduleId()).isEqualTo("a");
                assertThat(range.getReason()).isEqualTo(MissedReason.DELETED);
              });
      assertThat(fires.toEnd()).isEmpty();
      limits.delete("partner");
      await().atMost(BOUND).until(() -> !fires.values().isEmpty());
      assertThat(TopicReader.values(fires.toEnd()))
          .extracting(Fire::getScheduleId)
          .containsExactly("b");
    }
  }

  /**
   * So many that the scheduler acts on them in several ticks, while their offsets are committed.
   */
  @Test
  void what_was_deleted_while_all_was_down_does_not_start_when_its_limit_has_ended()
      throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "down", dir);
    Map<String, String> settings =
        tenant.settings("one", Map.of("partitions", "1", "limits", "true"));
    tenant.createTopics(settings);
    try (Producing schedules = tenant.schedules();
        Producing limits = new Producing(tenant.bootstrapServers(), tenant.topics().limits());
        TopicReader<Fire> fires = tenant.fires();
        TopicReader<Missed> missed = tenant.missed()) {
      limits.put("etl", "{\"paused\":{}}");
      try (SchedulerProcess scheduler = SchedulerProcess.start(settings).awaitReady()) {
        for (int i = 0; i < MANY; i++) {
          schedules.put("job/" + i, "{\"in\":\"0s\",\"limit\":\"etl\"}");
        }
        await()
            .atMost(BOUND)
            .until(() -> scheduler.metrics().contains("\nwaterclock_limit_waiting " + MANY));
      }
      for (int i = 0; i < MANY; i++) {
        schedules.delete("job/" + i);
      }
      limits.delete("etl");
      SchedulerProcess again = SchedulerProcess.start(settings).awaitReady();
      try {
        await().atMost(BOUND).until(() -> missed.values().size() + fires.values().size() >= MANY);
        assertThat(fires.toEnd()).isEmpty();
        assertThat(missed.values())
            .extracting(Missed::getReason)
            .containsOnly(MissedReason.DELETED);
      } finally {
        again.close();
      }
    }
  }
}

package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A task takes what it knew of calendars along, though the topic forgets it. */
@Timeout(600)
final class CalendarOnBrokerTest {
  private static final Map<String, String> ONE = Map.of("partitions", "1");

  @TempDir Path dir;

  @Test
  @Tag("all")
  void a_change_while_no_instance_runs_counts_from_when_it_was_made_on_another_machine_too()
      throws Exception {
    try (EmbeddedKafka kafka =
        EmbeddedKafka.start(
            dir.resolve("kafka"), 0, Map.of("group.min.session.timeout.ms", "500"))) {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "cal", dir);
      Instant closedUntil = excludeToday(tenant);
      Instant changed = changeWhileDown(tenant);
      try (Waterclock other = Waterclock.start(config(tenant, "other"));
          TopicReader<Fire> fires = tenant.fires();
          TopicReader<Missed> missed = tenant.missed()) {
        await().atMost(Duration.ofMinutes(4)).until(() -> fires.values().size() > 3);
        assertThat(other.isReady()).isTrue();
        TreeSet<Instant> fired = new TreeSet<>();
        fires.values().forEach(fire -> fired.add(fire.getOccurrence()));
        List<Missed> ranges = TopicReader.values(missed.toEnd());
        assertThat(ranges).allMatch(range -> range.getReason() == MissedReason.SKIPPED);
        Instant lastSkipped = ranges.get(ranges.size() - 1).getLast();
        assertThat(lastSkipped).isAfter(closedUntil).isBeforeOrEqualTo(changed);
        assertThat(fired.first()).isAfter(changed).isEqualTo(lastSkipped.plusSeconds(1));
      }
    }
  }

  /** Returns the last occurrence that was skipped while an instance ran. */
  private Instant excludeToday(Tenant tenant) {
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    try (Waterclock one = Waterclock.start(config(tenant, "one"));
        Producing calendars =
            new Producing(tenant.bootstrapServers(), tenant.topics().calendars());
        Producing schedules = tenant.schedules();
        TopicReader<Missed> missed = tenant.missed()) {
      await().atMost(Duration.ofMinutes(4)).until(one::isReady);
      calendars.put(
          "closed", "{\"dates\":[\"" + today.minusDays(1) + "/" + today.plusDays(1) + "\"]}");
      await()
          .atMost(Duration.ofMinutes(4))
          .until(
              () -> {
                schedules.put(
                    "a",
                    "{\"every\":\"1s\",\"anchor\":\"2026-01-01T00:00:00Z\",\"catch_up\":\"replay\",\"except\":[\"closed\"]}");
                return missed.values().size() > 1;
              });
      List<Missed> ranges = missed.values();
      return ranges.get(ranges.size() - 1).getLast();
    }
  }

  /** Returns when the change was made; what the calendar said before is gone from the topic. */
  private static Instant changeWhileDown(Tenant tenant) throws Exception {
    try (SchedulesTopic topic = new SchedulesTopic(tenant, tenant.topics().calendars());
        Producing calendars =
            new Producing(tenant.bootstrapServers(), tenant.topics().calendars())) {
      Instant soon = Instant.now().plusSeconds(3);
      await().atMost(Duration.ofMinutes(4)).until(() -> Instant.now().isAfter(soon));
      topic.truncate();
      Instant written = calendars.putAt("closed", "{}");
      assertThat(topic.count("closed")).isEqualTo(1);
      return written;
    }
  }

  private static WaterclockConfig config(Tenant tenant, String instance) {
    return WaterclockConfig.parse(tenant.settings(instance, ONE));
  }
}

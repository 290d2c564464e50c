package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.tzdb.ZoneData;
import io.waterclock.occurrences.tzdb.ZoneDataPin;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two instances roll over from one version of the time-zone data to another while they fire: one
 * has the value with the rollover from the beginning, the other runs with the old value, is killed
 * just before the rollover, and comes back with the new value.
 */
@Timeout(600)
@EnabledIfSystemProperty(named = "waterclock.rollover", matches = "true")
final class ZoneRolloverOnBrokerTest {
  /** At UTC+3 in the old data, and at UTC+2 since 2021. */
  private static final String ZONE = "Africa/Juba";

  private static final int SCHEDULES = 20;
  private static final Duration BOUND = Duration.ofMinutes(4);

  @TempDir Path dir;

  @Test
  void every_occurrence_of_the_rolled_over_data_fires_once() throws Exception {
    String old =
        Path.of(
                org.threeten.bp.ZoneId.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI())
            .toString();
    try (EmbeddedKafka kafka =
        EmbeddedKafka.start(
            dir.resolve("kafka"), 0, Map.of("group.min.session.timeout.ms", "500"))) {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "rollover", dir);
      Map<String, String> one = tenant.settings("one", Map.of("partitions", "2"));
      Map<String, String> two = tenant.settings("two", Map.of("partitions", "2"));
      try (SchedulerProcess first = SchedulerProcess.start(one, pinned(old)).awaitReady()) {
        Instant rollover = Instant.now().plusSeconds(40).truncatedTo(ChronoUnit.SECONDS);
        // a change of the hour would be in the way
        assumeThat(rollover.atOffset(ZoneOffset.UTC).getMinute()).isBetween(2, 57);
        String pin = old + "," + System.getProperty("java.home") + "@" + rollover;
        ZoneData data = ZoneDataPin.read(pin);
        int hour = rollover.minusSeconds(1).atZone(data.zone(ZONE)).getHour();
        define(tenant, hour);
        try (SchedulerProcess second = SchedulerProcess.start(two, pinned(pin)).awaitReady()) {
          await()
              .pollInterval(Duration.ofMillis(50))
              .atMost(BOUND)
              .until(() -> Instant.now().isAfter(rollover.minusSeconds(2)));
          first.kill();
          assumeThat(Instant.now()).isBefore(rollover);
          try (SchedulerProcess again = SchedulerProcess.start(one, pinned(pin)).awaitReady()) {
            await()
                .atMost(BOUND)
                .until(() -> decidedThrough(tenant).isAfter(rollover.plusSeconds(10)));
            assertThat(again.terminate()).isZero();
          }
          assertThat(second.terminate()).isZero();
        }
        assertFired(tenant, data, hour, rollover);
      }
    }
  }

  private static List<String> pinned(String pin) {
    return List.of(
        "-Djava.time.zone.DefaultZoneRulesProvider=io.waterclock.occurrences.tzdb.PinnedZones",
        "-Dwaterclock.tzdb=" + pin);
  }

  /** The local hour before the rollover and the one after it, which the clock goes back to. */
  private static String cron(int schedule, int hour) {
    return schedule % 2 == 0 ? "*/2 * " + hour + " * * *" : "*/2 * " + (hour + 23) % 24 + " * * *";
  }

  private static void define(Tenant tenant, int hour) {
    try (Producing schedules = tenant.schedules();
        TopicReader<Revision> revisions = tenant.revisions()) {
      for (int i = 0; i < SCHEDULES; i++) {
        schedules.put(
            "zone/" + i,
            "{\"cron\":\"%s\",\"timezone\":\"%s\",\"catch_up\":\"replay\"}"
                .formatted(cron(i, hour), ZONE));
      }
      await().atMost(BOUND).until(() -> revisions.values().size() >= SCHEDULES);
    }
  }

  private static void assertFired(Tenant tenant, ZoneData data, int hour, Instant rollover) {
    Instant decided = decidedThrough(tenant);
    List<Fire> fires = all(tenant.fires());
    assertThat(all(tenant.missed())).isEmpty();
    Map<String, Instant> begin = new HashMap<>();
    all(tenant.revisions()).forEach(one -> begin.put(one.getScheduleId(), one.getOwnsAfter()));
    for (int i = 0; i < SCHEDULES; i++) {
      String id = "zone/" + i;
      List<Instant> fired =
          fires.stream()
              .filter(fire -> fire.getScheduleId().equals(id))
              .map(Fire::getOccurrence)
              .filter(at -> !at.isAfter(decided))
              .toList();
      Cron cron = Cron.parse(cron(i, hour), data.zone(ZONE));
      Instant after = Optional.ofNullable(begin.get(id)).orElseThrow();
      assertThat(fired).as(id).isNotEmpty().isEqualTo(between(cron, after, decided));
      boolean isBefore = i % 2 == 0;
      assertThat(fired).as(id).allMatch(at -> at.isBefore(rollover) == isBefore);
    }
  }

  private static List<Instant> between(Cron cron, Instant after, Instant through) {
    List<Instant> found = new ArrayList<>();
    Optional<Instant> next = cron.nextAfter(after);
    while (next.isPresent() && !next.get().isAfter(through)) {
      found.add(next.get());
      next = cron.nextAfter(next.get());
    }
    return found;
  }

  /** The least of the partitions' last watermarks. */
  private static Instant decidedThrough(Tenant tenant) {
    Map<Integer, Instant> decided = new HashMap<>();
    for (Watermark watermark : all(tenant.watermarks())) {
      decided.put(watermark.getPartition(), watermark.getDecidedThrough());
    }
    return decided.values().stream().min(Instant::compareTo).orElse(Instant.EPOCH);
  }

  private static <T> List<T> all(TopicReader<T> reader) {
    try (reader) {
      return TopicReader.values(reader.toEnd());
    }
  }
}

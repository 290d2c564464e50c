package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.schemas.avro.Fire;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process is stopped and goes on, with or without another one that takes over: what was deleted
 * or paused meanwhile, and confirmed by the broker, does not fire.
 */
@Timeout(600)
final class StallTest {
  /** What is due so soon after a record was confirmed may fire: Kafka delivers no faster. */
  private static final Duration DELIVERY = Duration.ofMillis(4_500);

  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @TempDir static Path dir;
  @RegisterExtension static final TestBroker kafka = new TestBroker(Map.of());

  @Test
  @Tag("all")
  void what_was_deleted_or_paused_while_another_instance_took_over_does_not_fire() {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "takeover", dir);
    Map<String, String> settings =
        Map.of(
            "partitions", "4",
            "main.consumer.session.timeout.ms", "6000",
            "producer.transaction.timeout.ms", "10000");
    try (SchedulerProcess a = SchedulerProcess.start(tenant.settings("a", settings)).awaitReady();
        SchedulerProcess b = SchedulerProcess.start(tenant.settings("b", settings)).awaitReady()) {
      Every every = new Every(tenant, 300);
      Instant stopped = Instant.now();
      a.stall();
      every.end(0, 33, stopped.plusSeconds(3), stopped.plusSeconds(6));
      every.end(33, 100, stopped.plusSeconds(7), stopped.plusSeconds(10));
      every.end(100, 133, stopped.plusSeconds(10), stopped.plusSeconds(14));
      a.goOn();
      a.awaitReady();
      b.awaitReady();
      every.awaitAllFiredSince(Instant.now());
      every.assertNothingFiresThatEnded();
    }
  }

  @Test
  @Tag("all")
  void what_was_deleted_or_paused_while_the_only_instance_was_stopped_does_not_fire() {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "alone", dir);
    Map<String, String> patient =
        Map.of(
            "partitions", "2",
            "main.consumer.session.timeout.ms", "30000",
            "producer.transaction.timeout.ms", "30000");
    try (SchedulerProcess only =
        SchedulerProcess.start(tenant.settings("only", patient)).awaitReady()) {
      Every every = new Every(tenant, 100);
      Instant stopped = Instant.now();
      only.stall();
      every.end(0, 50, stopped.plusSeconds(1), stopped.plusSeconds(5));
      only.goOn();
      every.awaitAllFiredSince(Instant.now());
      every.assertNothingFiresThatEnded();
    }
  }

  /** Schedules that fire every second, some of which end. */
  private static final class Every {
    private static final String TEXT = "{\"every\":\"1s\",\"catch_up\":\"replay\"%s}";

    private final Tenant tenant;
    private final int size;
    private final Map<String, Instant> ended = new HashMap<>();

    Every(Tenant tenant, int size) {
      this.tenant = tenant;
      this.size = size;
      try (Producing schedules = tenant.schedules()) {
        IntStream.range(0, size).forEach(i -> schedules.put(id(i), TEXT.formatted("")));
      }
      awaitAllFiredSince(Instant.now());
    }

    /** Deletes some and pauses others, spread over a time. */
    void end(int from, int to, Instant begin, Instant end) {
      Duration between = Duration.between(begin, end).dividedBy(to - from);
      try (Producing schedules = tenant.schedules()) {
        for (int i = from; i < to; i++) {
          Instant at = begin.plus(between.multipliedBy(i - from));
          await()
              .atMost(PATIENCE)
              .pollDelay(Duration.ZERO)
              .until(() -> !Instant.now().isBefore(at));
          if (i % 3 == 0) {
            schedules.put(id(i), TEXT.formatted(",\"enabled\":false"));
          } else {
            schedules.delete(id(i));
          }
          ended.put(id(i), Instant.now());
        }
      }
    }

    void awaitAllFiredSince(Instant since) {
      try (TopicReader<Fire> fires = tenant.fires()) {
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    fires.values().stream()
                            .filter(fire -> fire.getDue().isAfter(since))
                            .map(Fire::getScheduleId)
                            .distinct()
                            .count()
                        >= size - ended.size());
      }
    }

    void assertNothingFiresThatEnded() {
      try (TopicReader<Fire> fires = tenant.fires()) {
        List<Fire> all = TopicReader.values(fires.toEnd());
        assertThat(all).extracting(Fire::getFireId).doesNotHaveDuplicates();
        assertThat(
                all.stream()
                    .filter(
                        fire ->
                            Optional.ofNullable(ended.get(fire.getScheduleId()))
                                .filter(end -> fire.getDue().isAfter(end.plus(DELIVERY)))
                                .isPresent())
                    .map(
                        fire ->
                            fire.getScheduleId()
                                + " ended at "
                                + ended.get(fire.getScheduleId())
                                + ", was due at "
                                + fire.getDue()
                                + " and fired at "
                                + fire.getFiredAt()
                                + " by "
                                + fire.getRevision())
                    .toList())
            .isEmpty();
      }
    }

    private static String id(int i) {
      return "every/" + i;
    }
  }
}

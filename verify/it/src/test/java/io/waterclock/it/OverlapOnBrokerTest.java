package io.waterclock.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code kill -9} while a fire runs and an occurrence is held back. */
@Timeout(600)
@Tag("all")
final class OverlapOnBrokerTest {
  private static final ScheduleId ID = ScheduleId.parse("held");
  private static final Map<String, String> BROKER =
      Map.of(
          "group.min.session.timeout.ms", "500",
          "transaction.abort.timed.out.transaction.cleanup.interval.ms", "200");

  @TempDir Path dir;

  @Test
  void what_a_run_holds_back_is_neither_lost_nor_doubled_when_the_scheduler_is_killed() {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0, BROKER)) {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "overlap", dir);
      Map<String, String> settings = tenant.settings("one", Map.of("partitions", "1"));
      tenant.createTopics(settings);
      try (Producing schedules = tenant.schedules();
          Producing outcomes = tenant.outcomes();
          TopicReader<Fire> fires = tenant.fires()) {
        Instant ran;
        Instant held;
        try (SchedulerProcess scheduler = SchedulerProcess.start(settings).awaitReady()) {
          schedules.put(
              ID.value(),
              "{\"every\":\"1s\",\"grace\":\"5m\",\"timeout\":\"1h\",\"overlap\":\"buffer_one\"}");
          ran = awaitFires(fires, 1).get(0).getOccurrence();
          await().atMost(Duration.ofMinutes(4)).until(isPast(ran.plusSeconds(2)));
          scheduler.kill();
        }
        succeeded(outcomes, ran); // while no scheduler runs
        succeeded(outcomes, ran);
        try (SchedulerProcess scheduler = SchedulerProcess.start(settings).awaitReady()) {
          held = awaitFires(fires, 2).get(1).getOccurrence();
          assertThat(held).as("the first that was held back").isEqualTo(ran.plusSeconds(1));
          await().atMost(Duration.ofMinutes(4)).until(isPast(held.plusSeconds(3)));
          scheduler.kill();
        }
        try (SchedulerProcess scheduler = SchedulerProcess.start(settings).awaitReady()) {
          succeeded(outcomes, held);
          awaitFires(fires, 3);
          assertThat(scheduler.terminate()).isZero();
        }
        assertAccounted(TopicReader.values(fires.toEnd()), tenant);
      }
    }
  }

  private static List<Fire> awaitFires(TopicReader<Fire> fires, int count) {
    return await().atMost(Duration.ofMinutes(4)).until(fires::values, all -> all.size() >= count);
  }

  private static Callable<Boolean> isPast(Instant instant) {
    return () -> Instant.now().isAfter(instant);
  }

  private static void succeeded(Producing outcomes, Instant occurrence) {
    String json =
        "{\"fire_key\":\"%s\",\"state\":\"succeeded\"}".formatted(FireKey.of(ID, occurrence));
    outcomes.send(Optional.of(ID.utf8()), Optional.of(json.getBytes(UTF_8)), Map.of());
  }

  /** Three fires, one after another, and everything between them missed, once. */
  private static void assertAccounted(List<Fire> fires, Tenant tenant) {
    assertThat(fires).hasSize(3);
    List<Instant> accounted = new ArrayList<>(fires.stream().map(Fire::getOccurrence).toList());
    try (TopicReader<Missed> missed = tenant.missed()) {
      for (Missed range : TopicReader.values(missed.toEnd())) {
        accounted.addAll(grid(range.getFirst(), range.getLast()));
      }
    }
    accounted.sort(Instant::compareTo);
    assertThat(accounted).isEqualTo(grid(accounted.get(0), accounted.get(accounted.size() - 1)));
  }

  /** Inclusive. */
  private static List<Instant> grid(Instant first, Instant last) {
    return Stream.iterate(first, at -> !at.isAfter(last), at -> at.plusSeconds(1)).toList();
  }
}

package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.topology.scheduler.store.MemoryDueIndex;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A run holds the next occurrence back, until it ends or its time is up. */
final class HeldRunTest {
  /** More than a pass of the watchdog checks in a tick. */
  private static final int OTHERS = 3_000;

  private final SimulatedCluster cluster = new SimulatedCluster(1);
  private final SimulatedTask task = cluster.tasks().get(0);

  @Test
  void an_index_made_meanwhile_finds_the_occurrence_after_the_run_has_ended_early() {
    for (int i = 0; i < OTHERS; i++) {
      put("a" + i, "{\"at\":\"2030-01-01T00:00:00Z\"}");
    }
    put("s", "{\"every\":\"1s\",\"overlap\":\"buffer_one\",\"timeout\":\"2h\"}");
    go(Duration.ofMillis(1_100));
    Instant first = cluster.fires().get(0).getOccurrence();

    task.restore(new MemoryDueIndex(), Map.of());
    task.crash();
    go(Duration.ofMillis(300));
    FireKey fire = FireKey.of(ScheduleId.parse("s"), first);
    String success = "{\"fire_key\":\"%s\",\"state\":\"succeeded\"}".formatted(fire.text());
    produce(cluster.topics().outcomes(), "s", success, "o");
    go(Duration.ofMillis(200));
    assertThat(task.tooLate()).isEmpty();

    task.crash();
    go(Duration.ofSeconds(4));
    assertThat(cluster.fires())
        .extracting(Fire::getOccurrence)
        .startsWith(first, first.plusSeconds(1));
  }

  private void put(String id, String definition) {
    produce(cluster.topics().schedules(), id, definition, "r");
  }

  private void produce(String topic, String key, String value, String name) {
    cluster.produce(topic, 0, key, Optional.of(value), cluster.now(), name);
  }

  private void go(Duration all) {
    Duration step = Duration.ofMillis(100);
    for (Duration gone = Duration.ZERO; gone.compareTo(all) < 0; gone = gone.plus(step)) {
      cluster.advance(step);
      cluster.drain();
      task.tick();
    }
    task.commit();
  }
}

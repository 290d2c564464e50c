package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Wire;
import io.waterclock.topology.scheduler.context.ClockGuard;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** Strays of a schedule with a held record, while the registry is away. */
final class HeldStraysTest {
  private static final int PARTITIONS = 3;
  private static final String ID = "reports/daily";

  /** Of a record in the Confluent wire format, whose schema id is 7. */
  private static final byte[] REGISTERED = {0, 0, 0, 0, 7, 1, 2};

  private final SchemaSource away = id -> new SchemaSource.Lookup.Unavailable("away");
  private final SimulatedCluster cluster =
      new SimulatedCluster(
          PARTITIONS, time -> ClockGuard.of(time, () -> true), new Wire(Encoding.AVRO, away));
  private final int home = cluster.home(ID.getBytes(StandardCharsets.US_ASCII));
  private final int elsewhere = (home + 1) % PARTITIONS;

  @Test
  void a_takeover_decides_though_a_stray_waits_at_home_behind_a_held_record() {
    String other = neighbour("other-");
    produce(cluster.topics().schedules(), home, other, "{\"every\":\"1s\"}");
    run(3);
    int before = fires(other);
    assertThat(before).isPositive();

    produce(cluster.topics().schedules(), elsewhere, ID, "{\"every\":\"1h\"}");
    SimulatedTask from = cluster.tasks().get(elsewhere);
    while (from.read(cluster.topics().schedules())) {
      from.tick();
    }
    from.commit();
    append(cluster.topics().schedules(), home, ID, REGISTERED);
    SimulatedTask task = cluster.tasks().get(home);
    task.crash();
    assertThat(task.read(cluster.topics().strays())).isTrue();
    run(60);
    assertThat(fires(other)).isGreaterThan(before + 50);
  }

  @Test
  void commands_of_others_are_answered_though_a_stray_waits_at_home_behind_a_held_record() {
    run(3);
    produce(cluster.topics().schedules(), elsewhere, ID, "{\"every\":\"1h\"}");
    SimulatedTask from = cluster.tasks().get(elsewhere);
    while (from.read(cluster.topics().schedules())) {
      from.tick();
    }
    from.commit();
    SimulatedTask task = cluster.tasks().get(home);
    produce(cluster.topics().commands(), home, ID, "{\"command_id\":\"a\",\"trigger\":{}}");
    task.read(cluster.topics().commands());
    append(cluster.topics().schedules(), home, ID, REGISTERED);
    assertThat(task.read(cluster.topics().strays())).isTrue();
    produce(
        cluster.topics().commands(),
        home,
        neighbour("unknown-"),
        "{\"command_id\":\"b\",\"trigger\":{}}");
    run(60);
    assertThat(cluster.answers()).hasSize(1);
  }

  private int fires(String id) {
    return (int) cluster.fires().stream().filter(f -> f.getScheduleId().equals(id)).count();
  }

  private void run(int seconds) {
    for (int i = 0; i < seconds * 2; i++) {
      cluster.advance(Duration.ofMillis(500));
      cluster.drain();
    }
  }

  private String neighbour(String prefix) {
    for (int i = 0; ; i++) {
      String id = prefix + i;
      if (cluster.home(id.getBytes(StandardCharsets.US_ASCII)) == home) {
        return id;
      }
    }
  }

  private void produce(String topic, int partition, String key, String json) {
    cluster.advance(Duration.ofMillis(1));
    cluster.produce(topic, partition, key, Optional.of(json), cluster.now(), key);
  }

  private void append(String topic, int partition, String key, byte[] value) {
    cluster.advance(Duration.ofMillis(1));
    cluster
        .log(topic, partition)
        .append(
            key.getBytes(StandardCharsets.US_ASCII),
            Optional.of(value),
            new RecordHeaders(),
            cluster.nowMs(),
            false);
  }
}

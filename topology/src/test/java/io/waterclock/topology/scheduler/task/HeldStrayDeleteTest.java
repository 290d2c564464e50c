package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.topology.scheduler.context.ClockGuard;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of a held stray and a delete at home, the newer wins, as without the registry's outage. */
final class HeldStrayDeleteTest {
  private static final int PARTITIONS = 3;
  private static final String ID = "reports/daily";
  private static final byte[] KEY = ID.getBytes(StandardCharsets.US_ASCII);

  private boolean isAway;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void an_older_delete_at_home_does_not_refuse_a_newer_stray(boolean outage) {
    SchemaSource registry =
        id ->
            isAway
                ? new SchemaSource.Lookup.Unavailable("away")
                : new SchemaSource.Lookup.Known(Schedule.getClassSchema());
    SimulatedCluster cluster =
        new SimulatedCluster(
            PARTITIONS, time -> ClockGuard.of(time, () -> true), new Wire(Encoding.AVRO, registry));
    String schedules = cluster.topics().schedules();
    int home = cluster.home(KEY);
    int elsewhere = (home + 1) % PARTITIONS;
    isAway = outage;

    long deletedAt = cluster.nowMs();
    cluster.advance(Duration.ofSeconds(10));
    append(cluster, elsewhere, Optional.of(registered()), cluster.nowMs());
    append(cluster, home, Optional.empty(), deletedAt);
    SimulatedTask from = cluster.tasks().get(elsewhere);
    assertThat(from.read(schedules)).isTrue();
    from.commit();
    assertThat(cluster.tasks().get(home).read(cluster.topics().strays())).isTrue();
    cluster.drain();
    isAway = false;
    for (int i = 0; i < 5; i++) {
      cluster.advance(Duration.ofSeconds(1));
      cluster.drain();
    }
    assertThat(cluster.taskOf(ID).definition(ID)).isPresent();
  }

  private static byte[] registered() {
    Schedule schedule =
        ScheduleJson.read("{\"every\":\"1h\"}".getBytes(StandardCharsets.UTF_8), ZoneOffset.UTC)
            .schedule();
    return RecordCodecs.schedule().encode(schedule, Encoding.registered(schema -> 7));
  }

  private static void append(
      SimulatedCluster cluster, int partition, Optional<byte[]> value, long timestampMs) {
    cluster
        .log(cluster.topics().schedules(), partition)
        .append(KEY, value, new RecordHeaders(), timestampMs, false);
  }
}

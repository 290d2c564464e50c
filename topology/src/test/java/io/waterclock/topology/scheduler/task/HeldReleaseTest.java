package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.Wire;
import io.waterclock.topology.scheduler.context.ClockGuard;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

final class HeldReleaseTest {
  private static final int HELD = 1_200;
  private static final long MOST_AT_ONCE = 500;

  /** Of a record in the Confluent wire format, whose schema id is 7. */
  private static final byte[] REGISTERED = {0, 0, 0, 0, 7, 1, 2};

  private SchemaSource.Lookup answer = new SchemaSource.Lookup.Unavailable("away");

  @Test
  void a_tick_takes_in_a_part_of_the_records_that_waited_for_the_registry() {
    SimulatedCluster cluster =
        new SimulatedCluster(
            1, time -> ClockGuard.of(time, () -> true), new Wire(Encoding.AVRO, id -> answer));
    SimulatedTask task = cluster.tasks().get(0);
    String schedules = cluster.topics().schedules();
    for (int i = 0; i < HELD; i++) {
      cluster
          .log(schedules, 0)
          .append(
              ("id/" + i).getBytes(StandardCharsets.US_ASCII),
              Optional.of(REGISTERED),
              new RecordHeaders(),
              cluster.nowMs(),
              false);
    }
    cluster.drain();
    answer = new SchemaSource.Lookup.Refused(UndecodableException.Reason.UNKNOWN_SCHEMA, "unknown");
    long before = 0;
    while (before < HELD) {
      task.tick();
      long after = cluster.counts(0).rejected();
      assertThat(after - before).isBetween(1L, MOST_AT_ONCE);
      before = after;
    }
  }
}

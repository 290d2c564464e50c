package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.emit.Addressed;
import io.waterclock.topology.scheduler.emit.FirePartitioner;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PartitioningTest {
  private static final byte[] VALUE = {1};

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 12, 100})
  void a_fire_goes_where_kafkas_own_producer_sends_its_schedule_id(int partitions) {
    FirePartitioner partitioner = new FirePartitioner(7);
    for (int i = 0; i < 500; i++) {
      String id = "reports/" + Integer.toHexString(i * 7919) + (i % 2 == 0 ? "~daily" : "");
      byte[] key = FireKey.of(ScheduleId.parse(id), Instant.ofEpochMilli(i * 1_000L)).bytes();
      byte[] idBytes = id.getBytes(StandardCharsets.UTF_8);
      int home = BuiltInPartitioner.partitionForKey(idBytes, partitions);
      assertThat(partitioner.partitions("fires", key, VALUE, partitions))
          .isEqualTo(Optional.of(Set.of(home)));
      assertThat(HomePartition.of(idBytes, partitions)).isEqualTo(home);
    }
  }

  @Test
  void a_fire_that_a_command_asked_for_goes_to_the_same_partition() {
    ScheduleId id = ScheduleId.parse("a");
    FireKey key = new FireKey(id, Instant.EPOCH, Optional.of("command|7"));
    assertThat(new FirePartitioner(12).partitions("fires", key.bytes(), VALUE, 12))
        .isEqualTo(Optional.of(Set.of(HomePartition.of(id.utf8(), 12))));
  }

  @ParameterizedTest
  @CsvSource({"12, 12", "12, 13", "12, 100", "3, 1"})
  void fires_of_unnamed_delayed_records_stay_together_as_their_schedules_do(int home, int fires) {
    for (int i = 0; i < 500; i++) {
      ScheduleId id = ScheduleId.parse("later/0@" + i + "/x.0");
      byte[] key = FireKey.of(id, Instant.EPOCH).bytes();
      assertThat(new FirePartitioner(home).partitions("fires", key, VALUE, fires))
          .isEqualTo(Optional.of(Set.of(HomePartition.of(id.utf8(), home) % fires)));
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 3, 0", "2, 3, 2", "3, 3, 0", "7, 3, 1", "-1, 3, 2", "-2147483648, 3, 1"})
  void an_answer_goes_to_the_partition_asked_for_or_to_one_that_exists(
      int asked, int partitions, int expected) {
    assertThat(
            Addressed.partitioner()
                .partitions(
                    "answers", VALUE, new Addressed(VALUE, asked), new RecordHeaders(), partitions))
        .isEqualTo(Optional.of(Set.of(expected)));
  }
}

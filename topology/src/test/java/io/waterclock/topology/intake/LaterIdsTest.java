package io.waterclock.topology.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.input.Inbound;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LaterIdsTest {
  private static final Instant WRITTEN = Instant.parse("2026-11-21T10:00:00Z");

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 12, 97})
  void records_of_one_key_have_ids_of_one_partition_that_ascend(int partitions) {
    LaterIds ids = new LaterIds(partitions);
    for (String key : List.of("", "a", "order-42")) {
      int home = BuiltInPartitioner.partitionForKey(key.getBytes(UTF_8), partitions);
      List<String> names = new ArrayList<>();
      for (long offset : new long[] {0, 9, 10, 99, 100, 1_234_567, 999_999_999_999_999L}) {
        String id = ids.of(record(Optional.of(key), 5, offset, WRITTEN)).value();
        assertThat(BuiltInPartitioner.partitionForKey(id.getBytes(UTF_8), partitions))
            .isEqualTo(home);
        names.add(id);
      }
      assertThat(names).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  void records_without_a_key_use_all_partitions() {
    LaterIds ids = new LaterIds(12);
    assertThat(
            IntStream.range(0, 12)
                .mapToObj(offset -> ids.of(record(Optional.empty(), 0, offset, WRITTEN)))
                .map(id -> BuiltInPartitioner.partitionForKey(id.utf8(), 12)))
        .doesNotHaveDuplicates();
  }

  @Test
  void a_record_that_is_read_twice_has_one_id_and_one_of_a_topic_created_again_has_another() {
    LaterIds ids = new LaterIds(12);
    ScheduleId id = ids.of(record(Optional.of("k"), 5, 7, WRITTEN));
    assertThat(ids.of(record(Optional.of("k"), 5, 7, WRITTEN))).isEqualTo(id);
    assertThat(ids.of(record(Optional.of("k"), 5, 7, WRITTEN.plusMillis(1)))).isNotEqualTo(id);
    assertThat(ids.of(record(Optional.of("k"), 6, 7, WRITTEN))).isNotEqualTo(id);
    assertThat(ScheduleId.parse(id.value())).isEqualTo(id);
    assertThat(id.value()).startsWith("later/5@000000000000007/");
  }

  private static Inbound record(Optional<String> key, int partition, long offset, Instant written) {
    return new Inbound(
        key.map(text -> text.getBytes(UTF_8)),
        Optional.empty(),
        new RecordHeaders(),
        written,
        "waterclock.later",
        partition,
        offset);
  }
}

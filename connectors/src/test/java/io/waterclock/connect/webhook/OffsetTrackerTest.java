package io.waterclock.connect.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class OffsetTrackerTest {
  private static final TopicPartition A = new TopicPartition("fires", 0);
  private static final TopicPartition B = new TopicPartition("fires", 1);
  private final OffsetTracker offsets = new OffsetTracker();

  private long committable(TopicPartition partition, long read) {
    OffsetAndMetadata offset =
        offsets.committable(Map.of(partition, new OffsetAndMetadata(read))).get(partition);
    return offset == null ? -1 : offset.offset();
  }

  @Test
  void commits_up_to_the_first_unfinished_record() {
    for (long offset = 5; offset < 9; offset++) {
      offsets.begin(A, offset);
    }
    offsets.done(A, 6);
    assertThat(committable(A, 9)).isEqualTo(5);
    offsets.done(A, 5);
    assertThat(committable(A, 9)).isEqualTo(7);
    offsets.done(A, 8);
    offsets.done(A, 7);
    assertThat(committable(A, 12)).isEqualTo(12);
    assertThat(committable(B, 3)).isEqualTo(3);
  }

  @Test
  void forgets_a_partition_that_is_handed_back() {
    offsets.begin(A, 1);
    offsets.begin(B, 1);
    offsets.forget(List.of(A));
    offsets.done(A, 1);
    assertThat(committable(A, 4)).isEqualTo(4);
    assertThat(committable(B, 4)).isEqualTo(1);
  }
}

package io.waterclock.topology.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.limits.GroupLimit;
import io.waterclock.schemas.avro.Limit;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

final class WaitingGroupTest {
  private final GroupLimit.Lane lane =
      GroupLimit.of(Limit.newBuilder().setMaxRunning(1).build()).lanes().get(0);
  private final WaitingGroup group = new WaitingGroup("g");

  private static Bytes key(int number) {
    return Bytes.wrap(new byte[] {(byte) number});
  }

  /** What was taken is gone, and costs as long as the store has not compacted it. */
  @Test
  void what_was_taken_is_not_looked_through_again() {
    group.taken(lane, key(5));
    group.added(0, key(9));
    assertThat(group.floor(lane)).isEqualTo(key(5));
    group.added(0, key(3));
    assertThat(group.floor(lane)).as("it comes first").isEqualTo(key(3));
    group.added(0, key(4));
    assertThat(group.floor(lane)).isEqualTo(key(3));
  }
}

package io.waterclock.topology.scheduler.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

final class QueueHorizonTest {
  private static final Position DECIDED = Position.throughAllAt(1_000);

  private final MemoryDueIndex index = new MemoryDueIndex();

  @Test
  void an_index_that_was_never_whole_is_not_used() {
    QueueHorizon horizon = new QueueHorizon(index);
    assertThat(horizon.isUsable(Optional.of(DECIDED))).isFalse();
    horizon.stamp(DECIDED);
    assertThat(new QueueHorizon(index).isUsable(Optional.of(DECIDED))).isFalse();
    horizon.built(DECIDED);
    assertThat(new QueueHorizon(index).isUsable(Optional.of(DECIDED))).isTrue();
  }

  @Test
  void an_index_is_not_used_before_the_position_at_which_it_was_written() {
    new QueueHorizon(index).built(DECIDED);
    assertThat(new QueueHorizon(index).isUsable(Optional.of(Position.throughAllAt(1_001))))
        .isTrue();
    assertThat(new QueueHorizon(index).isUsable(Optional.of(Position.throughAllAt(999)))).isFalse();
    assertThat(new QueueHorizon(index).isUsable(Optional.empty())).isFalse();
  }

  @Test
  void an_index_by_other_rules_is_not_used() {
    new QueueHorizon(index).built(DECIDED);
    byte[] stamp = index.stamp().orElseThrow();
    stamp[stamp.length - 1]++;
    assertThat(new QueueHorizon(index).isUsable(Optional.of(DECIDED))).isFalse();
    index.stamp("short".getBytes(UTF_8));
    assertThat(new QueueHorizon(index).isUsable(Optional.of(DECIDED))).isFalse();
  }

  @Test
  void what_is_loaded_and_the_end_only_advance() {
    QueueHorizon horizon = new QueueHorizon(index);
    horizon.extend(20);
    horizon.extend(10);
    horizon.loaded(new DueIndex.Entry(15, "b".getBytes(UTF_8)));
    horizon.loaded(15);
    assertThat(horizon.endMs()).isEqualTo(20);
    assertThat(horizon.loaded().covers(15, "b".getBytes(UTF_8))).isTrue();
    assertThat(horizon.loaded().covers(15, "c".getBytes(UTF_8))).isFalse();
  }
}

package io.waterclock.topology.scheduler.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.ScheduleId;
import org.junit.jupiter.api.Test;

/** How much memory what waits may take, and how it is shared. */
final class WaitingMemoryTest {
  private static final ScheduleId ID = ScheduleId.parse("a");
  private static final ScheduleId LONG = ScheduleId.parse("x".repeat(255));
  private static final int OWN = WaitingMemory.OWN_RECORDS;

  @Test
  void a_record_counts_a_kilobyte_and_its_id() {
    WaitingMemory memory = WaitingMemory.of(2L * OWN * (1_024 + 255));
    WaitingMemory.Share share = memory.join(0, "a");
    take(share, LONG, 2 * OWN - 1);
    assertThat(share.isFull()).isFalse();
    share.take(LONG);
    assertThat(share.isFull()).isTrue();
    share.free(LONG);
    assertThat(share.isFull()).isFalse();
  }

  @Test
  void each_place_has_room_of_its_own_whatever_others_take() {
    WaitingMemory memory = WaitingMemory.of(1L << 20);
    take(memory.join(0, "a"), ID, 10 * OWN);
    WaitingMemory.Share other = memory.join(0, "b");
    take(other, ID, OWN - 1);
    assertThat(other.isFull()).isFalse();
    other.take(ID);
    assertThat(other.isFull()).isTrue();
  }

  @Test
  void a_task_that_leaves_gives_its_memory_back() {
    WaitingMemory memory = WaitingMemory.of(2L * OWN * 1_025);
    WaitingMemory.Share share = memory.join(0, "a");
    WaitingMemory.Share other = memory.join(0, "b");
    take(share, ID, OWN);
    take(other, ID, OWN);
    assertThat(share.isFull()).isTrue();
    other.leave();
    assertThat(share.isFull()).isFalse();
    other.leave();
    take(share, ID, OWN - 1);
    assertThat(share.isFull()).isFalse();
    share.take(ID);
    assertThat(share.isFull()).isTrue();
  }

  /** A task that fails while it begins never leaves. */
  @Test
  void a_place_that_is_joined_again_begins_with_nothing() {
    WaitingMemory memory = WaitingMemory.of(2L * OWN * 1_025);
    WaitingMemory.Share other = memory.join(1, "a");
    take(other, ID, OWN);
    WaitingMemory.Share failed = memory.join(0, "a");
    take(failed, ID, OWN);
    assertThat(other.isFull()).isTrue();
    WaitingMemory.Share share = memory.join(0, "a");
    assertThat(other.isFull()).isFalse();
    failed.leave();
    take(share, ID, OWN);
    assertThat(other.isFull()).isTrue();
    share.leave();
    assertThat(other.isFull()).isFalse();
  }

  private static void take(WaitingMemory.Share share, ScheduleId id, int records) {
    for (int i = 0; i < records; i++) {
      share.take(id);
    }
  }
}

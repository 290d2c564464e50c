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
    WaitingMemory.Share share = memory.join();
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
    take(memory.join(), ID, 10 * OWN);
    WaitingMemory.Share other = memory.join();
    take(other, ID, OWN - 1);
    assertThat(other.isFull()).isFalse();
    other.take(ID);
    assertThat(other.isFull()).isTrue();
  }

  @Test
  void a_task_that_leaves_gives_its_memory_back() {
    WaitingMemory memory = WaitingMemory.of(2L * OWN * 1_025);
    WaitingMemory.Share share = memory.join();
    WaitingMemory.Share other = memory.join();
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

  private static void take(WaitingMemory.Share share, ScheduleId id, int records) {
    for (int i = 0; i < records; i++) {
      share.take(id);
    }
  }
}

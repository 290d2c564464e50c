package io.waterclock.runtime.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.runtime.brokers.RecordMarks.Mark;
import io.waterclock.runtime.clients.WatchedClients;
import io.waterclock.topology.scheduler.input.Inbound;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeathNotesTest {
  @TempDir private Path dir;
  private boolean isCrowded;

  @Test
  void a_record_that_meets_a_full_heap_is_not_marked() {
    DeathNotes notes = notes();
    notes.begun(1, record(5));
    isCrowded = true;
    notes.begun(0, record(6));
    assertThat(left()).containsExactly(new Mark(0, 0, 5));
  }

  @Test
  void nor_noted_when_the_memory_runs_out() {
    DeathNotes notes = notes();
    isCrowded = true;
    notes.begun(0, record(6));
    OutOfMemoryError death = new OutOfMemoryError("Java heap space");
    notes.died(0, record(6), new IllegalStateException(death));
    assertThat(notes.isNoted(death)).isFalse();
    assertThat(left()).isEmpty();
  }

  @Test
  void a_heap_with_room_is_not_crowded() {
    assertThat(new CrowdedHeap().getAsBoolean()).isFalse();
  }

  /** Has no admin client: a note would fail. */
  private DeathNotes notes() {
    return new DeathNotes(
        "app",
        List.of("waterclock.schedules"),
        2,
        new WatchedClients(id -> {}, ends -> {}, Optional.empty()),
        file(),
        () -> isCrowded);
  }

  private List<Mark> left() {
    return RecordMarks.open(file(), 2).takeLeft();
  }

  private Path file() {
    return dir.resolve("app.records");
  }

  private static Inbound record(long offset) {
    return new Inbound(
        Optional.empty(),
        Optional.empty(),
        new RecordHeaders(),
        Instant.EPOCH,
        "waterclock.schedules",
        0,
        offset);
  }
}

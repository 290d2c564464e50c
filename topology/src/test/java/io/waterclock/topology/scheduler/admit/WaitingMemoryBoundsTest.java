package io.waterclock.topology.scheduler.admit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.context.FixedGate;
import io.waterclock.topology.scheduler.context.WaitingMemory;
import io.waterclock.topology.scheduler.input.Inbound;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** What waits of small records with long ids, of which each takes about a kilobyte of the heap. */
final class WaitingMemoryBoundsTest {
  private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");

  /** For four thousand of them. */
  private final TaskContext task = TestTask.with(WaitingMemory.of(4_000L * (1_024 + 255)));

  private final HeldRecords heldRecords = TestAdmission.heldRecords(task);
  private final ReorderBuffer buffer =
      TestAdmission.buffer(task, new StraysInTransit(TestAdmission.memory(task, "transit")));
  private int number;

  @Test
  void of_small_records_as_many_are_held_as_the_heap_has_room_for() {
    int held = 0;
    while (held < 10_000 && heldRecords.add(next("waterclock.schedules")).isPresent()) {
      held++;
    }
    assertThat(held).isEqualTo(4_000);
    Inbound more = next("waterclock.schedules");
    assertThat(heldRecords.full(more))
        .contains("4000 records of this partition, and others of this instance,");
    heldRecords.leave();
    assertThat(heldRecords.full(more)).isEmpty();
  }

  @Test
  void of_small_commands_as_many_wait_as_the_heap_has_room_for() {
    WaitingCommands waiting = TestAdmission.waiting(task, new FixedGate(false), id -> false);
    int held = 0;
    while (held < 10_000 && isAdded(waiting, next("waterclock.commands"))) {
      held++;
    }
    assertThat(held).isEqualTo(4_000);
    Inbound more = next("waterclock.commands");
    assertThat(waiting.full(ScheduleId.parse(more.keyText()), more))
        .contains("4000 commands of this partition, and others of this instance,");
    waiting.leave();
    assertThat(isAdded(waiting, more)).isTrue();
  }

  private static boolean isAdded(WaitingCommands waiting, Inbound command) {
    return waiting.add(ScheduleId.parse(command.keyText()), command, NOW).isPresent();
  }

  @Test
  void of_small_records_as_many_are_ordered_as_the_heap_has_room_for() {
    int held = 0;
    for (; held < 10_000 && !buffer.isFull(); held++) {
      buffer.add(next("waterclock.schedules"), NOW);
    }
    assertThat(held).isEqualTo(4_000);
    buffer.leave();
    assertThat(buffer.isFull()).isFalse();
  }

  private Inbound next(String topic) {
    String id = "%07d".formatted(number) + "x".repeat(248);
    return new Inbound(
        Optional.of(id.getBytes(UTF_8)),
        Optional.of("{}".getBytes(UTF_8)),
        new RecordHeaders(),
        NOW.plusMillis(number),
        topic,
        0,
        number++);
  }
}

package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.TriggerCommand;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the triggers cost that wait for their turn to fire. */
final class WaitingTriggersTest {
  private static final int LARGE = 900_000;
  private final TestAdmission a = new TestAdmission(RecordDeaths.none());
  private int commands;

  @Test
  void a_command_reads_nothing_of_the_triggers_that_wait() {
    define("a");
    long small = allocatedBy(() -> trigger("a", 0));
    for (int i = 0; i < 15; i++) {
      trigger("a", LARGE);
    }
    assertThat(allocatedBy(() -> trigger("a", 0))).isLessThan(small + LARGE);
  }

  /** Each fires nine tenths of a megabyte, by 40 bytes of a command. */
  @Test
  void what_waits_counts_as_the_bytes_that_it_fires() {
    defineLarge("a");
    for (int i = 0; i < 30; i++) {
      trigger("a", 0);
    }
    assertThat(
            a.task.partition().load(ScheduleId.parse("a")).orElseThrow().commanded().fires().size())
        .isEqualTo((16 << 20) / LARGE);
    assertThat(a.deadLetters())
        .hasSize(30 - (16 << 20) / LARGE)
        .allMatch(why -> why.contains("ordered fires wait already, and the limit is 16777216"));
  }

  @Test
  void large_triggers_that_wait_leave_room_for_a_few_small_ones_of_each_other_schedule() {
    fillThePartition();
    int refused = a.deadLetters().size();
    define("small", 10);
    define("medium", 15_000);
    for (int i = 0; i < 4; i++) {
      trigger("small", 0);
      trigger("medium", 0);
    }
    assertThat(a.deadLetters()).hasSize(refused);
    trigger("medium", 0);
    trigger("a0", 0);
    assertThat(a.deadLetters()).hasSize(refused + 2);
    trigger("small", 0);
    assertThat(a.deadLetters()).hasSize(refused + 2);
  }

  @Test
  void what_waits_in_a_partition_is_bounded_in_bytes() {
    fillThePartition();
    assertThat(a.task.partition().placement().queues().commanded().manualBytes())
        .isBetween(256L << 20, (256L << 20) + 2 * LARGE);
    assertThat(a.deadLetters())
        .isNotEmpty()
        .allMatch(why -> why.contains("wait in this partition already, and the limit is"));
  }

  private void fillThePartition() {
    for (int schedule = 0; schedule < 18; schedule++) {
      defineLarge("a" + schedule);
      for (int i = 0; i < 17; i++) {
        trigger("a" + schedule, 0);
      }
    }
  }

  private void defineLarge(String id) {
    define(id, LARGE);
  }

  private void define(String id, int bytes) {
    a.admit(
        TestAdmission.SCHEDULES,
        id,
        "{\"cron\":\"0 0 1 1 *\",\"payload\":\"%s\"}".formatted("x".repeat(bytes)));
  }

  private void define(String id) {
    a.admit(TestAdmission.SCHEDULES, id, "{\"cron\":\"0 0 1 1 *\"}");
  }

  private void trigger(String id, int bytes) {
    Command command =
        Command.newBuilder()
            .setCommandId("c" + commands++)
            .setAction(new TriggerCommand(bytes == 0 ? null : ByteBuffer.wrap(new byte[bytes])))
            .build();
    a.admit(
        TestAdmission.COMMANDS,
        id,
        Optional.of(RecordCodecs.command().encode(command, WireFormat.AVRO)));
  }

  private static long allocatedBy(Runnable work) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    work.run();
    return threads.getCurrentThreadAllocatedBytes() - before;
  }
}

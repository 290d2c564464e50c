package io.waterclock.topology.scheduler.admit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.context.WaitingMemory;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.store.ProgressStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/** In which order waiting records act. */
final class ReorderBufferTest {
  private static final Instant T0 = Instant.parse("2026-11-20T10:00:00Z");
  private static final String SCHEDULES = "waterclock.schedules";
  private static final String COMMANDS = "waterclock.commands";

  private final TaskContext task =
      TestTask.with(Stores.inMemoryKeyValueStore(ProgressStore.NAME).get());
  private final StraysInTransit inTransit =
      new StraysInTransit(WaitingMemory.ofHeap().join(0, "transit"));
  private ReorderBuffer buffer = TestAdmission.buffer(task, inTransit);
  private long offset;

  @Test
  void records_act_in_the_order_of_their_timestamps() {
    add("a", SCHEDULES, 0, 30);
    add("b", COMMANDS, 0, 10);
    add("a", COMMANDS, 2, 20);
    assertThat(buffer.first()).contains(T0.plusSeconds(10));
    assertThat(release(10)).containsExactly("b@2", "a@3", "a@1");
    assertThat(buffer.isEmpty()).isTrue();
    assertThat(buffer.first()).isEmpty();
  }

  @Test
  void of_one_schedule_and_partition_they_keep_the_order_of_the_partition() {
    add("a", SCHEDULES, 0, 30);
    add("a", SCHEDULES, 0, 10);
    add("a", SCHEDULES, 1, 20);
    add("b", SCHEDULES, 0, 15);
    assertThat(release(10)).containsExactly("b@4", "a@3", "a@1", "a@2");
  }

  @Test
  void what_waits_for_a_stray_in_transit_stays_and_delays_no_other_schedule() {
    inTransit.sent(id("a"), "elsewhere", T0);
    add("a", COMMANDS, 0, 20);
    add("a", SCHEDULES, 1, 25);
    add("b", COMMANDS, 0, 30);
    assertThat(release(10)).containsExactly("b@3");
    assertThat(buffer.contains(id("a"))).isTrue();
    assertThat(buffer.contains(id("b"))).isFalse();
    inTransit.sent(id("a"), "later", T0);
    inTransit.arrived("a", "elsewhere");
    assertThat(release(1)).containsExactly("a@1");
    assertThat(release(1)).containsExactly("a@2");
  }

  @Test
  void definitions_do_not_wait_for_strays_in_transit() {
    inTransit.sent(id("a"), "elsewhere", T0);
    add("a", SCHEDULES, 0, 10);
    add("a", SCHEDULES, 1, 20);
    assertThat(release(10)).containsExactly("a@1", "a@2");
  }

  @Test
  void a_command_waits_for_a_stray_that_was_read_after_it_and_written_earlier() {
    add("a", COMMANDS, 0, 20);
    add("a", SCHEDULES, 1, 10);
    buffer.reads(true);
    assertThat(buffer.holdsReadBefore()).isTrue();
    assertThat(release(10, inbound -> inTransit.sent(id("a"), inbound.revision(), T0)))
        .isEqualTo(1);
    add("a", SCHEDULES, 2, 5);
    assertThat(release(10, inbound -> inTransit.sent(id("a"), inbound.revision(), T0)))
        .isEqualTo(1);
    assertThat(release(10)).isEmpty();
    inTransit.arrived("a", SCHEDULES + "-1@2");
    assertThat(release(10)).as("not for one that came later").containsExactly("a@1");
    assertThat(buffer.holdsReadBefore()).isFalse();
  }

  @Test
  void only_what_waits_for_more_than_strays_in_transit_keeps_their_schedule_in_order() {
    inTransit.sent(id("a"), "elsewhere", T0);
    add("a", COMMANDS, 0, 10);
    assertThat(buffer.orders(id("a"))).isFalse();
    add("a", SCHEDULES, 0, 20);
    assertThat(buffer.orders(id("a"))).isTrue();
    add("b", COMMANDS, 0, 10);
    assertThat(buffer.orders(id("b"))).isTrue();
  }

  @Test
  void what_is_read_after_the_ends_holds_up_nothing_that_was_due_before() {
    add("a", COMMANDS, 0, 20);
    assertThat(buffer.first()).contains(T0.plusSeconds(20));
    release(1);
    buffer.reads(true);
    add("a", COMMANDS, 0, 30);
    assertThat(buffer.first()).as("read at 100").contains(T0.plusSeconds(100));
    add("b", COMMANDS, 0, 130);
    assertThat(buffer.first()).contains(T0.plusSeconds(100));
  }

  @Test
  void the_first_record_acts_if_it_must() {
    inTransit.sent(id("a"), "elsewhere", T0);
    add("a", COMMANDS, 0, 20);
    add("a", COMMANDS, 0, 30);
    List<Long> acted = new ArrayList<>();
    buffer.releaseFirst(released -> acted.add(released.inbound().offset()));
    assertThat(acted).containsExactly(1L);
  }

  @Test
  void a_restart_forgets_none() {
    add("a", SCHEDULES, 0, 30);
    add("a", COMMANDS, 0, 20);
    add("b", COMMANDS, 0, 10);
    release(1);
    buffer = TestAdmission.buffer(task, inTransit);
    add("c", COMMANDS, 0, 25);
    assertThat(release(10)).containsExactly("a@2", "c@4", "a@1");
    buffer = TestAdmission.buffer(task, inTransit);
    assertThat(buffer.isEmpty()).isTrue();
  }

  @Test
  void it_knows_what_defines_a_schedule_at_home_and_which_stray_is_there_already() {
    Inbound stray = inbound("a", SCHEDULES, 1, 10);
    assertThat(buffer.isRedefined(id("a"))).isFalse();
    add("a", SCHEDULES, 1, 5);
    assertThat(buffer.isRedefined(id("a"))).isFalse();
    Inbound copy = inbound("a", SCHEDULES, 0, 10);
    copy.headers().add(HeaderNames.STRAY, stray.revision().getBytes(UTF_8));
    task.applier().apply(buffer.add(copy, T0));
    assertThat(buffer.isRedefined(id("a"))).isTrue();
    assertThat(buffer.isRedefined(id("b"))).isFalse();
    assertThat(buffer.isCopied(stray)).isTrue();
    assertThat(buffer.isCopied(inbound("a", SCHEDULES, 1, 10))).isFalse();
    release(10);
    assertThat(buffer.isRedefined(id("a"))).isFalse();
    assertThat(buffer.isCopied(stray)).isFalse();
  }

  /** Anyone may write the header: what waits takes memory that does not depend on its length. */
  @Test
  void a_text_that_is_too_long_for_the_place_of_a_stray_is_not_kept() {
    for (int length : new int[] {249, 60_000}) {
      Inbound stray = inbound("a", "t".repeat(length), 1, 10);
      Inbound copy = inbound("a", SCHEDULES, 0, 10);
      copy.headers().add(HeaderNames.STRAY, stray.revision().getBytes(UTF_8));
      task.applier().apply(buffer.add(copy, T0));
      assertThat(buffer.isCopied(stray)).isEqualTo(length == 249);
    }
  }

  @Test
  void it_is_full_by_number_and_by_size() {
    for (int i = 0; i < ReorderBuffer.MOST_RECORDS; i++) {
      assertThat(buffer.isFull()).isFalse();
      add("k" + i, COMMANDS, 0, i);
    }
    assertThat(buffer.isFull()).isTrue();
    release(1);
    assertThat(buffer.isFull()).isFalse();
    release(Integer.MAX_VALUE);
    byte[] large = new byte[1 << 20];
    for (int i = 0; i < ReorderBuffer.MOST_BYTES >> 20; i++) {
      assertThat(buffer.isFull()).isFalse();
      Inbound small = inbound("a", COMMANDS, 0, i);
      Inbound inbound =
          new Inbound(
              small.key(), Optional.of(large), small.headers(), small.timestamp(), COMMANDS, 0, i);
      task.applier().apply(buffer.add(inbound, T0));
    }
    assertThat(buffer.isFull()).isTrue();
  }

  private List<String> release(int limit) {
    List<String> acted = new ArrayList<>();
    int count = release(limit, inbound -> acted.add(inbound.keyText() + "@" + inbound.offset()));
    assertThat(count).isEqualTo(acted.size());
    return acted;
  }

  private int release(int limit, Consumer<Inbound> admit) {
    return buffer.release(
        limit,
        released -> {
          task.applier().apply(released.effect());
          admit.accept(released.inbound());
        },
        () -> false);
  }

  private void add(String id, String topic, int partition, int at) {
    task.applier().apply(buffer.add(inbound(id, topic, partition, at), T0.plusSeconds(100)));
  }

  private Inbound inbound(String id, String topic, int partition, int at) {
    offset++;
    return new Inbound(
        Optional.of(id.getBytes(UTF_8)),
        Optional.of("{}".getBytes(UTF_8)),
        new RecordHeaders(),
        T0.plusSeconds(at),
        topic,
        partition,
        offset);
  }

  private static ScheduleId id(String id) {
    return ScheduleId.parse(id);
  }
}

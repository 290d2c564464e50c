package io.waterclock.topology.scheduler.admit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.apply.TestTask;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.store.ProgressStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/** In which order waiting records act. */
final class IntakeTest {
  private static final Instant T0 = Instant.parse("2026-11-20T10:00:00Z");
  private static final String SCHEDULES = "waterclock.schedules";
  private static final String COMMANDS = "waterclock.commands";

  private final TaskContext task =
      TestTask.with(Stores.inMemoryKeyValueStore(ProgressStore.NAME).get());
  private Intake intake = new Intake(task, task.applier()::apply);
  private long offset;

  @Test
  void records_act_in_the_order_of_their_timestamps() {
    add("a", SCHEDULES, 0, 30);
    add("b", COMMANDS, 0, 10);
    add("a", COMMANDS, 2, 20);
    assertThat(intake.first()).contains(T0.plusSeconds(10));
    assertThat(release(10)).containsExactly("b@2", "a@3", "a@1");
    assertThat(intake.isEmpty()).isTrue();
    assertThat(intake.first()).isEmpty();
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
  void what_may_not_act_stays_and_delays_no_other_schedule() {
    add("a", SCHEDULES, 1, 10);
    add("a", COMMANDS, 0, 20);
    add("b", COMMANDS, 0, 30);
    assertThat(release(10, Set.of("a"))).containsExactly("b@3");
    assertThat(intake.contains(id("a"))).isTrue();
    assertThat(intake.contains(id("b"))).isFalse();
    assertThat(release(1)).containsExactly("a@1");
    assertThat(release(1)).containsExactly("a@2");
  }

  @Test
  void a_restart_forgets_none() {
    add("a", SCHEDULES, 0, 30);
    add("a", COMMANDS, 0, 20);
    add("b", COMMANDS, 0, 10);
    release(1);
    intake = new Intake(task, task.applier()::apply);
    add("c", COMMANDS, 0, 25);
    assertThat(release(10)).containsExactly("a@2", "c@4", "a@1");
    intake = new Intake(task, task.applier()::apply);
    assertThat(intake.isEmpty()).isTrue();
  }

  @Test
  void it_knows_what_defines_a_schedule_at_home_and_which_stray_is_there_already() {
    Inbound stray = inbound("a", SCHEDULES, 1, 10);
    assertThat(intake.isRedefined(id("a"))).isFalse();
    add("a", SCHEDULES, 1, 5);
    assertThat(intake.isRedefined(id("a"))).isFalse();
    Inbound copy = inbound("a", SCHEDULES, 0, 10);
    copy.headers().add(Headers.STRAY, stray.revision().getBytes(UTF_8));
    intake.add(copy);
    assertThat(intake.isRedefined(id("a"))).isTrue();
    assertThat(intake.isRedefined(id("b"))).isFalse();
    assertThat(intake.isCopied(stray)).isTrue();
    assertThat(intake.isCopied(inbound("a", SCHEDULES, 1, 10))).isFalse();
    release(10);
    assertThat(intake.isRedefined(id("a"))).isFalse();
    assertThat(intake.isCopied(stray)).isFalse();
  }

  @Test
  void it_is_full_by_number_and_by_size() {
    for (int i = 0; i < Intake.MOST_RECORDS; i++) {
      assertThat(intake.isFull()).isFalse();
      add("k" + i, COMMANDS, 0, i);
    }
    assertThat(intake.isFull()).isTrue();
    release(1);
    assertThat(intake.isFull()).isFalse();
    release(Integer.MAX_VALUE);
    byte[] large = new byte[1 << 20];
    for (int i = 0; i < Intake.MOST_BYTES >> 20; i++) {
      assertThat(intake.isFull()).isFalse();
      Inbound small = inbound("a", COMMANDS, 0, i);
      intake.add(
          new Inbound(
              small.key(), Optional.of(large), small.headers(), small.timestamp(), COMMANDS, 0, i));
    }
    assertThat(intake.isFull()).isTrue();
  }

  private List<String> release(int limit) {
    return release(limit, Set.of());
  }

  private List<String> release(int limit, Set<String> blocked) {
    List<String> acted = new ArrayList<>();
    int count =
        intake.release(
            limit,
            id -> !blocked.contains(id.value()),
            inbound -> acted.add(inbound.keyText() + "@" + inbound.offset()));
    assertThat(count).isEqualTo(acted.size());
    return acted;
  }

  private void add(String id, String topic, int partition, int at) {
    intake.add(inbound(id, topic, partition, at));
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

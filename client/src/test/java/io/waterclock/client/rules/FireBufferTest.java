package io.waterclock.client.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.waterclock.client.TestFires;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class FireBufferTest {
  private static final Instant NINE = Instant.parse("2026-11-21T09:00:00Z");
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  private final FireBuffer<String> buffer = new FireBuffer<>(4, Map.of(), Fire::getScheduleId);
  private final List<String> left = new ArrayList<>();
  private long offset;

  private static Backlog sinceNine(long end) {
    return new Backlog(List.of(new Downtime(Optional.of(NINE.minusSeconds(1)), NOON, end)));
  }

  private Fire fire(String id, int hour, CatchUp catchUp) {
    return TestFires.of(
        id, NINE.plus(HOUR.multipliedBy(hour - 9)), HOUR, schedule -> schedule.setCatchUp(catchUp));
  }

  private void add(AssignedPartition source, Fire fire) {
    buffer
        .add(new BufferedFire<>(source, offset++, fire, RunPolicy.of(fire), name(fire)))
        .ifPresent(gone -> left.add(gone.work().attachment() + " " + gone.reason()));
  }

  private static String name(Fire fire) {
    return fire.getScheduleId() + Duration.between(NINE, fire.getOccurrence()).toHours();
  }

  private Optional<BufferedFire<String>> take() {
    return buffer.take(NOON);
  }

  private AssignedPartition openWithTwoOfAAndOneOfB() {
    AssignedPartition source = buffer.open(Backlog.NONE, 0);
    add(source, fire("a", 9, CatchUp.REPLAY));
    add(source, fire("a", 10, CatchUp.REPLAY));
    add(source, fire("b", 9, CatchUp.REPLAY));
    return source;
  }

  private List<String> takeAll() {
    List<String> taken = new ArrayList<>();
    for (Optional<BufferedFire<String>> work = take(); work.isPresent(); work = take()) {
      taken.add(work.get().attachment());
      buffer.end(work.get());
      work.get().mark().settle();
    }
    return taken;
  }

  @Test
  void a_schedule_has_one_turn_at_a_time_in_order_and_others_run_in_parallel() {
    openWithTwoOfAAndOneOfB();
    BufferedFire<String> first = take().orElseThrow();
    assertThat(first.attachment()).isEqualTo("a0");
    assertThat(take().map(BufferedFire::attachment)).contains("b0");
    assertThat(take()).isEmpty();
    buffer.end(first);
    assertThat(take().map(BufferedFire::attachment)).contains("a1");
  }

  @Test
  void a_queue_with_a_share_has_its_own_order_and_delays_no_other_queue() {
    FireBuffer<String> shared = new FireBuffer<>(10, Map.of("slow", 1), Fire::getScheduleId);
    AssignedPartition source = shared.open(Backlog.NONE, 0);
    for (String id : List.of("slow1", "slow2", "slow3", "other")) {
      Fire fire = fire(id, 9, CatchUp.REPLAY);
      fire.getSchedule().setQueue(id.startsWith("slow") ? "slow" : "unbounded");
      fire.getSchedule().setPriority(id.equals("slow3") ? -1 : id.equals("other") ? 5 : 0);
      shared.add(new BufferedFire<>(source, offset++, fire, RunPolicy.of(fire), id));
    }
    assertThat(shared.ready()).as("one of its share, and the other").isEqualTo(2);
    BufferedFire<String> first = shared.take(NOON).orElseThrow();
    assertThat(first.attachment()).isEqualTo("slow3");
    assertThat(shared.take(NOON).map(BufferedFire::attachment)).contains("other");
    assertThat(shared.take(NOON)).isEmpty();
    shared.again(first, NOON.plusSeconds(1));
    BufferedFire<String> second = shared.take(NOON).orElseThrow();
    assertThat(second.attachment()).as("while the first waits for its retry").isEqualTo("slow1");
    assertThat(shared.take(NOON.plusSeconds(1))).as("its share is used").isEmpty();
    shared.end(second);
    assertThat(shared.take(NOON.plusSeconds(1)).map(BufferedFire::attachment)).contains("slow3");
  }

  @Test
  void lower_priority_numbers_run_first_and_then_earlier_fires() {
    AssignedPartition source = buffer.open(Backlog.NONE, 0);
    for (String id : List.of("c", "a", "b")) {
      Fire fire = fire(id, 9, CatchUp.REPLAY);
      fire.getSchedule().setPriority(id.equals("b") ? -1 : 0);
      add(source, fire);
    }
    assertThat(takeAll()).containsExactly("b0", "c0", "a0");
  }

  @Test
  void the_newest_fire_of_a_backlog_to_collapse_runs_and_has_the_count_of_the_others() {
    AssignedPartition source = buffer.open(sinceNine(4), 0);
    add(source, fire("a", 9, CatchUp.COLLAPSE));
    Fire second = fire("a", 10, CatchUp.COLLAPSE);
    second.setCollapsed(new Collapsed(3L, true, NINE.minus(HOUR)));
    add(source, second);
    assertThat(take()).as("a newer one may come").isEmpty();
    add(source, fire("a", 11, CatchUp.COLLAPSE));
    assertThat(left).containsExactly("a0 COLLAPSED", "a1 COLLAPSED");
    buffer.passed(source, 4);
    BufferedFire<String> run = take().orElseThrow();
    assertThat(run.attachment()).isEqualTo("a2");
    assertThat(run.collapsed()).contains(new Collapsed(5L, true, NINE.minus(HOUR)));
  }

  @Test
  void no_fire_older_than_grace_runs_of_a_backlog_to_skip() {
    AssignedPartition source = buffer.open(sinceNine(3), 0);
    add(source, fire("a", 9, CatchUp.SKIP));
    add(source, fire("a", 11, CatchUp.SKIP));
    add(source, fire("a", 12, CatchUp.SKIP));
    assertThat(left).containsExactly("a0 SKIPPED", "a2 SKIPPED");
    assertThat(takeAll()).as("not older than grace").containsExactly("a3");
  }

  @Test
  void a_backlog_to_replay_runs_and_so_do_triggered_and_caught_up_fires() {
    AssignedPartition source = buffer.open(sinceNine(5), 0);
    add(source, fire("a", 9, CatchUp.REPLAY));
    add(source, fire("a", 10, CatchUp.REPLAY));
    for (Cause cause : List.of(Cause.BACKFILL, Cause.CATCH_UP, Cause.TRIGGERED)) {
      Fire fire = fire(cause.name(), 9, CatchUp.SKIP);
      fire.setCause(cause);
      add(source, fire);
    }
    assertThat(left).isEmpty();
    assertThat(takeAll()).containsExactly("a0", "a1", "BACKFILL0", "CATCH_UP0", "TRIGGERED0");
  }

  @Test
  void a_long_queue_is_not_a_backlog_while_workers_are_running() {
    AssignedPartition source =
        buffer.open(new Backlog(List.of(new Downtime(Optional.of(NOON), NOON, 2))), 0);
    add(source, fire("a", 9, CatchUp.COLLAPSE));
    add(source, fire("a", 10, CatchUp.SKIP));
    assertThat(takeAll()).containsExactly("a0", "a1");
  }

  @Test
  void fires_after_the_takeover_are_not_backlog() {
    AssignedPartition source = buffer.open(sinceNine(1), 0);
    add(source, fire("a", 9, CatchUp.COLLAPSE));
    add(source, fire("a", 10, CatchUp.COLLAPSE));
    assertThat(takeAll()).containsExactly("a0", "a1");
  }

  @Test
  void a_full_buffer_does_not_wait_for_a_newer_fire() {
    AssignedPartition source = buffer.open(sinceNine(100), 0);
    for (String id : List.of("a", "b", "c")) {
      add(source, fire(id, 9, CatchUp.COLLAPSE));
    }
    assertThat(take()).isEmpty();
    add(source, fire("d", 9, CatchUp.COLLAPSE));
    assertThat(source.isCrowded()).isTrue();
    assertThat(takeAll()).containsExactly("a0", "b0", "c0", "d0");
    assertThat(source.isCrowded()).isFalse();
  }

  @Test
  void no_fire_waits_for_a_newer_one_while_reading_is_paused() {
    AssignedPartition source = buffer.open(sinceNine(100), 0);
    add(source, fire("a", 9, CatchUp.REPLAY));
    add(source, fire("a", 10, CatchUp.COLLAPSE));
    add(source, fire("a", 11, CatchUp.REPLAY));
    add(source, fire("a", 12, CatchUp.REPLAY));
    assertThat(source.isCrowded()).isTrue();
    assertThat(takeAll()).containsExactly("a0", "a1", "a2", "a3");
  }

  @Test
  void the_offset_stays_before_unfinished_records() {
    AssignedPartition source = buffer.open(Backlog.NONE, 7);
    assertThat(source.committable()).isEqualTo(7);
    offset = 7;
    add(source, fire("a", 9, CatchUp.REPLAY));
    add(source, fire("b", 9, CatchUp.REPLAY));
    UnfinishedRecord poison = source.mark(9);
    BufferedFire<String> a = take().orElseThrow();
    BufferedFire<String> b = take().orElseThrow();
    b.mark().settle();
    assertThat(source.committable()).isEqualTo(7);
    a.mark().settle();
    assertThat(source.committable()).isEqualTo(9);
    poison.settle();
    assertThat(source.committable()).isEqualTo(10);
    buffer.passed(source, 15);
    assertThat(source.committable()).isEqualTo(15);
  }

  @Test
  void a_failed_fire_delays_its_own_lane_only() {
    openWithTwoOfAAndOneOfB();
    BufferedFire<String> failed = take().orElseThrow();
    buffer.again(failed, NOON.plusSeconds(1));
    assertThat(buffer.nextAttempt()).contains(NOON.plusSeconds(1));
    assertThat(takeAll()).containsExactly("b0");
    assertThat(buffer.take(NOON.plusMillis(999))).isEmpty();
    assertThat(buffer.take(NOON.plusSeconds(1))).contains(failed);
    buffer.end(failed);
    assertThat(takeAll()).containsExactly("a1");
  }

  @Test
  void a_fire_that_waits_before_a_running_one_still_runs_when_its_partition_is_handed_back() {
    AssignedPartition source = openWithTwoOfAAndOneOfB();
    add(source, fire("b", 10, CatchUp.REPLAY));
    BufferedFire<String> first = take().orElseThrow();
    take().orElseThrow().mark().settle();
    assertThat(buffer.drain(source, NOON.plusSeconds(1)).running())
        .extracting(BufferedFire::attachment)
        .containsExactlyInAnyOrder("a0", "a1", "b0");
    first.mark().settle();
    buffer.end(first);
    assertThat(takeAll()).containsExactly("a1");
    assertThat(source.committable()).isEqualTo(3);
  }

  @Test
  void no_fire_runs_before_an_earlier_one_of_its_schedule_that_is_left_to_the_next_owner() {
    AssignedPartition source = openWithTwoOfAAndOneOfB();
    BufferedFire<String> failed = take().orElseThrow();
    BufferedFire<String> behind = take().orElseThrow();
    behind.mark().settle();
    buffer.end(behind);
    failed.nextAttempt();
    buffer.again(failed, NOON.plusSeconds(60));
    FireBuffer.InHand<String> inHand = buffer.drain(source, NOON.plusSeconds(10));
    assertThat(inHand.begun()).containsExactly(failed);
    assertThat(inHand.running()).isEmpty();
    assertThat(takeAll()).isEmpty();
    assertThat(source.committable()).isZero();
  }

  @Test
  void a_partition_that_is_handed_back_starts_no_fire_and_its_running_fires_keep_their_lanes() {
    AssignedPartition old = buffer.open(Backlog.NONE, 0);
    add(old, fire("a", 9, CatchUp.REPLAY));
    add(old, fire("a", 10, CatchUp.REPLAY));
    BufferedFire<String> running = take().orElseThrow();
    assertThat(buffer.close(old).running()).containsExactly(running);
    AssignedPartition again = buffer.open(Backlog.NONE, 0);
    offset = 0;
    add(again, fire("a", 9, CatchUp.REPLAY));
    assertThat(take()).as("it still runs").isEmpty();
    running.mark().settle();
    assertThat(old.committable()).isEqualTo(1);
    buffer.end(running);
    assertThat(take().map(BufferedFire::source)).contains(again);
  }

  @Test
  void a_partition_that_is_handed_back_takes_its_fires_out_of_lanes_that_begin_with_others() {
    AssignedPartition stays = buffer.open(Backlog.NONE, 0);
    AssignedPartition goes = buffer.open(Backlog.NONE, 0);
    add(stays, fire("a", 9, CatchUp.REPLAY));
    add(stays, fire("a", 10, CatchUp.REPLAY));
    BufferedFire<String> running = take().orElseThrow();
    offset = 0;
    add(goes, fire("a", 11, CatchUp.REPLAY));
    add(goes, fire("a", 12, CatchUp.REPLAY));
    assertThat(buffer.drain(goes, NOON.plusSeconds(10)).running()).isEmpty();
    assertThat(buffer.waiting()).isEqualTo(1);
    buffer.end(running);
    running.mark().settle();
    assertThat(takeAll()).as("the next owner has the others").containsExactly("a1");
    assertThat(buffer.close(goes).running()).isEmpty();
    assertThat(goes.committable()).isZero();
    assertThat(stays.committable()).isEqualTo(2);
  }

  @Test
  void a_partition_that_is_handed_back_leaves_the_fires_of_others_in_its_lanes() {
    AssignedPartition goes = buffer.open(Backlog.NONE, 0);
    AssignedPartition retries = buffer.open(Backlog.NONE, 7);
    add(goes, fire("a", 9, CatchUp.REPLAY));
    offset = 7;
    add(retries, fire("a", 10, CatchUp.REPLAY));
    assertThat(buffer.drain(goes, NOON.plusSeconds(10)).running()).isEmpty();
    assertThat(takeAll()).containsExactly("a1");
    assertThat(retries.committable()).isEqualTo(8);
    assertThat(goes.committable()).isZero();
  }

  @Test
  void a_fire_that_waits_for_a_retry_stays_when_another_partition_of_its_lane_is_closed() {
    AssignedPartition stays = buffer.open(Backlog.NONE, 0);
    AssignedPartition goes = buffer.open(Backlog.NONE, 0);
    BufferedFire<String> failed = failedBefore(stays, goes);
    buffer.again(failed, NOON.plusSeconds(1));
    FireBuffer.InHand<String> inHand = buffer.close(goes);
    assertThat(inHand.begun()).isEmpty();
    assertThat(inHand.running()).isEmpty();
    assertThat(takeAll()).as("it waits").isEmpty();
    assertThat(buffer.take(NOON.plusSeconds(1))).contains(failed);
    assertThat(buffer.waiting()).isZero();
  }

  @Test
  void nothing_is_waited_for_that_is_behind_an_attempt_which_begins_too_late() {
    AssignedPartition stays = buffer.open(Backlog.NONE, 0);
    AssignedPartition goes = buffer.open(Backlog.NONE, 0);
    BufferedFire<String> failed = failedBefore(stays, goes);
    add(goes, fire("b", 10, CatchUp.REPLAY));
    assertThat(takeAll()).containsExactly("b1");
    buffer.again(failed, NOON.plusSeconds(20));
    FireBuffer.InHand<String> inHand = buffer.drain(goes, NOON.plusSeconds(10));
    assertThat(inHand.running()).isEmpty();
    assertThat(buffer.take(NOON.plusSeconds(20))).contains(failed);
    assertThat(buffer.waiting()).isZero();
  }

  /** A fire whose attempt has failed, with one of another partition behind it in its lane. */
  private BufferedFire<String> failedBefore(AssignedPartition stays, AssignedPartition goes) {
    add(stays, fire("a", 9, CatchUp.REPLAY));
    BufferedFire<String> failed = take().orElseThrow();
    failed.nextAttempt();
    offset = 0;
    add(goes, fire("a", 10, CatchUp.REPLAY));
    return failed;
  }

  @Test
  void a_fire_that_is_replaced_by_one_of_another_partition_makes_room_in_its_own() {
    AssignedPartition older = buffer.open(sinceNine(100), 0);
    AssignedPartition newer = buffer.open(sinceNine(100), 0);
    for (String id : List.of("a", "b", "c", "d")) {
      add(older, fire(id, 9, CatchUp.COLLAPSE));
    }
    assertThat(older.isCrowded()).isTrue();
    offset = 0;
    add(newer, fire("a", 10, CatchUp.COLLAPSE));
    add(newer, fire("b", 10, CatchUp.COLLAPSE));
    assertThat(left).containsExactly("a0 COLLAPSED", "b0 COLLAPSED");
    assertThat(older.isCrowded()).as("2 of 4").isFalse();
  }

  @Test
  void reading_pauses_at_the_capacity_and_goes_on_when_half_of_it_is_free() {
    AssignedPartition source = buffer.open(Backlog.NONE, 0);
    for (String id : List.of("a", "b", "c")) {
      add(source, fire(id, 9, CatchUp.REPLAY));
    }
    assertThat(source.isCrowded()).as("3 of 4").isFalse();
    add(source, fire("d", 9, CatchUp.REPLAY));
    assertThat(source.isCrowded()).as("4 of 4").isTrue();
    assertThat(take()).isPresent();
    assertThat(source.isCrowded()).as("3 of 4, after it was full").isTrue();
    assertThat(take()).isPresent();
    assertThat(source.isCrowded()).as("2 of 4").isFalse();
  }

  @Test
  void a_partition_is_full_of_four_mebibytes_until_half_of_them_are_taken() {
    FireBuffer<String> large = new FireBuffer<>(1_000, Map.of(), Fire::getScheduleId);
    AssignedPartition source = large.open(Backlog.NONE, 0);
    for (int i = 0; i < 16; i++) {
      assertThat(source.isCrowded()).as("%s of 16", i).isFalse();
      Fire fire =
          TestFires.of("a" + i, NINE, HOUR, job -> job.setPayload(ByteBuffer.allocate(256 << 10)));
      large.add(new BufferedFire<>(source, i, fire, RunPolicy.of(fire), "a" + i));
    }
    for (int left = 16; left > 7; left--) {
      assertThat(source.isCrowded()).as("%s of 16", left).isTrue();
      assertThat(large.take(NOON)).isPresent();
    }
    assertThat(source.isCrowded()).as("7 of 16").isFalse();
  }

  @Test
  void reading_pauses_twenty_capacities_behind_a_record_that_does_not_end() {
    AssignedPartition source = buffer.open(Backlog.NONE, 0);
    List<UnfinishedRecord> records = new ArrayList<>();
    for (int i = 0; i < 79; i++) {
      records.add(source.mark(i));
    }
    assertThat(source.isCrowded()).isFalse();
    records.add(source.mark(79));
    assertThat(source.isCrowded()).isTrue();
    records.subList(1, 40).forEach(UnfinishedRecord::settle);
    assertThat(source.isCrowded()).as("the first has not ended").isTrue();
    records.get(40).settle();
    assertThat(source.isCrowded()).isTrue();
    records.get(0).settle();
    assertThat(source.isCrowded()).as("39 of 80").isFalse();
  }

  @Test
  void reading_goes_on_when_half_of_the_window_is_free() {
    AssignedPartition source = buffer.open(Backlog.NONE, 0);
    List<UnfinishedRecord> records = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      records.add(source.mark(i));
    }
    assertThat(source.isCrowded()).isTrue();
    records.subList(0, 39).forEach(UnfinishedRecord::settle);
    assertThat(source.isCrowded()).as("41 of 80").isTrue();
    records.get(39).settle();
    assertThat(source.isCrowded()).as("40 of 80").isFalse();
  }

  @Test
  void a_fire_that_waits_for_a_retry_takes_room() {
    AssignedPartition source = buffer.open(Backlog.NONE, 0);
    add(source, fire("a", 9, CatchUp.REPLAY));
    BufferedFire<String> failed = take().orElseThrow();
    for (String id : List.of("b", "c", "d")) {
      add(source, fire(id, 9, CatchUp.REPLAY));
    }
    assertThat(source.isCrowded()).isFalse();
    buffer.again(failed, NOON.plusSeconds(1));
    assertThat(source.isCrowded()).isTrue();
    assertThat(buffer.waiting()).isEqualTo(4);
    assertThat(buffer.ready()).isEqualTo(3);
  }

  @Test
  void a_retry_that_fills_the_buffer_ends_the_wait_for_newer_fires() {
    AssignedPartition source = buffer.open(sinceNine(100), 0);
    add(source, fire("a", 9, CatchUp.REPLAY));
    BufferedFire<String> failed = take().orElseThrow();
    for (String id : List.of("b", "c", "d")) {
      add(source, fire(id, 9, CatchUp.COLLAPSE));
    }
    assertThat(take()).as("newer ones may come").isEmpty();
    buffer.again(failed, NOON.plusSeconds(1));
    assertThat(takeAll()).containsExactly("b0", "c0", "d0");
  }

  @Test
  void two_retries_of_the_same_instant_both_run() {
    AssignedPartition source = buffer.open(Backlog.NONE, 0);
    add(source, fire("a", 9, CatchUp.REPLAY));
    add(source, fire("b", 9, CatchUp.REPLAY));
    BufferedFire<String> a = take().orElseThrow();
    BufferedFire<String> b = take().orElseThrow();
    buffer.again(b, NOON);
    buffer.again(a, NOON);
    assertThat(takeAll()).containsExactly("a0", "b0");
  }

  @Test
  void a_fire_that_replaces_an_older_one_of_a_full_buffer_has_its_own_place_in_the_order() {
    AssignedPartition source = buffer.open(sinceNine(100), 0);
    for (String id : List.of("a", "b", "c", "d")) {
      add(source, fire(id, 9, CatchUp.COLLAPSE));
    }
    add(source, fire("a", 10, CatchUp.COLLAPSE));
    assertThat(left).containsExactly("a0 COLLAPSED");
    assertThat(takeAll()).containsExactly("b0", "c0", "d0", "a1");
  }

  @Test
  void a_fire_of_another_assignment_replaces_none_that_was_handed_back() {
    AssignedPartition old = buffer.open(sinceNine(100), 0);
    add(old, fire("a", 9, CatchUp.REPLAY));
    BufferedFire<String> running = take().orElseThrow();
    add(old, fire("a", 10, CatchUp.COLLAPSE));
    buffer.close(old);
    AssignedPartition again = buffer.open(sinceNine(2), 1);
    offset = 1;
    add(again, fire("a", 10, CatchUp.COLLAPSE));
    assertThat(left).isEmpty();
    buffer.end(running);
    assertThat(takeAll()).containsExactly("a1");
  }

  @Test
  void a_fire_that_never_started_is_forgotten_when_its_partition_is_handed_back() {
    AssignedPartition source = buffer.open(Backlog.NONE, 0);
    add(source, fire("a", 9, CatchUp.REPLAY));
    FireBuffer.InHand<String> inHand = buffer.close(source);
    assertThat(inHand.begun()).isEmpty();
    assertThat(inHand.running()).isEmpty();
    assertThat(buffer.waiting()).isZero();
  }

  @Test
  void a_fire_stands_for_the_earliest_occurrence_of_all_that_it_replaces() {
    AssignedPartition source = buffer.open(sinceNine(2), 0);
    Fire older = fire("a", 9, CatchUp.COLLAPSE);
    older.setCollapsed(new Collapsed(1L, true, NINE.minus(HOUR)));
    add(source, older);
    Fire newer = fire("a", 11, CatchUp.COLLAPSE);
    newer.setCollapsed(new Collapsed(1L, false, NINE.plus(HOUR)));
    add(source, newer);
    assertThat(take().orElseThrow().collapsed())
        .contains(new Collapsed(3L, true, NINE.minus(HOUR)));
  }

  @Test
  void a_count_is_exact_if_all_its_parts_are() {
    AssignedPartition source = buffer.open(sinceNine(2), 0);
    add(source, fire("a", 9, CatchUp.COLLAPSE));
    Fire newer = fire("a", 11, CatchUp.COLLAPSE);
    newer.setCollapsed(new Collapsed(1L, false, NINE.plus(HOUR)));
    add(source, newer);
    assertThat(take().orElseThrow().collapsed()).contains(new Collapsed(2L, false, NINE));
  }

  @Test
  void only_a_fire_that_has_its_turn_can_end_it() {
    AssignedPartition source = buffer.open(Backlog.NONE, 0);
    add(source, fire("a", 9, CatchUp.REPLAY));
    BufferedFire<String> work = take().orElseThrow();
    add(source, fire("a", 10, CatchUp.REPLAY));
    buffer.end(work);
    assertThatIllegalStateException().isThrownBy(() -> buffer.again(work, NOON));
    BufferedFire<String> next = take().orElseThrow();
    assertThatIllegalStateException()
        .as("the next one has it")
        .isThrownBy(() -> buffer.again(work, NOON));
    buffer.end(next);
    assertThatIllegalStateException()
        .as("its lane is gone")
        .isThrownBy(() -> buffer.again(work, NOON));
  }
}

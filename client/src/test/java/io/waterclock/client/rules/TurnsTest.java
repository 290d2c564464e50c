package io.waterclock.client.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.TestFires;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class TurnsTest {
  private static final Instant TEN = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Memory memory = new Memory();
  private final FireBuffer<String> buffer = new FireBuffer<>(10, Map.of(), Fire::getScheduleId);
  private final Turns<String> turns =
      new Turns<>(buffer, memory, memory::lastStart, PATIENCE, new SplittableRandom(1));
  private final AssignedPartition source = open();

  private AssignedPartition open() {
    return buffer.open(Backlog.NONE, 0);
  }

  private void add(AssignedPartition to, Consumer<Schedule> definition) {
    add(to, 0, "a", definition);
  }

  private BufferedFire<String> add(
      AssignedPartition to, int offset, String schedule, Consumer<Schedule> definition) {
    Instant occurrence = TEN.plus(Duration.ofMinutes(offset));
    Fire fire = TestFires.of(schedule, occurrence, Duration.ofMinutes(1), definition);
    BufferedFire<String> work = new BufferedFire<>(to, offset, fire, RunPolicy.of(fire), "");
    buffer.add(work);
    return work;
  }

  private BufferedFire<String> runs(Instant now) {
    Turn<String> turn = turns.next(now).orElseThrow();
    assertThat(turn).isInstanceOf(Turn.Run.class);
    return turn.work();
  }

  @Test
  void a_fire_is_tried_max_attempts_times_with_growing_pauses() {
    add(source, schedule -> schedule.setMaxAttempts(3));
    Instant now = TEN;
    for (int attempt = 1; attempt < 3; attempt++) {
      BufferedFire<String> work = runs(now);
      assertThat(work.attempt()).isEqualTo(attempt);
      RetryDecision.Again again =
          (RetryDecision.Again) turns.failed(work, false, now).orElseThrow();
      assertThat(Duration.between(now, again.at()))
          .isBetween(Duration.ofMillis(100L * attempt), Duration.ofMillis(200L * attempt));
      assertThat(turns.next(again.at().minusNanos(1))).isEmpty();
      now = again.at();
    }
    assertThat(turns.failed(runs(now), false, now))
        .contains(RetryDecision.Failed.ATTEMPTS_EXHAUSTED);
  }

  @Test
  void a_run_whose_handler_gives_up_fails_at_once() {
    add(source, schedule -> {});
    assertThat(turns.failed(runs(TEN), true, TEN)).contains(RetryDecision.Failed.GIVEN_UP);
  }

  @Test
  void all_attempts_share_the_timeout() {
    add(source, schedule -> schedule.setTimeoutMs(1_000L));
    BufferedFire<String> work = runs(TEN);
    Instant later = TEN.plusMillis(950);
    assertThat(turns.failed(work, false, later))
        .as("no attempt begins after the timeout")
        .contains(RetryDecision.Failed.TIMED_OUT);
  }

  @Test
  void a_hanging_run_is_cancelled_at_its_deadline_and_abandoned_after_the_patience() {
    add(source, schedule -> {});
    BufferedFire<String> work = runs(TEN);
    Instant deadline = TEN.plusSeconds(30);
    assertThat(turns.nextAlarm()).contains(deadline);
    assertThat(turns.overdue(deadline.minusMillis(1))).isEmpty();
    assertThat(turns.overdue(deadline)).containsExactly(new Turns.Overdue<>(work, false));
    assertThat(work.isCancelled()).isTrue();
    assertThat(turns.overdue(deadline.plus(PATIENCE).minusMillis(1))).isEmpty();
    assertThat(turns.overdue(deadline.plus(PATIENCE)))
        .containsExactly(new Turns.Overdue<>(work, true));
    assertThat(turns.failed(work, false, deadline.plus(PATIENCE)))
        .contains(RetryDecision.Failed.TIMED_OUT);
    assertThat(turns.failed(work, false, deadline.plus(PATIENCE)))
        .as("its result counts for nothing")
        .isEmpty();
    assertThat(turns.nextAlarm()).isEmpty();
  }

  @Test
  void a_fire_that_has_run_is_dropped() {
    add(source, schedule -> {});
    turns.done(runs(TEN));
    add(source, schedule -> {});
    assertThat(turns.next(TEN))
        .get()
        .isInstanceOfSatisfying(
            Turn.Drop.class, drop -> assertThat(drop.reason()).isEqualTo(DropReason.DUPLICATE));
  }

  @Test
  void a_failed_fire_runs_when_a_backfill_emits_it_again() {
    add(source, schedule -> {});
    assertThat(turns.failed(runs(TEN), true, TEN)).contains(RetryDecision.Failed.GIVEN_UP);
    add(source, schedule -> {});
    assertThat(runs(TEN).attempt()).isEqualTo(1);
  }

  @Test
  void a_run_that_fails_after_its_partition_was_lost_is_left_to_the_next_owner() {
    add(source, schedule -> {});
    BufferedFire<String> work = runs(TEN);
    assertThat(turns.close(source)).containsExactly(work);
    assertThat(turns.failed(work, false, TEN)).contains(new RetryDecision.HandedBack());
    add(open(), schedule -> {});
    assertThat(runs(TEN).attempt()).as("claimed anew").isEqualTo(1);
  }

  @Test
  void a_fire_that_waits_for_a_retry_when_its_partition_is_lost_can_be_claimed_again() {
    add(source, schedule -> {});
    turns.failed(runs(TEN), false, TEN);
    assertThat(turns.close(source)).isEmpty();
    assertThat(buffer.nextAttempt()).isEmpty();
    add(open(), schedule -> {});
    assertThat(runs(TEN).attempt()).isEqualTo(1);
  }

  @Test
  void a_retry_runs_if_there_is_time_before_its_partition_is_handed_back() {
    add(source, schedule -> {});
    BufferedFire<String> work = runs(TEN);
    turns.failed(work, false, TEN);
    assertThat(turns.drain(source, TEN.plusSeconds(1))).containsExactly(work);
    Instant second = buffer.nextAttempt().orElseThrow();
    assertThat(turns.failed(runs(second), false, second))
        .get()
        .isInstanceOf(RetryDecision.Again.class);
    Instant third = buffer.nextAttempt().orElseThrow();
    assertThat(turns.failed(runs(third), false, third))
        .as("the fourth attempt would begin after 0.35 s at the least, and 1.4 s at the most")
        .isPresent();
    assertThat(turns.close(source)).isEmpty();
    assertThat(buffer.nextAttempt()).isEmpty();
    add(open(), schedule -> {});
    assertThat(runs(TEN).attempt()).as("claimed anew").isEqualTo(1);
  }

  @Test
  void a_retry_after_the_end_of_its_partition_is_handed_back() {
    add(source, schedule -> schedule.setBackoffMs(10_000));
    BufferedFire<String> work = runs(TEN);
    assertThat(turns.drain(source, TEN.plusSeconds(1))).containsExactly(work);
    assertThat(turns.failed(work, false, TEN)).contains(new RetryDecision.HandedBack());
  }

  @Test
  void no_fire_runs_before_an_earlier_one_of_its_schedule_that_is_handed_back() {
    add(source, schedule -> schedule.setBackoffMs(10_000));
    BufferedFire<String> behind = add(source, 1, "a", schedule -> {});
    add(source, 2, "b", schedule -> {});
    BufferedFire<String> first = runs(TEN);
    BufferedFire<String> other = runs(TEN);
    assertThat(turns.drain(source, TEN.plusSeconds(1)))
        .containsExactlyInAnyOrder(first, behind, other);
    assertThat(turns.failed(first, false, TEN)).contains(new RetryDecision.HandedBack());
    assertThat(turns.next(TEN)).isEmpty();
    assertThat(behind.isEnded()).as("the worker does not wait for it").isTrue();
    other.mark().settle();
    turns.done(other);
    assertThat(source.committable()).isZero();
  }

  @Test
  void fires_of_the_next_assignment_run_though_an_earlier_run_is_handed_back() {
    add(source, schedule -> {});
    BufferedFire<String> zombie = runs(TEN);
    assertThat(turns.close(source)).containsExactly(zombie);
    AssignedPartition again = open();
    add(again, schedule -> {});
    assertThat(turns.failed(zombie, false, TEN)).contains(new RetryDecision.HandedBack());
    assertThat(runs(TEN).source()).isEqualTo(again);
  }

  @Test
  void a_run_that_is_cancelled_before_its_deadline_and_fails_is_handed_back() {
    add(source, schedule -> {});
    BufferedFire<String> work = runs(TEN);
    assertThat(turns.close(source)).containsExactly(work);
    turns.cancel(work, TEN);
    assertThat(turns.nextAlarm()).contains(TEN.plus(PATIENCE));
    assertThat(turns.failed(work, false, TEN)).contains(new RetryDecision.HandedBack());
  }

  @Test
  void a_run_that_was_cancelled_at_its_deadline_has_timed_out_though_the_clock_has_gone_back() {
    add(source, schedule -> {});
    BufferedFire<String> work = runs(TEN);
    assertThat(turns.overdue(TEN.plusSeconds(30))).hasSize(1);
    assertThat(turns.failed(work, false, TEN.plusSeconds(20)))
        .contains(RetryDecision.Failed.TIMED_OUT);
  }

  @Test
  void a_retry_that_hangs_is_cancelled_at_the_deadline_of_the_run() {
    add(source, schedule -> {});
    turns.failed(runs(TEN), false, TEN);
    BufferedFire<String> again = runs(TEN.plusSeconds(1));
    assertThat(again.startedAt()).as("of the first attempt").contains(TEN);
    assertThat(turns.overdue(TEN.plusSeconds(30)))
        .containsExactly(new Turns.Overdue<>(again, false));
  }

  @Test
  void a_failure_after_the_timeout_is_a_timeout_even_if_the_handler_gives_up() {
    add(source, schedule -> {});
    assertThat(turns.failed(runs(TEN), true, TEN.plusSeconds(30)))
        .contains(RetryDecision.Failed.TIMED_OUT);
  }
}

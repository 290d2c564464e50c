package io.waterclock.client.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.TestFires;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.InvalidValueException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a fire waits, for how long, and when it is a dead letter: without Kafka. */
final class RetryPlanTest {
  private static final Instant TEN = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);

  private final Set<String> claimed = new HashSet<>();
  private final FireBuffer<String> buffer = new FireBuffer<>(10, Map.of(), Fire::getScheduleId);
  private final Turns<String> turns =
      new Turns<>(
          buffer,
          new Turns.Claims() {
            @Override
            public boolean claim(String fireId) {
              return claimed.add(fireId);
            }

            @Override
            public void release(String fireId) {
              claimed.remove(fireId);
            }
          },
          schedule -> Optional.of(new LastStart("another", TEN)),
          Duration.ofSeconds(5),
          new SplittableRandom(1));
  private final AssignedPartition source = buffer.open(Backlog.NONE, 0);
  private long offset;

  private static Fire fire(Consumer<Schedule> definition) {
    return TestFires.of("a", TEN, DAY, definition);
  }

  private Turn<String> turn(Fire fire, RetryPlan plan, PastAttempts past, Instant now) {
    RunPolicy policy = RunPolicy.of(fire).withRetry(plan);
    buffer.add(new BufferedFire<>(source, offset++, fire, policy, past, ""));
    return turns.next(now).orElseThrow();
  }

  /** Fails all attempts of a run, each at once, and returns what follows. */
  private RetryDecision fail(Fire fire, RetryPlan plan, PastAttempts past, Instant now) {
    BufferedFire<String> work = turn(fire, plan, past, now).work();
    RetryDecision decision = turns.failed(work, false, now).orElseThrow();
    while (decision instanceof RetryDecision.Again again) {
      work = turns.next(again.at()).orElseThrow().work();
      decision = turns.failed(work, false, now).orElseThrow();
    }
    return decision;
  }

  @Test
  void the_standard_plan_outlives_an_outage_of_ten_minutes_and_ends_after_seven_hours() {
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Duration wait = RetryPlan.standard().next(i, new SplittableRandom(i)).orElseThrow();
      waits.add(wait.toSeconds());
    }
    assertThat(waits.get(0)).isBetween(60L, 66L);
    assertThat(waits.get(0) + waits.get(1)).isBetween(660L, 726L);
    assertThat(waits.get(2)).isBetween(3_600L, 3_960L);
    assertThat(waits.get(3)).isBetween(21_600L, 23_760L);
    assertThat(RetryPlan.standard().next(4, new SplittableRandom(4))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        // waits before, tries before, max_attempts; the last try, the least wait in seconds
        "0; 0; 4; 4; 60",
        "1; 4; 4; 8; 600",
        "2; 8; 4; 12; 3600",
        "3; 12; 1; 13; 21600",
        "0; 0; 1; 1; 60",
      })
  void a_run_whose_attempts_have_failed_waits_and_the_count_goes_on(
      int waits, int tries, int maxAttempts, int last, long leastSeconds) {
    Fire fire = fire(schedule -> schedule.setMaxAttempts(maxAttempts));
    PastAttempts past = waits == 0 ? PastAttempts.NONE : PastAttempts.of(waits, tries);
    RetryDecision decision = fail(fire, RetryPlan.standard(), past, TEN);
    assertThat(decision).isInstanceOf(RetryDecision.Wait.class);
    RetryDecision.Wait wait = (RetryDecision.Wait) decision;
    assertThat(wait.reason()).isEqualTo(RetryDecision.Failed.ATTEMPTS_EXHAUSTED);
    assertThat(Duration.between(TEN, wait.at()).toSeconds())
        .isBetween(leastSeconds, leastSeconds * 11 / 10);
    assertThat(tries + maxAttempts).isEqualTo(last);
    assertThat(claimed).as("the return of the fire passes").isEmpty();
  }

  @Test
  void after_the_last_wait_or_without_a_plan_it_has_failed_for_good() {
    Fire fire = fire(schedule -> schedule.setMaxAttempts(2));
    assertThat(fail(fire, RetryPlan.standard(), PastAttempts.of(4, 8), TEN))
        .isEqualTo(RetryDecision.Failed.ATTEMPTS_EXHAUSTED);
    assertThat(fail(fire, RetryPlan.none(), PastAttempts.NONE, TEN))
        .isEqualTo(RetryDecision.Failed.ATTEMPTS_EXHAUSTED);
  }

  @Test
  void a_run_that_has_timed_out_waits_and_one_that_gives_up_does_not() {
    Fire fire = fire(schedule -> schedule.setTimeoutMs(1_000L));
    BufferedFire<String> late = turn(fire, RetryPlan.standard(), PastAttempts.NONE, TEN).work();
    assertThat(turns.failed(late, false, TEN.plusSeconds(1)))
        .get()
        .isInstanceOfSatisfying(
            RetryDecision.Wait.class,
            wait -> assertThat(wait.reason()).isEqualTo(RetryDecision.Failed.TIMED_OUT));
    BufferedFire<String> over = turn(fire, RetryPlan.standard(), PastAttempts.NONE, TEN).work();
    assertThat(turns.failed(over, true, TEN)).contains(RetryDecision.Failed.GIVEN_UP);
  }

  @Test
  void a_fire_does_not_wait_beyond_its_expiry() {
    Fire fire =
        fire(
            schedule -> {
              schedule.setMaxAttempts(1);
              schedule.setExpiresMs(Duration.ofMinutes(8).toMillis());
            });
    assertThat(fail(fire, RetryPlan.standard(), PastAttempts.NONE, fire.getFiredAt()))
        .isInstanceOf(RetryDecision.Wait.class);
    assertThat(fail(fire, RetryPlan.standard(), PastAttempts.of(1, 1), fire.getFiredAt()))
        .as("ten minutes are too long")
        .isEqualTo(RetryDecision.Failed.ATTEMPTS_EXHAUSTED);
  }

  @Test
  void a_fire_that_returns_runs_however_soon_after_another_and_is_no_start_of_its_schedule() {
    Fire fire = fire(schedule -> schedule.setToleranceMs(1_000L));
    Turn<String> first = turn(fire, RetryPlan.standard(), PastAttempts.NONE, TEN.plusSeconds(60));
    assertThat(first).as("too soon after another start").isInstanceOf(Turn.Drop.class);
    turns.done(first.work());
    assertThat(turn(fire, RetryPlan.standard(), PastAttempts.of(1, 4), TEN.plusSeconds(60)))
        .isInstanceOfSatisfying(
            Turn.Run.class,
            run -> {
              assertThat(run.isStart()).isFalse();
              assertThat(run.work().attempt()).isEqualTo(5);
            });
  }

  @Test
  void other_fires_of_its_schedule_go_on_while_a_fire_waits() {
    Fire fire = fire(schedule -> schedule.setMaxAttempts(1));
    Fire next = TestFires.of("a", TEN.plus(DAY), DAY, schedule -> {});
    assertThat(fail(fire, RetryPlan.standard(), PastAttempts.NONE, TEN))
        .isInstanceOf(RetryDecision.Wait.class);
    assertThat(turn(next, RetryPlan.standard(), PastAttempts.NONE, TEN))
        .isInstanceOf(Turn.Run.class);
  }

  @Test
  void a_plan_is_read_from_text() {
    assertThat(RetryPlan.parse("1m, 10m,1h , 6h")).isEqualTo(RetryPlan.standard());
    assertThat(RetryPlan.parse(" ")).isEqualTo(RetryPlan.none());
    assertThat(RetryPlan.parse("PT90S").after()).containsExactly(Duration.ofSeconds(90));
    assertThatThrownBy(() -> RetryPlan.parse("1m,,2m")).isInstanceOf(InvalidValueException.class);
    assertThatThrownBy(() -> RetryPlan.parse("0s")).hasMessageContaining("a millisecond or more");
  }
}

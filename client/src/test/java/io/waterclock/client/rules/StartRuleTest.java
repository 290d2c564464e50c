package io.waterclock.client.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.waterclock.client.TestFires;
import io.waterclock.schemas.avro.BackoffGrowth;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class StartRuleTest {
  private static final Instant TEN = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static Fire tolerant(Cause cause) {
    Fire fire = TestFires.of("a", TEN, MINUTE, schedule -> schedule.setToleranceMs(5_000L));
    fire.setCause(cause);
    return fire;
  }

  private static StartRule.Verdict judge(Fire fire, Optional<LastStart> last, Instant now) {
    return StartRule.judge(fire, RunPolicy.of(fire), last, now);
  }

  @Test
  void a_scheduled_run_is_dropped_until_interval_minus_tolerance_after_the_last_start() {
    Fire fire = tolerant(Cause.SCHEDULED);
    Optional<LastStart> last = Optional.of(new LastStart("another", TEN));
    assertThat(judge(fire, last, TEN.plusMillis(54_999)))
        .isInstanceOfSatisfying(
            StartRule.Verdict.Drop.class,
            drop -> {
              assertThat(drop.reason()).isEqualTo(DropReason.TOO_SOON);
              assertThat(drop.text()).contains("PT54.999S", "2026-11-21T10:00:55Z");
            });
    assertThat(judge(fire, last, TEN.plusMillis(55_000))).isInstanceOf(StartRule.Verdict.Run.class);
  }

  @Test
  void instants_in_a_made_up_order_give_no_interval_and_no_timeout() {
    Fire fire = tolerant(Cause.SCHEDULED);
    fire.setPrevious(Instant.ofEpochMilli(Long.MAX_VALUE));
    fire.setNext(Instant.ofEpochMilli(Long.MIN_VALUE));
    assertThat(RunPolicy.of(fire).timeout()).isEmpty();
    assertThat(judge(fire, Optional.of(new LastStart("another", TEN)), TEN))
        .isInstanceOf(StartRule.Verdict.Run.class);
    fire.setOccurrence(Instant.ofEpochMilli(Long.MIN_VALUE));
    fire.setNext(Instant.ofEpochMilli(Long.MAX_VALUE));
    assertThat(RunPolicy.of(fire).timeout()).isPresent();
  }

  @Test
  void a_backoff_of_any_length_doubles_up_to_ten_minutes() {
    Fire fire = TestFires.of("a", TEN, MINUTE, schedule -> schedule.setBackoffMs(Long.MAX_VALUE));
    assertThat(RunPolicy.of(fire).backoffAfter(31, new SplittableRandom(1)))
        .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(10));
  }

  @Test
  void a_run_is_not_compared_with_itself_so_a_fire_that_was_handed_back_runs() {
    Fire fire = tolerant(Cause.SCHEDULED);
    assertThat(judge(fire, Optional.of(new LastStart(fire.getFireId(), TEN)), TEN))
        .isInstanceOf(StartRule.Verdict.Run.class);
  }

  @ParameterizedTest
  @EnumSource(names = "SCHEDULED", mode = EnumSource.Mode.EXCLUDE)
  void tolerance_does_not_drop_triggered_or_caught_up_fires(Cause cause) {
    assertThat(judge(tolerant(cause), Optional.of(new LastStart("another", TEN)), TEN))
        .isInstanceOf(StartRule.Verdict.Run.class);
  }

  @Test
  void the_interval_is_the_one_before_the_occurrence_and_for_the_first_one_that_after_it() {
    Fire first = tolerant(Cause.SCHEDULED);
    first.setPrevious(null);
    first.setNext(TEN.plus(Duration.ofHours(1)));
    Optional<LastStart> last = Optional.of(new LastStart("another", TEN));
    assertThat(judge(first, last, TEN.plus(Duration.ofMinutes(59))))
        .isInstanceOf(StartRule.Verdict.Drop.class);
    first.setPrevious(TEN.minus(MINUTE));
    assertThat(judge(first, last, TEN.plusSeconds(55))).isInstanceOf(StartRule.Verdict.Run.class);
  }

  @Test
  void an_expired_fire_is_dropped_whatever_its_cause() {
    Fire fire = TestFires.of("a", TEN, MINUTE, schedule -> schedule.setExpiresMs(2_000L));
    fire.setCause(Cause.TRIGGERED);
    assertThat(judge(fire, Optional.empty(), TEN.plusMillis(1_999)))
        .isInstanceOf(StartRule.Verdict.Run.class);
    assertThat(judge(fire, Optional.empty(), TEN.plusMillis(2_000)))
        .isInstanceOfSatisfying(
            StartRule.Verdict.Drop.class,
            drop -> assertThat(drop.reason()).isEqualTo(DropReason.EXPIRED));
  }

  @Test
  void the_timeout_is_half_the_interval_unless_set_and_none_for_a_schedule_that_fires_once() {
    Fire fire = TestFires.of("a", TEN, MINUTE, schedule -> {});
    assertThat(judge(fire, Optional.empty(), TEN))
        .isEqualTo(new StartRule.Verdict.Run(Optional.of(TEN.plusSeconds(30))));
    fire.getSchedule().setTimeoutMs(7_000L);
    assertThat(judge(fire, Optional.empty(), TEN))
        .isEqualTo(new StartRule.Verdict.Run(Optional.of(TEN.plusSeconds(7))));
    Fire once = TestFires.of("a", TEN, MINUTE, schedule -> {});
    once.setPrevious(null);
    once.setNext(null);
    assertThat(judge(once, Optional.empty(), TEN))
        .isEqualTo(new StartRule.Verdict.Run(Optional.empty()));
  }

  @Test
  void a_timeout_of_none_is_no_limit_whatever_the_interval() {
    Fire fire = TestFires.of("a", TEN, MINUTE, schedule -> schedule.setTimeoutNone(true));
    assertThat(judge(fire, Optional.empty(), TEN))
        .isEqualTo(new StartRule.Verdict.Run(Optional.empty()));
  }

  @Test
  void a_triggered_run_just_before_an_occurrence_has_the_timeout_of_the_whole_interval() {
    Fire fire = TestFires.of("a", TEN.plusMillis(59_000), MINUTE, schedule -> {});
    fire.setCause(Cause.TRIGGERED);
    fire.setPrevious(TEN);
    fire.setNext(TEN.plus(MINUTE));
    assertThat(RunPolicy.of(fire).timeout()).contains(Duration.ofSeconds(30));
  }

  @Test
  void a_backfill_is_not_a_last_start() {
    assertThat(StartRule.counts(tolerant(Cause.BACKFILL))).isFalse();
    assertThat(StartRule.counts(tolerant(Cause.TRIGGERED))).isTrue();
  }

  @Test
  void backoffs_double_and_are_spread_over_their_second_half() {
    SplittableRandom random = new SplittableRandom(7);
    RunPolicy policy = RunPolicy.of(TestFires.of("a", TEN, MINUTE, schedule -> {}));
    for (int attempt = 1; attempt < 100; attempt++) {
      Duration full =
          attempt < 13 ? Duration.ofMillis(200L << (attempt - 1)) : Duration.ofMinutes(10);
      assertThat(policy.backoffAfter(attempt, random)).isBetween(full.dividedBy(2), full);
    }
  }

  @Test
  void a_constant_backoff_is_exact_before_each_attempt() {
    RunPolicy policy =
        RunPolicy.of(
            TestFires.of(
                "a", TEN, MINUTE, schedule -> schedule.setBackoffGrowth(BackoffGrowth.CONSTANT)));
    for (int attempt = 1; attempt < 100; attempt++) {
      assertThat(policy.backoffAfter(attempt, new SplittableRandom(attempt)))
          .isEqualTo(Duration.ofMillis(200));
    }
  }

  @Test
  void without_a_tolerance_the_last_start_does_not_matter() {
    Fire fire = TestFires.of("a", TEN, MINUTE, schedule -> {});
    assertThat(judge(fire, Optional.of(new LastStart("another", TEN)), TEN))
        .isInstanceOf(StartRule.Verdict.Run.class);
  }

  @Test
  void the_timeout_is_half_of_the_time_to_the_next_occurrence_and_at_the_end_since_the_last_one() {
    Fire fire = TestFires.of("a", TEN, MINUTE, schedule -> {});
    fire.setNext(TEN.plus(Duration.ofHours(1)));
    assertThat(RunPolicy.of(fire).timeout()).contains(Duration.ofMinutes(30));
    fire.setNext(null);
    assertThat(RunPolicy.of(fire).timeout()).contains(Duration.ofSeconds(30));
  }

  @Test
  void backoffs_of_runs_that_failed_together_lie_apart() {
    SplittableRandom random = new SplittableRandom(7);
    RunPolicy policy = RunPolicy.of(TestFires.of("a", TEN, MINUTE, schedule -> {}));
    LongSummaryStatistics millis =
        IntStream.range(0, 100)
            .mapToLong(i -> policy.backoffAfter(1, random).toMillis())
            .summaryStatistics();
    assertThat(millis.getMin()).isBetween(100L, 110L);
    assertThat(millis.getMax()).isBetween(190L, 200L);
  }

  @Test
  void a_worker_changes_one_part_of_a_policy_and_keeps_the_others() {
    RunPolicy policy =
        new RunPolicy(
            Optional.of(MINUTE),
            Optional.of(MINUTE),
            Optional.of(MINUTE),
            3,
            MINUTE,
            BackoffGrowth.CONSTANT,
            RetryPlan.none());
    Duration other = Duration.ofSeconds(1);
    assertThat(policy.withTimeout(other)).isEqualTo(policy(other, MINUTE, MINUTE, 3, MINUTE));
    assertThat(policy.withExpires(other)).isEqualTo(policy(MINUTE, other, MINUTE, 3, MINUTE));
    assertThat(policy.withTolerance(other)).isEqualTo(policy(MINUTE, MINUTE, other, 3, MINUTE));
    assertThat(policy.withAttempts(1, other)).isEqualTo(policy(MINUTE, MINUTE, MINUTE, 1, other));
    assertThat(policy.withoutTimeout().timeout()).isEmpty();
    assertThat(policy.withoutTimeout().withTimeout(MINUTE)).isEqualTo(policy);
    RunPolicy doubling = policy.withGrowth(BackoffGrowth.DOUBLING);
    assertThat(doubling.growth()).isEqualTo(BackoffGrowth.DOUBLING);
    assertThat(doubling.withGrowth(BackoffGrowth.CONSTANT)).isEqualTo(policy);
    RunPolicy retrying = doubling.withRetry(RetryPlan.standard());
    assertThat(retrying.withRetry(RetryPlan.none())).isEqualTo(doubling);
    assertThat(retrying.withTimeout(other).retry()).isEqualTo(RetryPlan.standard());
    assertThat(retrying.withoutTimeout().withExpires(other).withTolerance(other).retry())
        .isEqualTo(RetryPlan.standard());
    assertThat(retrying.withAttempts(1, other).withGrowth(BackoffGrowth.CONSTANT).retry())
        .isEqualTo(RetryPlan.standard());
  }

  private static RunPolicy policy(
      Duration timeout, Duration expires, Duration tolerance, int most, Duration backoff) {
    return new RunPolicy(
        Optional.of(timeout),
        Optional.of(expires),
        Optional.of(tolerance),
        most,
        backoff,
        BackoffGrowth.CONSTANT,
        RetryPlan.none());
  }

  @Test
  void a_policy_of_no_attempt_or_of_negative_time_is_refused() {
    RunPolicy policy = policy(MINUTE, MINUTE, MINUTE, 1, Duration.ZERO);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.withAttempts(0, MINUTE))
        .withMessageContaining("maxAttempts 0");
    Duration negative = Duration.ofMillis(-1);
    assertThatIllegalArgumentException().isThrownBy(() -> policy.withAttempts(1, negative));
    assertThatIllegalArgumentException().isThrownBy(() -> policy.withTimeout(negative));
    assertThatIllegalArgumentException().isThrownBy(() -> policy.withExpires(negative));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.withTolerance(negative))
        .withMessage("tolerance PT-0.001S must be zero or more, for example PT30S");
  }
}

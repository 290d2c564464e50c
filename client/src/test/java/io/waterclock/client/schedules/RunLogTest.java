package io.waterclock.client.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RunLogTest {
  private static final Instant NINE = Instant.parse("2026-03-04T09:00:00Z");

  private final RunLog log = new RunLog(1_000_000);

  private static String key(String id, int minute) {
    return id + "|2026-03-04T09:%02d:00.000Z".formatted(minute);
  }

  private static Outcome.Builder outcome(String key, OutcomeState state, int attempt) {
    return Outcome.newBuilder().setFireKey(key).setState(state).setAttempt(attempt);
  }

  @Test
  void a_run_is_what_all_its_reports_say() {
    String key = key("a", 0);
    log.fired(key, Optional.empty(), NINE);
    log.reported(
        outcome(key, OutcomeState.STARTED, 1).setStartedAt(NINE.plusSeconds(1)).build(), NINE);
    log.reported(
        outcome(key, OutcomeState.STARTED, 2).setStartedAt(NINE.plusSeconds(5)).build(), NINE);
    log.reported(
        outcome(key, OutcomeState.FAILED, 2)
            .setEndedAt(NINE.plusSeconds(8))
            .setWorker("reports/1")
            .setError("no disk")
            .build(),
        NINE.plusSeconds(9));
    FireRun run = log.of(key, Optional.empty()).orElseThrow();
    assertThat(run.duration()).contains(Duration.ofSeconds(3));
    assertThat(run.attempts()).isEqualTo(2);
    assertThat(run.firedAt()).contains(NINE);
    assertThat(run.worker()).contains("reports/1");
    assertThat(run.why()).contains("no disk");
    assertThat(run.hasFailed()).isTrue();
  }

  @Test
  void the_first_end_is_final() {
    String key = key("a", 0);
    log.reported(outcome(key, OutcomeState.SUCCEEDED, 1).build(), NINE);
    log.reported(outcome(key, OutcomeState.DROPPED, 1).setReason("DUPLICATE").build(), NINE);
    assertThat(log.of(key, Optional.empty()).flatMap(FireRun::state))
        .contains(OutcomeState.SUCCEEDED);
  }

  @Test
  void the_newest_come_first_and_those_that_nobody_reported_on_are_among_them() {
    log.fired(key("a", 0), Optional.empty(), NINE);
    log.fired(key("b", 0), Optional.empty(), NINE);
    log.fired(key("a", 1), Optional.empty(), NINE.plusSeconds(60));
    log.reported(outcome(key("a", 0), OutcomeState.SUCCEEDED, 1).build(), NINE);
    log.reported(outcome("no key", OutcomeState.SUCCEEDED, 1).build(), NINE);
    assertThat(log.newest(run -> run.scheduleId().equals("a"), 10))
        .extracting(FireRun::state)
        .containsExactly(Optional.empty(), Optional.of(OutcomeState.SUCCEEDED));
    assertThat(log.newest(run -> true, 1)).hasSize(1);
  }

  @Test
  void what_a_backfill_repeats_has_a_run_of_its_own_and_counts_in_its_progress() {
    Optional<String> backfill = Optional.of("b");
    log.reported(outcome(key("a", 0), OutcomeState.FAILED, 1).build(), NINE);
    for (int minute = 0; minute < 6; minute++) {
      log.fired(key("a", minute), backfill, NINE.plusSeconds(3_600));
    }
    reported(0, OutcomeState.SUCCEEDED).reported(1, OutcomeState.STARTED);
    reported(2, OutcomeState.DROPPED).reported(3, OutcomeState.FAILED);
    log.reported(
        outcome(key("a", 4), OutcomeState.FAILED, 1)
            .setBackfill("b")
            .setRetryAt(NINE.plusSeconds(9_999))
            .build(),
        NINE);
    reported(0, OutcomeState.SUCCEEDED);
    assertThat(log.of(key("a", 0), Optional.empty()).flatMap(FireRun::state))
        .contains(OutcomeState.FAILED);
    assertThat(log.of(key("a", 0), backfill).flatMap(FireRun::state))
        .contains(OutcomeState.SUCCEEDED);
    BackfillProgress progress = new BackfillProgress("b", 6, 2, 1, 1, 1, 1);
    assertThat(BackfillProgress.of(log.newest(run -> true, 100))).containsExactly(progress);
    assertThat(progress.text())
        .isEqualTo("6 fired: 2 running, 1 succeeded, 1 failed, 1 dropped, 1 not reported");
  }

  private RunLogTest reported(int minute, OutcomeState state) {
    log.reported(outcome(key("a", minute), state, 1).setBackfill("b").build(), NINE);
    return this;
  }

  @Test
  void it_keeps_as_many_bytes_as_it_may() {
    RunLog small = new RunLog(100_000);
    for (int i = 0; i < 60; i++) {
      small.reported(
          outcome(key("a", i), OutcomeState.FAILED, 1).setError("x".repeat(16_000)).build(), NINE);
    }
    assertThat(small.newest(run -> true, 100))
        .hasSizeBetween(10, 25)
        .first()
        .satisfies(run -> assertThat(run.fire().text()).isEqualTo(key("a", 59)))
        .satisfies(run -> assertThat(run.error().orElseThrow()).hasSizeLessThan(4_010));
  }
}

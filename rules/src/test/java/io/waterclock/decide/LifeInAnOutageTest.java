package io.waterclock.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Expectations;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What ends and begins a schedule's lives, runs and pauses is the same whether a scheduler was up
 * when it was written, or read it later.
 */
final class LifeInAnOutageTest {
  private static final String BACKFILL =
      "\"backfill\": {\"from\": \"2026-03-04T09:30:00Z\", \"to\": \"2026-03-04T11:00:00Z\"}";

  @ParameterizedTest
  @EnumSource(names = {"SKIP", "BUFFER_ONE"})
  void a_start_from_after_the_time_out_of_its_run_does_not_begin_it_again(Overlap overlap) {
    Life live = minutes(run(overlap), "10:01", "11:05");
    live.report("11:05:30", "10:00", OutcomeState.STARTED);
    live.report("11:05:40", "10:00", OutcomeState.SUCCEEDED);
    Life down = run(overlap);
    down.reportLate("11:05:30", "11:15", "10:00", OutcomeState.STARTED);
    down.reportLate("11:05:40", "11:15", "10:00", OutcomeState.SUCCEEDED);

    assertThat(fired(minutes(down, "11:15", "12:30")))
        .isEqualTo(fired(minutes(live, "11:06", "12:30")));
  }

  @Test
  void failures_count_on_after_a_completion() {
    Life live = failsOnce().tick("10:10").review("10:10");
    assertThat(live.state().completedAt()).isPresent();
    live.edit("10:25", d -> d.setMaxOccurrences(4L));
    Life down = failsOnce().editLate("10:25", "10:27", d -> d.setMaxOccurrences(4L));

    for (Life a : List.of(live, down)) {
      minutes(a, "10:27", "10:30").report("10:31", "10:30", OutcomeState.FAILED);
      assertThat(a.state().life()).isEqualTo(State.PAUSED);
    }
  }

  @Test
  void a_success_that_is_reported_after_a_completion_ends_the_row() {
    Life a = failsOnce().tick("10:10").review("10:10");
    a.report("10:11", "10:10", OutcomeState.SUCCEEDED);
    a.edit("10:25", d -> d.setMaxOccurrences(4L));
    minutes(a, "10:26", "10:30").report("10:31", "10:30", OutcomeState.FAILED);
    assertThat(a.state().life()).isEqualTo(State.ACTIVE);
  }

  @Test
  void failures_of_an_earlier_life_do_not_count() {
    Life live = failsOnce().tick("10:10").review("10:10").review("11:15");
    assertThat(live.isGone()).isTrue();
    Life down = failsOnce();

    for (Life a : List.of(live.put("11:25"), down.putLate("11:25", "11:27"))) {
      minutes(a, "11:27", "11:30").report("11:31", "11:30", OutcomeState.FAILED);
      assertThat(a.state().life()).isEqualTo(State.ACTIVE);
    }
  }

  @Test
  void what_is_not_read_yet_may_keep_a_schedule_whose_retention_is_over() {
    Life a = failsOnce().tick("10:10").review("10:10");
    assertThat(a.review("11:09", "11:15").isGone()).isFalse();
    assertThat(a.review("11:11", "11:16").isGone()).isTrue();
  }

  @Test
  void a_timer_that_fired_when_its_pause_ended_is_kept_for_its_retention() {
    Life a =
        Life.of(OnceTrigger.newBuilder().setInMs(3_600_000L).build(), CatchUp.COLLAPSE)
            .put("09:00")
            .command("09:30", "\"pause\": {}")
            .command("12:00", "\"resume\": {}")
            .tick("12:00")
            .review("12:00:01");
    a.put("12:20").tick("12:20").tick("13:20").tick("14:00");
    assertThat(fired(a)).containsExactly("10:00");
  }

  @Test
  void a_backfill_from_before_the_first_occurrence_is_due_has_nothing_to_fire() {
    Life once = Life.of(Life.once("10:00"), CatchUp.COLLAPSE);
    Life counted =
        Life.everyTenMinutes(CatchUp.COLLAPSE)
            .with(d -> d.setStartAt(Life.at("10:00")).setMaxOccurrences(1L));
    for (Life a : List.of(once, counted)) {
      a.with(d -> d.setJitterMs(Duration.ofMinutes(5).toMillis())).put("09:00");
      a.command("10:00:00.001", BACKFILL);
      assertThat(a.answer()).startsWith("REJECTED");
      assertThat(a.state().commanded().backfills()).isEmpty();
    }
  }

  @Test
  void a_definition_does_not_end_a_pause_that_began_while_the_last_run_went_on() {
    for (Map.Entry<String, String> ended :
        Map.of("before the definition", "10:45", "after it", "11:30").entrySet()) {
      Life a =
          Life.of(Life.once("10:00"), CatchUp.COLLAPSE)
              .with(d -> d.setOverlap(Overlap.SKIP).setTimeoutMs(Duration.ofHours(6).toMillis()))
              .put("09:55")
              .tick("10:00")
              .review("10:00:01")
              .command("10:30", "\"pause\": {}");
      assertThat(a.answer()).startsWith("EXECUTED");
      if (ended.getValue().equals("10:45")) {
        a.report("10:45", "10:00", OutcomeState.SUCCEEDED).review("10:46");
      }
      a.edit("11:00", d -> d.setTrigger(Life.once("17:00"))).tick("17:00");
      assertThat(a.state().life()).as(ended.getKey()).isEqualTo(State.PAUSED);
      assertThat(fired(a)).as(ended.getKey()).containsExactly("10:00");
    }
  }

  @Test
  void nor_one_that_began_while_a_backfill_went_on() {
    Life a =
        Life.everyTenMinutes(CatchUp.COLLAPSE)
            .with(d -> d.setEndAt(Life.at("10:25")))
            .put("09:55")
            .tick("10:00")
            .tick("10:10")
            .tick("10:20")
            .command("10:21", BACKFILL)
            .review("10:22")
            .command("10:30", "\"pause\": {}");
    a.edit("10:31", d -> d.setEndAt(null)).tick("10:40");
    assertThat(a.state().life()).isEqualTo(State.PAUSED);
  }

  @Test
  void nor_one_that_began_while_a_backfill_went_on_that_has_ended_since() {
    Life a =
        Life.everyTenMinutes(CatchUp.COLLAPSE)
            .with(d -> d.setEndAt(Life.at("10:25")))
            .put("09:55")
            .tick("10:20")
            .command("10:21", BACKFILL)
            .command("10:30", "\"pause\": {}")
            .command("10:33", "\"cancel_backfill\": {\"backfill\": \"10:21\"}");
    assertThat(a.state().commanded().backfills()).isEmpty();
    a.edit("10:36", d -> d.setEndAt(null)).tick("10:40");
    assertThat(a.state().life()).isEqualTo(State.PAUSED);
  }

  @Test
  void nor_one_that_began_while_a_success_was_expected() {
    Life a =
        Life.everyTenMinutes(CatchUp.COLLAPSE)
            .with(d -> d.setEndAt(Life.at("10:25")).setExpect(succeededWithin("PT6H")))
            .put("09:55");
    minutes(a, "10:00", "10:20").review("10:25").command("10:30", "\"pause\": {}");
    assertThat(a.answer()).startsWith("EXECUTED");
    a.edit("10:40", d -> d.setEndAt(null)).tick("10:50");
    assertThat(a.state().life()).isEqualTo(State.PAUSED);
    assertThat(fired(a)).containsExactly("10:00", "10:10", "10:20");
  }

  @Test
  void a_definition_that_ends_a_pause_with_a_fire_begins_no_new_life() {
    Life a =
        Life.everyTenMinutes(CatchUp.COLLAPSE)
            .with(d -> d.setMaxOccurrences(3L))
            .put("09:55")
            .tick("10:00")
            .edit("10:05", d -> d.setEnabled(false))
            .edit("12:00", d -> d.setEnabled(true).setOnResume(OnResume.FIRE_ONCE));
    minutes(a, "12:00", "12:40").review("12:41");
    assertThat(fired(a)).containsExactly("10:00", "10:20");
    assertThat(a.state().life()).isEqualTo(State.COMPLETED);
  }

  @Test
  void a_pause_that_holds_nothing_does_not_keep_a_schedule_from_its_end() {
    Life a =
        Life.of(Life.once("10:20"), CatchUp.COLLAPSE)
            .put("10:00")
            .tick("10:20")
            .commandLate("16:30", "17:00", "\"pause\": {}");
    assertThat(a.review("17:01").state().life()).isEqualTo(State.COMPLETED);
    assertThat(a.review("18:02").isGone()).isTrue();
  }

  @Test
  void a_new_life_inherits_no_alert() {
    for (boolean late : List.of(false, true)) {
      Life a =
          Life.of(Life.once("10:00"), CatchUp.COLLAPSE)
              .with(d -> d.setExpect(succeededWithin("PT5M")))
              .put("09:55")
              .tick("10:00")
              .tick("10:05")
              .review("10:06");
      if (!late) {
        a.review("11:07");
        assertThat(a.isGone()).isTrue();
      }
      a.with(d -> d.setTrigger(Life.once("13:00")));
      a = late ? a.putLate("12:00", "12:30") : a.put("12:00");
      a.report("12:40", "10:00", OutcomeState.SUCCEEDED).tick("13:00").tick("13:05");
      assertThat(a.alerts().stream().map(alert -> alert.replaceAll(" .*", "")))
          .as("late: %s", late)
          .containsExactly("OVERDUE", "RECOVERED", "OVERDUE");
    }
  }

  private static Expectations succeededWithin(String time) {
    return Expectations.newBuilder().setSucceededWithinMs(Duration.parse(time).toMillis()).build();
  }

  private static Life run(Overlap overlap) {
    return Life.everyTenMinutes(CatchUp.REPLAY)
        .with(d -> d.setOverlap(overlap).setTimeoutMs(Duration.ofMinutes(1).toMillis()))
        .put("09:55")
        .tick("10:00");
  }

  private static Life failsOnce() {
    return Life.everyTenMinutes(CatchUp.REPLAY)
        .with(d -> d.setMaxOccurrences(2L).setPauseAfterFailures(2))
        .put("09:55")
        .tick("10:00")
        .report("10:01", "10:00", OutcomeState.FAILED);
  }

  private static Life minutes(Life a, String from, String to) {
    for (Instant at = Life.at(from); !at.isAfter(Life.at(to)); at = at.plusSeconds(60)) {
      a.tick(Life.time(at));
    }
    return a;
  }

  /** When each was due. */
  private static List<String> fired(Life a) {
    return a.fires().stream().map(fire -> fire.substring(0, 5)).toList();
  }
}

package io.waterclock.decide;

import static io.waterclock.schemas.avro.OutcomeState.DROPPED;
import static io.waterclock.schemas.avro.OutcomeState.FAILED;
import static io.waterclock.schemas.avro.OutcomeState.STARTED;
import static io.waterclock.schemas.avro.OutcomeState.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.Pause;
import io.waterclock.decide.model.Run;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a run under way does to the occurrences that come due before it ends. */
class OverlapTest {
  private static final String PAUSE = "\"pause\": {}";
  private static final String RESUME = "\"resume\": {}";

  /** Every 10 minutes, 30 minutes to run; the fire of 10:00 runs. */
  private static Life running(Overlap overlap, CatchUp policy) {
    return Life.everyTenMinutes(policy)
        .with(d -> d.setOverlap(overlap).setTimeoutMs(Duration.ofMinutes(30).toMillis()))
        .put("09:55")
        .tick("10:00");
  }

  private static Life skipping() {
    return running(Overlap.SKIP, CatchUp.COLLAPSE);
  }

  private static Life buffering() {
    return running(Overlap.BUFFER_ONE, CatchUp.COLLAPSE);
  }

  @Test
  void a_schedule_without_overlap_stores_nothing_of_its_runs() {
    Life a = running(Overlap.ALLOW, CatchUp.COLLAPSE).report("10:05", "10:00", SUCCEEDED);
    assertThat(a.state().isPlain()).isTrue();
    assertThat(a.tick("10:10").fires()).hasSize(2);
  }

  @Test
  void what_has_ended_as_reported_is_forgotten() {
    Life a = skipping().report("10:05", "10:00", SUCCEEDED);
    assertThat(a.state().isPlain()).isTrue();
    assertThat(a.tick("10:10").fires()).endsWith("10:10 SCHEDULED by r0");
  }

  @ParameterizedTest
  @EnumSource(names = {"SUCCEEDED", "FAILED", "DROPPED"})
  void any_end_is_an_end(OutcomeState end) {
    assertThat(skipping().report("10:05", "10:00", end).tick("10:10").fires()).hasSize(2);
  }

  @Test
  void a_report_of_another_fire_ends_nothing() {
    Life a = skipping().report("10:05", "09:50", SUCCEEDED).tick("10:10");
    assertThat(a.missed()).containsExactly("10:10 OVERLAP of r0");
  }

  @Test
  void a_start_begins_the_time_out_anew_and_an_earlier_one_read_again_changes_nothing() {
    Life a =
        skipping().report("10:15", "10:00", STARTED).reportLate("10:01", "10:16", "10:00", STARTED);
    a.tick("10:44");
    assertThat(a.missed()).containsExactly("10:10..10:40 OVERLAP (4) of r0");
    assertThat(a.tick("10:50").fires()).endsWith("10:50 SCHEDULED by r0");
  }

  @Test
  void a_start_from_the_future_or_from_before_the_fire_counts_from_the_nearest_sane_time() {
    Life a = skipping().reportLate("12:00", "10:05", "10:00", STARTED);
    assertThat(a.state().runs().latest().orElseThrow().endsAt()).isEqualTo(Life.at("10:35"));
    Life b = skipping().reportLate("08:00", "10:05", "10:00", SUCCEEDED);
    assertThat(b.tick("10:10").fires()).hasSize(2);
  }

  @Test
  void a_start_that_comes_after_the_end_revives_nothing() {
    Life a = skipping().tick("10:10").report("10:15", "10:00", FAILED);
    a.report("10:16", "10:00", STARTED).tick("10:20");
    assertThat(a.fires()).endsWith("10:20 SCHEDULED by r0");
  }

  @ParameterizedTest
  @CsvSource({"10, 10:05", "60, 10:30"})
  void without_a_time_out_half_the_interval_counts(int minutes, String end) {
    Life a =
        Life.of(Life.every(minutes), CatchUp.COLLAPSE)
            .with(d -> d.setOverlap(Overlap.SKIP))
            .put("09:55")
            .tick("10:00");
    assertThat(a.state().runs().latest().orElseThrow().endsAt()).isEqualTo(Life.at(end));
  }

  @Test
  void without_a_time_out_the_last_occurrence_counts_half_the_interval_before_it() {
    Life a =
        Life.everyTenMinutes(CatchUp.COLLAPSE)
            .with(d -> d.setOverlap(Overlap.SKIP).setEndAt(Life.at("10:05")))
            .put("09:55")
            .tick("10:00");
    assertThat(a.state().runs().latest().orElseThrow().endsAt()).isEqualTo(Life.at("10:05"));
    assertThat(a.review("10:04").state().completedAt()).isEmpty();
    assertThat(a.review("10:05").state().completedAt()).contains(Life.at("10:05"));
    assertThat(a.state().isPlain()).isTrue();
  }

  @Test
  void what_fires_once_runs_without_end_or_limit_and_stands_in_nobodys_way() {
    Life a =
        Life.of(Life.once("10:00"), CatchUp.COLLAPSE)
            .with(d -> d.setOverlap(Overlap.SKIP))
            .put("09:55")
            .tick("10:00");
    assertThat(a.state().isPlain()).isTrue();
  }

  @Test
  void skip_decides_each_occurrence_as_it_comes_due_so_that_nobody_waits_for_its_account() {
    Life a = skipping().tick("10:10");
    assertThat(a.missed()).containsExactly("10:10 OVERLAP of r0");
    assertThat(a.wakesAt()).contains("10:20");
    assertThat(a.heldBackSince()).isEmpty();
  }

  @Test
  void buffer_one_waits_for_the_end_of_the_run_and_says_since_when() {
    Life a = buffering();
    assertThat(a.heldBackSince()).contains("10:10");
    assertThat(a.wakesAt()).contains("10:30");
    assertThat(a.tick("10:29").missed()).isEmpty();
    a.tick("10:30");
    assertThat(a.fires()).endsWith("10:10 CATCH_UP by r0");
    assertThat(a.missed()).containsExactly("10:20 OVERLAP of r0");
    assertThat(a.wakesAt()).as("10:30 is held back by 10:10").contains("11:00");
  }

  @Test
  void what_is_held_back_no_longer_than_grace_is_not_late() {
    Life a = buffering().with(d -> d.setGraceMs(Duration.ofHours(1).toMillis())).put("10:05");
    assertThat(a.tick("10:30").fires()).endsWith("10:10 SCHEDULED by r1");
  }

  @Test
  void what_is_left_out_is_skipped_in_its_time_and_not_held_back() {
    Life a = buffering().edit("10:05", d -> d.setSkip(List.of(Life.at("10:10")))).tick("10:10");
    assertThat(a.missed()).containsExactly("10:10 SKIPPED of r1");
    assertThat(a.heldBackSince()).contains("10:20");
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void an_outage_does_not_show_in_what_a_run_made_miss(CatchUp policy) {
    Life a = running(Overlap.SKIP, policy).reportLate("10:25", "10:41", "10:00", SUCCEEDED);
    a.tick("10:41");
    assertThat(a.missed()).startsWith("10:10..10:20 OVERLAP (2) of r0");
    assertThat(a.fires())
        .hasSize(2)
        .last()
        .isEqualTo(
            switch (policy) {
              case SKIP -> "10:40 SCHEDULED by r0";
              case COLLAPSE -> "10:40 CATCH_UP {1 from 10:30} by r0";
              case REPLAY -> "10:30 CATCH_UP by r0";
            });
  }

  @Test
  void buffer_one_after_an_outage_within_grace_is_as_without_it() {
    Life a = buffering().tick("10:30:50");
    assertThat(a.fires()).endsWith("10:10 CATCH_UP by r0");
    assertThat(a.missed()).containsExactly("10:20 OVERLAP of r0");
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void what_buffer_one_held_when_the_run_ended_unseen_is_caught_up_with(CatchUp policy) {
    Life a = running(Overlap.BUFFER_ONE, policy).tick("10:45");
    switch (policy) {
      case SKIP -> assertThat(a.missed()).containsExactly("10:10..10:40 GRACE (4) of r0");
      case COLLAPSE -> assertThat(a.fires()).endsWith("10:40 CATCH_UP {3 from 10:10} by r0");
      case REPLAY -> {
        assertThat(a.fires()).endsWith("10:10 CATCH_UP by r0");
        assertThat(a.missed()).containsExactly("10:20 OVERLAP of r0");
        assertThat(a.wakesAt()).contains("11:15");
      }
    }
  }

  @Test
  void what_buffer_one_held_is_not_replayed_out_of_the_window() {
    Life a =
        Life.everyTenMinutes(CatchUp.REPLAY)
            .with(d -> d.setOverlap(Overlap.BUFFER_ONE))
            .with(d -> d.setTimeoutMs(Duration.ofMinutes(30).toMillis()))
            .with(d -> d.setCatchUpWindowMs(Duration.ofMinutes(20).toMillis()))
            .put("09:55")
            .tick("10:00")
            .tick("10:45");
    assertThat(a.fires()).endsWith("10:30 CATCH_UP by r0");
    assertThat(a.missed()).containsExactly("10:10..10:20 OUT_OF_WINDOW (2) of r0");
  }

  @Test
  void live_occurrences_are_subject_to_the_policy_once_the_replay_is_through() {
    Life a = running(Overlap.SKIP, CatchUp.REPLAY).report("10:01", "10:00", SUCCEEDED);
    a.tick("10:25").report("10:31", "10:10", SUCCEEDED).tick("10:31");
    assertThat(a.fires()).endsWith("10:10 CATCH_UP by r0", "10:20 CATCH_UP by r0");
    a.report("10:36", "10:20", SUCCEEDED).tick("10:36");
    assertThat(a.fires()).as("due before 10:20 began").endsWith("10:30 CATCH_UP by r0");
    assertThat(a.missed()).isEmpty();
    a.tick("10:40").report("10:41", "10:30", SUCCEEDED).tick("10:41");
    assertThat(a.missed()).as("in time, 10:30 would have ended at 10:35").isEmpty();
    assertThat(a.fires()).endsWith("10:40 SCHEDULED by r0");
    a.tick("10:50").tick("10:51");
    assertThat(a.missed()).containsExactly("10:50 OVERLAP of r0");
  }

  /** Every 10 minutes, a minute to run; 10:00 to 10:20 fired and ran in time. */
  private static Life shortRuns(Overlap overlap, CatchUp policy) {
    Life a =
        Life.everyTenMinutes(policy)
            .with(d -> d.setOverlap(overlap).setTimeoutMs(Duration.ofMinutes(1).toMillis()))
            .put("09:55");
    return a.tick("10:00").tick("10:10").tick("10:20");
  }

  /** Ticks every 30 seconds; each run lasts as long as it may. */
  private static Life ticking(Life a, String from, String to) {
    Duration half = Duration.ofSeconds(30);
    for (Instant at = Life.at(from); !at.isAfter(Life.at(to)); at = at.plus(half)) {
      a.tick(Life.time(at));
    }
    return a;
  }

  private static List<String> fired(Life a) {
    return a.fires().stream().map(fire -> fire.substring(0, 5)).toList();
  }

  /** The occurrences of an hour and a half, as if the scheduler had never stopped. */
  private static List<String> all() {
    return IntStream.rangeClosed(0, 9)
        .mapToObj(n -> Life.time(Life.at("10:00").plus(Duration.ofMinutes(10L * n))))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(names = {"SKIP", "BUFFER_ONE"})
  void an_edit_in_an_outage_costs_a_replay_nothing(Overlap overlap) {
    Life a = shortRuns(overlap, CatchUp.REPLAY);
    a.editLate("10:45", "11:15", d -> d.setDescription("new"));
    ticking(a, "11:15", "11:30");
    assertThat(fired(a)).isEqualTo(all());
    assertThat(a.fires()).contains("10:40 CATCH_UP by r0", "10:50 CATCH_UP by r1");
    assertThat(a.missed()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"SKIP", "BUFFER_ONE"})
  void a_second_outage_during_a_replay_costs_nothing(Overlap overlap) {
    Life a = shortRuns(overlap, CatchUp.REPLAY);
    ticking(a, "10:45", "10:45:30");
    ticking(a, "11:15", "11:30");
    assertThat(fired(a)).isEqualTo(all());
    assertThat(a.missed()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"SKIP", "BUFFER_ONE"})
  void a_resume_in_an_outage_that_orders_a_fire_costs_a_replay_nothing(Overlap overlap) {
    Life a = shortRuns(overlap, CatchUp.REPLAY).command("10:25", PAUSE);
    a.commandLate("10:45", "11:15", "\"resume\": {\"on_resume\": \"fire_once\"}");
    ticking(a, "11:15", "11:30");
    assertThat(a.missed()).containsExactly("10:30 PAUSED of r0");
    assertThat(fired(a)).isEqualTo(all().stream().filter(at -> !at.equals("10:30")).toList());
  }

  @ParameterizedTest
  @EnumSource(names = {"SKIP", "BUFFER_ONE"})
  void a_collapsed_fire_of_a_replaced_revision_costs_the_replay_after_it_nothing(Overlap overlap) {
    Life a = shortRuns(overlap, CatchUp.COLLAPSE);
    a.editLate("10:45", "11:15", d -> d.setCatchUp(CatchUp.REPLAY));
    ticking(a, "11:15", "11:30");
    assertThat(a.missed()).containsExactly("10:30 COLLAPSED_INTO 10:40 of r0");
    assertThat(fired(a)).isEqualTo(all().stream().filter(at -> !at.equals("10:30")).toList());
  }

  @ParameterizedTest
  @EnumSource(names = {"SKIP", "BUFFER_ONE"})
  void an_edit_to_collapse_in_an_outage_fires_once_for_its_own(Overlap overlap) {
    Life a = shortRuns(overlap, CatchUp.REPLAY);
    a.editLate("10:45", "11:15", d -> d.setCatchUp(CatchUp.COLLAPSE));
    ticking(a, "11:15", "11:30");
    assertThat(a.fires())
        .endsWith(
            "10:30 CATCH_UP by r0",
            "10:40 CATCH_UP by r0",
            "11:10 CATCH_UP {2 from 10:50} by r1",
            "11:20 SCHEDULED by r1",
            "11:30 SCHEDULED by r1");
  }

  /** When it decides at 11:00, it has read up to 10:40 only; what fires then runs until 11:08. */
  private static Life firedLate() {
    return Life.everyTenMinutes(CatchUp.COLLAPSE)
        .with(d -> d.setOverlap(Overlap.SKIP).setTimeoutMs(Duration.ofMinutes(8).toMillis()))
        .put("09:55")
        .tick("10:00")
        .decideReadThrough("10:40", "11:00");
  }

  @Test
  void a_collapse_leaves_out_what_was_due_during_a_late_run() {
    Life a = firedLate();
    assertThat(a.fires()).endsWith("10:40 CATCH_UP {3 from 10:10} by r0");
    a.tick("11:09");
    assertThat(a.missed()).endsWith("11:00 OVERLAP of r0");
    assertThat(a.fires()).endsWith("10:50 CATCH_UP by r0");
  }

  @Test
  void a_collapse_stands_for_what_was_due_before_a_late_run_and_after_it() {
    Life a = firedLate().tick("11:15");
    assertThat(a.missed()).endsWith("11:00 OVERLAP of r0", "10:50 COLLAPSED_INTO 11:10 of r0");
    assertThat(a.fires()).endsWith("11:10 CATCH_UP {1 from 10:50} by r0");
  }

  @Test
  void a_collapse_past_an_edit_leaves_out_what_was_due_during_a_late_run() {
    Life a = firedLate().edit("11:05", d -> d.setPriority(1)).tick("11:15");
    assertThat(a.missed()).endsWith("11:00 OVERLAP of r0", "10:50 COLLAPSED_INTO 11:10 of r0");
    assertThat(a.fires()).endsWith("11:10 CATCH_UP {1 from 10:50} by r1");
  }

  @ParameterizedTest
  @EnumSource(names = {"SKIP", "BUFFER_ONE"})
  void an_edit_to_skip_in_an_outage_misses_its_own(Overlap overlap) {
    Life a = shortRuns(overlap, CatchUp.REPLAY);
    a.editLate("10:45", "11:15", d -> d.setCatchUp(CatchUp.SKIP));
    ticking(a, "11:15", "11:30");
    assertThat(a.missed()).containsExactly("10:50..11:10 GRACE (3) of r1");
    assertThat(a.fires()).endsWith("11:20 SCHEDULED by r1", "11:30 SCHEDULED by r1");
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void a_schedule_whose_runs_outlast_its_interval_goes_on_after_a_stall(CatchUp policy) {
    Life a =
        Life.everyTenMinutes(policy)
            .with(
                d ->
                    d.setOverlap(Overlap.SKIP)
                        .setTimeoutMs(Duration.ofMinutes(25).toMillis())
                        .setGraceMs(Duration.ofHours(1).toMillis()))
            .put("10:25")
            .tick("10:45");
    ticking(a, "10:50", "11:10");
    if (policy == CatchUp.REPLAY) { // as if 10:30 had run from 10:30 to 10:55
      assertThat(a.fires()).containsExactly("10:30 SCHEDULED by r0", "11:00 SCHEDULED by r0");
      assertThat(a.missed()).containsExactly("10:40..10:50 OVERLAP (2) of r0");
    } else {
      assertThat(a.fires()).containsExactly("10:30 SCHEDULED by r0", "11:10 SCHEDULED by r0");
      assertThat(a.missed())
          .containsExactly("10:40 OVERLAP of r0", "10:50..11:00 OVERLAP (2) of r0");
    }
  }

  @Test
  void what_a_fire_in_time_would_have_made_miss_is_missed_after_an_outage_too() {
    Life a = running(Overlap.SKIP, CatchUp.REPLAY).report("10:05", "10:00", SUCCEEDED);
    ticking(a, "11:05", "14:30");
    assertThat(fired(a)).startsWith("10:00", "10:10", "10:40", "11:10", "11:40", "12:10", "12:40");
    assertThat(a.missed()).startsWith("10:20..10:30 OVERLAP (2) of r0");
  }

  @Test
  void what_is_held_back_belongs_to_its_old_revision() {
    Life a = buffering().edit("10:15", d -> d.setTrigger(Life.every(5)));
    a.tick("10:30");
    assertThat(a.fires()).endsWith("10:10 CATCH_UP by r0");
    assertThat(a.missed()).containsExactly("10:20..10:25 OVERLAP (2) of r1");
  }

  @Test
  void an_edit_to_allow_lets_its_own_occurrences_fire_beside_the_run() {
    Life a = skipping().edit("10:15", d -> d.setOverlap(Overlap.ALLOW)).tick("10:20");
    assertThat(a.missed()).containsExactly("10:10 OVERLAP of r0");
    assertThat(a.fires()).endsWith("10:20 SCHEDULED by r1");
    assertThat(a.state().isPlain()).isTrue();
  }

  @Test
  void the_run_goes_on_under_a_new_definition_and_across_a_pause() {
    Life a = skipping().edit("10:05", d -> d.setDescription("new"));
    a.command("10:06", PAUSE).command("10:07", RESUME).tick("10:10");
    assertThat(a.missed()).containsExactly("10:10 OVERLAP of r1");
  }

  @Test
  void a_pause_and_a_delete_win_over_what_is_held_back() {
    assertThat(buffering().command("10:15", PAUSE).missed()).containsExactly("10:10 PAUSED of r0");
    assertThat(buffering().deleteLate("10:25", "10:25").missed())
        .containsExactly("10:10..10:20 DELETED (2) of r0");
  }

  @Test
  void what_a_resume_orders_waits_for_the_run() {
    Life a = skipping().command("10:05", PAUSE);
    a.command("10:21", "\"resume\": {\"on_resume\": \"fire_once\"}");
    assertThat(a.missed()).containsExactly("10:10 PAUSED of r0");
    assertThat(a.wakesAt()).contains("10:30");
    assertThat(a.tick("10:30").fires()).contains("10:20 CATCH_UP {1 from 10:10} by r0");
  }

  @Test
  void what_commands_order_neither_waits_nor_counts_as_a_run() {
    Life a = skipping().command("10:05", "\"trigger\": {}").fireManual("10:05", 10);
    assertThat(a.fires()).endsWith("10:05 TRIGGERED by r0");
    assertThat(a.state().runs().latest().orElseThrow().at()).isEqualTo(Life.at("10:00"));
  }

  @Test
  void a_report_read_again_leaves_the_very_same_state() {
    Life a = skipping().tick("10:10").report("10:12", "10:00", STARTED);
    ScheduleState before = a.state();
    assertThat(a.report("10:12", "10:00", STARTED).state()).isSameAs(before);
    assertThat(a.report("10:13", "09:40", FAILED).state()).isSameAs(before);
  }

  private static Life pausingAfter(int failures) {
    return Life.everyTenMinutes(CatchUp.COLLAPSE)
        .with(d -> d.setPauseAfterFailures(failures))
        .put("09:55");
  }

  @Test
  void a_schedule_pauses_after_so_many_failures_in_a_row() {
    Life a = pausingAfter(2).tick("10:00").tick("10:10");
    a.report("10:11", "10:00", FAILED).report("10:12", "10:10", FAILED);
    assertThat(a.last().status()).contains(State.PAUSED);
    Pause pause = a.state().commanded().pause().orElseThrow();
    assertThat(pause.since()).isEqualTo(Life.at("10:12"));
    assertThat(pause.author()).contains("waterclock");
    assertThat(pause.note())
        .contains(
            "paused after 2 failed fires in a row, the last reported that of"
                + " 2026-03-04T10:10:00Z: no disk");
    a.command("10:25", RESUME);
    assertThat(a.missed()).containsExactly("10:20 PAUSED of r0");
  }

  @Test
  void a_pause_after_one_failure_tells_which() {
    Life a = pausingAfter(1).tick("10:00").report("10:01", "10:00", FAILED);
    assertThat(a.state().commanded().pause().flatMap(Pause::note))
        .contains("paused after a failed fire, that of " + Life.at("10:00") + ": no disk");
  }

  @Test
  void what_is_complete_is_not_paused_by_what_is_told_of_it_later() {
    Life a = Life.of(Life.once("10:00"), CatchUp.COLLAPSE).with(d -> d.setPauseAfterFailures(1));
    a.put("09:55").tick("10:00").review("10:01");
    assertThat(a.report("10:02", "10:00", FAILED).state().life()).isEqualTo(State.COMPLETED);
  }

  @Test
  void a_lower_limit_pauses_at_the_next_failure_and_not_at_a_start() {
    Life a = pausingAfter(5).with(d -> d.setOverlap(Overlap.SKIP)).put("09:56");
    a.tick("10:00").report("10:01", "10:00", FAILED).tick("10:10").report("10:11", "10:10", FAILED);
    a.edit("10:12", d -> d.setPauseAfterFailures(2)).tick("10:20");
    assertThat(a.report("10:21", "10:20", STARTED).state().isHeld()).isFalse();
    assertThat(a.report("10:22", "10:20", FAILED).state().isHeld()).isTrue();
  }

  @Test
  void a_success_between_them_a_failure_told_twice_and_a_drop_do_not_pause() {
    Life a = pausingAfter(2).tick("10:00").tick("10:10").tick("10:20").tick("10:30");
    a.report("10:01", "10:00", FAILED).report("10:02", "10:00", FAILED);
    a.report("10:21", "10:10", SUCCEEDED).report("10:22", "10:20", FAILED);
    a.report("10:23", "10:00", FAILED).report("10:31", "10:30", DROPPED);
    assertThat(a.state().isHeld()).as("10:10 succeeded, only 10:20 failed since").isFalse();
    a.tick("10:40").report("10:41", "10:40", FAILED);
    assertThat(a.state().isHeld()).as("what was dropped is no success").isTrue();
  }

  @Test
  void a_resume_forgives_what_failed_before_it_however_late_that_is_told() {
    Life a = pausingAfter(2).tick("10:00").tick("10:10").tick("10:20");
    a.report("10:21", "10:00", FAILED).report("10:22", "10:10", FAILED);
    a.command("10:25", RESUME).report("10:26", "10:20", FAILED).report("10:27", "10:10", FAILED);
    a.tick("10:30").report("10:31", "10:30", FAILED);
    assertThat(a.state().isHeld()).isFalse();
    a.tick("10:40").report("10:41", "10:40", FAILED);
    assertThat(a.state().isHeld()).isTrue();
  }

  @Test
  void an_edit_forgives_nothing_unless_it_takes_the_limit_away() {
    Life a = pausingAfter(2).tick("10:00").tick("10:10").report("10:01", "10:00", FAILED);
    a.edit("10:11", d -> d.setDescription("tried to mend it")).report("10:12", "10:10", FAILED);
    assertThat(a.state().isHeld()).isTrue();
    Life b = pausingAfter(2).tick("10:00").tick("10:10").report("10:01", "10:00", FAILED);
    b.edit("10:11", d -> d.setPauseAfterFailures(null)).report("10:12", "10:10", FAILED);
    assertThat(b.state().isPlain()).isTrue();
  }

  @Test
  void a_failure_of_what_has_not_fired_counts_not() {
    Life a = pausingAfter(1).tick("10:00").report("10:01", "10:10", FAILED);
    assertThat(a.state().isHeld()).isFalse();
  }

  @Test
  void a_failure_of_a_fire_of_an_earlier_life_counts_not() {
    Life a = pausingAfter(1).tick("10:00").deleteLate("10:05", "10:05").put("10:07");
    ScheduleState before = a.state();
    assertThat(a.report("10:08", "10:00", FAILED).state()).isSameAs(before);
    a.tick("10:10").report("10:11", "10:10", FAILED);
    assertThat(a.state().isHeld()).isTrue();
  }

  @Test
  void what_is_told_of_an_instant_between_the_occurrences_counts_not() {
    Life a = pausingAfter(2).tick("10:00").tick("10:10").report("10:11", "10:00", FAILED);
    ScheduleState before = a.state();
    assertThat(a.report("10:11", "10:00:00.001", FAILED).state()).isSameAs(before);
    assertThat(a.report("10:11", "10:05", SUCCEEDED).state()).isSameAs(before);
    assertThat(a.report("10:11", "09:50", FAILED).state()).isSameAs(before);
    assertThat(a.report("10:12", "10:10", FAILED).state().isHeld()).isTrue();
  }

  @Test
  void after_an_edit_a_failure_counts_from_where_the_life_began() {
    Life a = pausingAfter(1).tick("10:00").edit("10:05", d -> d.setDescription("new"));
    assertThat(a.report("10:06", "09:50", FAILED).state().isHeld()).isFalse();
    assertThat(a.report("10:06", "10:00", FAILED).state().isHeld()).isTrue();
  }

  @Test
  void a_replaced_revision_is_asked_for_its_occurrences_as_long_as_it_has_undecided_ones() {
    Life a =
        Life.everyTenMinutes(CatchUp.REPLAY)
            .with(d -> d.setPauseAfterFailures(1))
            .put("09:55")
            .tick("10:00")
            .edit("10:25", d -> d.setTrigger(Life.every(7)));
    assertThat(a.state().older()).hasSize(1);
    assertThat(a.report("10:26", "09:58", FAILED).state().isHeld()).isFalse();
    assertThat(a.report("10:26", "10:00", FAILED).state().isHeld()).isTrue();
  }

  @Test
  void what_fired_before_anybody_asked_for_failures_counts_not() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    a.edit("10:05", d -> d.setPauseAfterFailures(1)).report("10:06", "10:00", FAILED);
    assertThat(a.state().isHeld()).isFalse();
    a.tick("10:10").report("10:11", "10:10", FAILED);
    assertThat(a.state().isHeld()).isTrue();
  }

  @Test
  void a_resume_forgives_also_what_nobody_knew_of_then() {
    Life a = pausingAfter(1).tick("10:00").command("10:05", PAUSE).command("10:06", RESUME);
    assertThat(a.report("10:07", "10:00", FAILED).state().isHeld()).isFalse();
  }

  @Test
  void only_fires_of_the_trigger_ask_for_outcomes_and_only_where_the_schedule_needs_them() {
    Life a = skipping();
    assertThat(a.last().fires()).allMatch(FirePlan::wantsOutcome);
    assertThat(pausingAfter(1).tick("10:00").last().fires()).allMatch(FirePlan::wantsOutcome);
    assertThat(running(Overlap.ALLOW, CatchUp.SKIP).last().fires())
        .noneMatch(FirePlan::wantsOutcome);
    a.command("10:05", "\"trigger\": {}").fireManual("10:05", 10);
    assertThat(a.last().fires()).hasSize(1).noneMatch(FirePlan::wantsOutcome);
  }

  @Test
  void report_all_asks_for_every_outcome_and_those_of_a_backfill_count_for_it_alone() {
    Life a =
        Life.everyTenMinutes(CatchUp.COLLAPSE)
            .with(d -> d.setReportAll(true))
            .put("09:55")
            .tick("10:00");
    assertThat(a.last().fires()).hasSize(1).allMatch(FirePlan::wantsOutcome);
    a.command("10:05", "\"trigger\": {}").fireManual("10:05", 10);
    assertThat(a.last().fires()).hasSize(1).allMatch(FirePlan::wantsOutcome);
    String range = "{\"from\": \"" + Life.at("10:00") + "\", \"to\": \"" + Life.at("10:06") + "\"}";
    a.command("10:06", "\"backfill\": " + range).goOn("10:06", 10);
    assertThat(a.last().fires()).hasSize(1).allMatch(FirePlan::wantsOutcome);
    assertThat(a.report("10:07", "10:00", FAILED).state().runs().isEmpty()).isTrue();
  }

  @Test
  void a_run_that_ends_when_it_began_holds_nothing_back() {
    Life a =
        Life.everyTenMinutes(CatchUp.COLLAPSE)
            .with(d -> d.setOverlap(Overlap.SKIP).setTimeoutMs(1L))
            .put("09:55")
            .tick("10:00")
            .tick("10:10");
    assertThat(a.fires()).hasSize(2);
    Optional<Instant> end = a.state().runs().latest().map(Run::endsAt);
    assertThat(end).contains(Life.at("10:10").plusMillis(1));
  }

  @Test
  void a_report_of_what_is_complete_counts_and_pauses_nothing() {
    Life a = Life.of(Life.once("10:00"), CatchUp.COLLAPSE);
    a.with(d -> d.setPauseAfterFailures(1)).put("09:55").tick("10:00").review("10:30");
    assertThat(a.state().life()).isEqualTo(State.COMPLETED);
    a.report("10:31", "10:00", OutcomeState.FAILED);
    assertThat(a.state().life()).isEqualTo(State.COMPLETED);
    assertThat(a.state().runs().failures().count()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"500, ''", "501, ..."})
  void a_pause_tells_the_first_five_hundred_characters_of_an_error(int length, String end) {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).with(d -> d.setPauseAfterFailures(1));
    a.put("09:55").tick("10:00").fails("10:01", "10:00", "x".repeat(length));
    assertThat(a.state().commanded().pause().flatMap(Pause::note).orElseThrow())
        .endsWith(": " + "x".repeat(500) + end);
  }

  /** As {@link #running}, but the fire of 10:00 waits for a limit. */
  private static Life waiting(Overlap overlap, CatchUp policy) {
    return Life.everyTenMinutes(policy)
        .with(
            d ->
                d.setOverlap(overlap)
                    .setTimeoutMs(Duration.ofMinutes(5).toMillis())
                    .setLimit("etl"))
        .put("09:55")
        .tick("10:00");
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void a_fire_that_waits_for_its_limit_counts_as_running_and_its_time_out_begins_with_its_start(
      CatchUp policy) {
    Life a = waiting(Overlap.SKIP, policy).tick("10:10").tick("11:00");
    assertThat(a.missed()).containsExactly("10:10 OVERLAP of r0", "10:20..11:00 OVERLAP (5) of r0");
    a.startsByLimit("11:06", "10:00").tick("11:10");
    assertThat(a.missed()).endsWith("11:10 OVERLAP of r0");
    assertThat(a.tick("11:20").fires())
        .containsExactly("10:00 SCHEDULED by r0", "11:20 SCHEDULED by r0");
  }

  @Test
  void what_is_held_back_waits_for_the_end_of_a_run_that_waited_for_its_limit() {
    Life a = waiting(Overlap.BUFFER_ONE, CatchUp.COLLAPSE).tick("10:10").tick("11:00");
    assertThat(a.heldBackSince()).contains("10:10");
    a.startsByLimit("11:01", "10:00").tick("11:05");
    assertThat(a.fires()).hasSize(1);
    assertThat(a.report("11:05", "10:00", SUCCEEDED).tick("11:05").fires()).hasSize(2);
  }

  @Test
  void a_fire_that_its_limit_drops_is_no_run_any_more() {
    Life a = waiting(Overlap.SKIP, CatchUp.COLLAPSE).dropsByLimit("10:05", "10:00");
    assertThat(a.tick("10:10").fires()).endsWith("10:10 SCHEDULED by r0");
  }

  @Test
  void a_note_of_the_limiter_about_another_fire_or_twice_changes_nothing() {
    Life a = waiting(Overlap.SKIP, CatchUp.COLLAPSE).dropsByLimit("10:05", "09:50");
    assertThat(a.state().runs().latest().orElseThrow().endsAt())
        .isEqualTo(Life.at("10:05").plus(FirePlan.LONGEST_WAIT));
    a.startsByLimit("10:05", "10:00").startsByLimit("10:09", "10:00");
    assertThat(a.state().runs().latest().orElseThrow().endsAt()).isEqualTo(Life.at("10:10"));
  }

  @Test
  void a_fire_that_waits_for_longer_than_a_month_holds_nothing_back_any_more() {
    Life a = waiting(Overlap.SKIP, CatchUp.COLLAPSE);
    assertThat(a.state().runs().latest().orElseThrow().endsAt())
        .isEqualTo(Life.at("10:05").plus(Duration.ofDays(31)));
  }

  @Test
  void what_is_faulted_waits_for_no_run() {
    assertThat(buffering().tick("10:10").heldBackSince()).contains("10:10");
    assertThat(buffering().tick("10:10").fail("10:15").heldBackSince()).isEmpty();
  }
}

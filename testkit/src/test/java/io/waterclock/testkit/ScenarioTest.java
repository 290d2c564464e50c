package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.State;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The worked examples of the rules: what fires, what is missed. Numbers are rows of the table. */
class ScenarioTest {

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void s01_every_occurrence_fires_when_it_is_due(CatchUp policy) {
    try (Scenario a = Scenario.everyTenMinutes(policy).put("09:55").until("10:25")) {
      assertThat(a.fires())
          .containsExactly("10:00 SCHEDULED", "10:10 SCHEDULED", "10:20 SCHEDULED");
      assertThat(a.missed()).isEmpty();
      assertThat(a.next()).contains("10:30");
      assertThat(a.status()).contains(State.ACTIVE);
    }
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void s02_late_within_grace_is_not_missed(CatchUp policy) {
    try (Scenario a = Scenario.everyTenMinutes(policy).put("09:55")) {
      a.stop("10:09:30").start("10:10:40");
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED", "10:10 SCHEDULED at 10:10:40");
      assertThat(a.missed()).isEmpty();
      assertThat(a.next()).contains("10:20");
    }
  }

  @Test
  void s03_skip_leaves_out_what_was_missed() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.SKIP).put("09:55")) {
      a.stop("10:05").start("10:45");
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED");
      assertThat(a.missed()).containsExactly("10:10..10:40 GRACE (4)");
      assertThat(a.next()).contains("10:50");
    }
  }

  @Test
  void s04_skip_fires_what_is_within_grace() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.SKIP).put("09:55")) {
      a.stop("10:05").start("10:40:30");
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED", "10:40 SCHEDULED at 10:40:30");
      assertThat(a.missed()).containsExactly("10:10..10:30 GRACE (3)");
      assertThat(a.next()).contains("10:50");
    }
  }

  @Test
  void s05_collapse_fires_once_for_the_latest_missed_occurrence() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.stop("10:05").start("10:45");
      assertThat(a.fires())
          .containsExactly("10:00 SCHEDULED", "10:40 CATCH_UP at 10:45 {3 from 10:10}");
      assertThat(a.missed()).containsExactly("10:10..10:30 COLLAPSED_INTO 10:40 (3)");
      assertThat(a.next()).contains("10:50");
    }
  }

  @Test
  void s06_a_fire_within_grace_that_stands_for_others_is_a_catch_up() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.stop("10:05").start("10:40:30");
      assertThat(a.fires())
          .containsExactly("10:00 SCHEDULED", "10:40 CATCH_UP at 10:40:30 {3 from 10:10}");
      assertThat(a.missed()).containsExactly("10:10..10:30 COLLAPSED_INTO 10:40 (3)");
      assertThat(a.next()).contains("10:50");
    }
  }

  @Test
  void s07_replay_fires_each_in_order() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.REPLAY).put("09:55")) {
      a.stop("10:05").start("10:45");
      assertThat(a.fires())
          .containsExactly(
              "10:00 SCHEDULED",
              "10:10 CATCH_UP at 10:45",
              "10:20 CATCH_UP at 10:45",
              "10:30 CATCH_UP at 10:45",
              "10:40 CATCH_UP at 10:45");
      assertThat(a.missed()).isEmpty();
      assertThat(a.next()).contains("10:50");
    }
  }

  @Test
  void s08_max_replay_drops_the_oldest() {
    try (Scenario a =
        Scenario.everyTenMinutes(CatchUp.REPLAY).with(d -> d.setMaxReplay(2)).put("09:55")) {
      a.stop("10:05").start("10:45");
      assertThat(a.fires())
          .containsExactly("10:00 SCHEDULED", "10:30 CATCH_UP at 10:45", "10:40 CATCH_UP at 10:45");
      assertThat(a.missed()).containsExactly("10:10..10:20 OUT_OF_WINDOW (2)");
      assertThat(a.next()).contains("10:50");
    }
  }

  @Test
  void s09_what_is_out_of_the_window_is_not_replayed() {
    try (Scenario a =
        Scenario.everyTenMinutes(CatchUp.REPLAY)
            .with(d -> d.setCatchUpWindowMs(Duration.ofMinutes(20).toMillis()))
            .put("09:55")) {
      a.stop("10:05").start("10:45");
      assertThat(a.fires())
          .containsExactly("10:00 SCHEDULED", "10:30 CATCH_UP at 10:45", "10:40 CATCH_UP at 10:45");
      assertThat(a.missed()).containsExactly("10:10..10:20 OUT_OF_WINDOW (2)");
      assertThat(a.next()).contains("10:50");
    }
  }

  @Test
  void s10_a_delete_wins_over_what_is_undecided() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.REPLAY).put("09:55")) {
      a.stop("10:05").delete("10:20:05").start("10:45").until("11:00");
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED");
      assertThat(a.missed()).containsExactly("10:10..10:20 DELETED (2)");
      assertThat(a.status()).isEmpty();
      assertThat(a.scheduler().store("schedules")).isEmpty();
    }
  }

  @Test
  void s11_a_pause_wins_over_what_is_undecided_and_resume_never_backfills() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.REPLAY).put("09:55")) {
      a.stop("10:05").edit("10:20:05", "paused", d -> d.setEnabled(false)).start("10:45");
      assertThat(a.missed()).containsExactly("10:10..10:20 PAUSED (2)");
      assertThat(a.status()).contains(State.PAUSED);
      assertThat(a.next()).isEmpty();
      a.edit("10:50:05", "resumed", d -> d.setEnabled(true));
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED");
      assertThat(a.missed())
          .containsExactly("10:10..10:20 PAUSED (2)", "10:30..10:50 PAUSED (3) of paused");
      assertThat(a.status()).contains(State.ACTIVE);
      assertThat(a.next()).contains("11:00");
    }
  }

  private static Scenario editedWhileDown(CatchUp policy) {
    return Scenario.everyTenMinutes(policy)
        .put("09:55")
        .stop("10:05")
        .edit("10:25", "new", d -> d.setTrigger(Scenario.every(5)))
        .start("10:44");
  }

  @Test
  void s12_replay_fires_what_each_revision_owns() {
    try (Scenario a = editedWhileDown(CatchUp.REPLAY)) {
      assertThat(a.fires())
          .containsExactly(
              "10:00 SCHEDULED",
              "10:10 CATCH_UP at 10:44",
              "10:20 CATCH_UP at 10:44",
              "10:30 CATCH_UP at 10:44 by new",
              "10:35 CATCH_UP at 10:44 by new",
              "10:40 CATCH_UP at 10:44 by new");
      assertThat(a.missed()).isEmpty();
      assertThat(a.next()).contains("10:45");
    }
  }

  @Test
  void s13_collapse_carries_what_the_old_revision_missed_over_to_the_newest() {
    try (Scenario a = editedWhileDown(CatchUp.COLLAPSE)) {
      assertThat(a.fires())
          .containsExactly("10:00 SCHEDULED", "10:40 CATCH_UP at 10:44 {4 from 10:10} by new");
      assertThat(a.missed())
          .containsExactly(
              "10:10..10:20 COLLAPSED_INTO 10:40 (2)",
              "10:30..10:35 COLLAPSED_INTO 10:40 (2) of new");
      assertThat(a.next()).contains("10:45");
    }
  }

  @Test
  void s14_skip_leaves_out_what_each_revision_missed() {
    try (Scenario a = editedWhileDown(CatchUp.SKIP)) {
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED");
      assertThat(a.missed())
          .containsExactly("10:10..10:20 GRACE (2)", "10:30..10:40 GRACE (3) of new");
      assertThat(a.next()).contains("10:45");
    }
  }

  @Test
  void s15_five_hundred_edits_in_an_outage_become_one_fire() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").stop("10:05")) {
      a.until("10:06");
      for (int i = 1; i <= 500; i++) {
        String name = "e" + i;
        a.advance(Duration.ofMillis(4_560)).with(d -> d.setDescription(name)).put("10:06");
      }
      a.start("10:45");
      assertThat(a.fires())
          .containsExactly("10:00 SCHEDULED", "10:40 CATCH_UP at 10:45 {3 from 10:10} by e500");
      // edit n is put at 10:06 + n * 4.56 s, and owns what comes after it
      assertThat(a.missed())
          .containsExactly(
              "10:10 COLLAPSED_INTO 10:40 of e52",
              "10:20 COLLAPSED_INTO 10:40 of e184",
              "10:30 COLLAPSED_INTO 10:40 of e315");
      assertThat(a.next()).contains("10:50");
      assertThat(a.scheduler().store("progress"))
          .as("nothing but the position, and how far the input was taken")
          .hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void s16_putting_it_again_unchanged_changes_nothing(CatchUp policy) {
    try (Scenario without = Scenario.everyTenMinutes(policy).put("09:55");
        Scenario again = Scenario.everyTenMinutes(policy).put("09:55")) {
      without.stop("10:25").start("10:45").until("11:00");
      again.put("10:05").put("10:15").stop("10:25").put("10:35").start("10:45").until("11:00");
      assertThat(again.fires()).isEqualTo(without.fires());
      assertThat(again.missed()).isEqualTo(without.missed());
      assertThat(again.next()).isEqualTo(without.next());
      assertThat(again.scheduler().revisions()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void s17_max_occurrences_completes_the_schedule(CatchUp policy) {
    try (Scenario a =
        Scenario.everyTenMinutes(policy).with(d -> d.setMaxOccurrences(3L)).put("09:55")) {
      a.until("10:21");
      assertThat(a.fires())
          .containsExactly("10:00 SCHEDULED", "10:10 SCHEDULED", "10:20 SCHEDULED");
      isComplete(a);
    }
  }

  @Test
  void s18_max_occurrences_counts_missed_ones_too() {
    try (Scenario a =
        Scenario.everyTenMinutes(CatchUp.SKIP).with(d -> d.setMaxOccurrences(3L)).put("09:55")) {
      a.stop("10:05").start("10:15").until("11:00");
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED", "10:20 SCHEDULED");
      assertThat(a.missed()).containsExactly("10:10 GRACE");
      isComplete(a);
    }
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void s19_the_skip_list_leaves_an_occurrence_out(CatchUp policy) {
    try (Scenario a =
        Scenario.everyTenMinutes(policy)
            .with(d -> d.setSkip(List.of(Scenario.at("10:10"))))
            .put("09:55")) {
      a.until("10:25");
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED", "10:20 SCHEDULED");
      assertThat(a.missed()).containsExactly("10:10 SKIPPED");
      assertThat(a.next()).contains("10:30");
    }
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void s20_an_occurrence_at_the_edits_own_instant_belongs_to_the_old_revision(CatchUp policy) {
    try (Scenario a = Scenario.everyTenMinutes(policy).put("09:55")) {
      a.edit("10:05", "cron", d -> d.setTrigger(Scenario.cron("5 * * * *"))).until("11:30");
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED", "11:05 SCHEDULED by cron");
      assertThat(a.missed()).isEmpty();
      assertThat(a.next()).contains("12:05");
    }
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void s21_once_fires_and_is_complete(CatchUp policy) {
    try (Scenario a = Scenario.once(policy, "10:20").put("09:55").until("10:21")) {
      assertThat(a.fires()).containsExactly("10:20 SCHEDULED");
      isComplete(a);
    }
  }

  @ParameterizedTest
  @EnumSource(value = CatchUp.class, names = "SKIP", mode = EnumSource.Mode.EXCLUDE)
  void s22_once_fires_late(CatchUp policy) {
    try (Scenario a = Scenario.once(policy, "10:20").put("09:55")) {
      a.stop("10:05").start("10:45").until("10:46");
      assertThat(a.fires()).containsExactly("10:20 CATCH_UP at 10:45");
      isComplete(a);
    }
  }

  @Test
  void s23_once_that_is_missed_under_skip_completes_without_firing() {
    try (Scenario a = Scenario.once(CatchUp.SKIP, "10:20").put("09:55")) {
      a.stop("10:05").start("10:45").until("10:46");
      assertThat(a.fires()).isEmpty();
      assertThat(a.missed()).containsExactly("10:20 GRACE");
      isComplete(a);
    }
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void s24_once_in_the_past_fires_at_once(CatchUp policy) {
    try (Scenario a = Scenario.once(policy, "10:20").put("10:30").until("10:31")) {
      assertThat(a.fires()).containsExactly("10:20 SCHEDULED at 10:30:05");
      assertThat(a.scheduler().fires().get(0).getDue()).isEqualTo(Scenario.at("10:30"));
      isComplete(a);
    }
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void s25_once_that_is_moved_fires_at_its_new_instant_only(CatchUp policy) {
    try (Scenario a = Scenario.once(policy, "10:20").put("09:55")) {
      a.edit("10:10", "moved", d -> d.setTrigger(Scenario.onceAt("11:00"))).until("11:01");
      assertThat(a.fires()).containsExactly("11:00 SCHEDULED by moved");
      isComplete(a);
    }
  }

  @Test
  void s26_once_that_was_moved_after_its_instant_fires_at_both_as_without_the_outage() {
    try (Scenario a = Scenario.once(CatchUp.COLLAPSE, "10:20").put("09:55")) {
      a.stop("10:05")
          .edit("10:25", "moved", d -> d.setTrigger(Scenario.onceAt("11:00")))
          .start("10:45")
          .until("11:01");
      assertThat(a.fires())
          .containsExactly("10:20 CATCH_UP at 10:45 by moved", "11:00 SCHEDULED by moved");
      isComplete(a);
    }
  }

  private static Scenario pausedOverItsInstant(CatchUp policy) {
    return Scenario.once(policy, "10:20")
        .put("09:55")
        .edit("10:10", "paused", d -> d.setEnabled(false))
        .edit("10:50", "resumed", d -> d.setEnabled(true))
        .until("10:51");
  }

  @ParameterizedTest
  @EnumSource(value = CatchUp.class, names = "SKIP", mode = EnumSource.Mode.EXCLUDE)
  void s27_once_whose_instant_fell_into_its_pause_fires_on_resume(CatchUp policy) {
    try (Scenario a = pausedOverItsInstant(policy)) {
      assertThat(a.fires()).containsExactly("10:20 CATCH_UP at 10:50:05 by resumed");
      isComplete(a);
    }
  }

  @Test
  void s28_once_whose_instant_fell_into_its_pause_is_missed_under_skip() {
    try (Scenario a = pausedOverItsInstant(CatchUp.SKIP)) {
      assertThat(a.fires()).isEmpty();
      assertThat(a.missed()).containsExactly("10:20 PAUSED of paused");
      isComplete(a);
    }
  }

  @Test
  void a_pause_that_began_and_ended_in_an_outage_is_as_one_that_was_seen() {
    try (Scenario a = Scenario.once(CatchUp.COLLAPSE, "10:20").put("09:55")) {
      a.stop("10:05")
          .edit("10:10", "paused", d -> d.setEnabled(false))
          .edit("10:50", "resumed", d -> d.setEnabled(true))
          .start("10:55")
          .until("10:56");
      assertThat(a.fires()).containsExactly("10:20 CATCH_UP at 10:55 by resumed");
      isComplete(a);
    }
  }

  @Test
  void a_completed_schedule_is_removed_after_its_retention_and_does_not_fire_the_same_again() {
    Consumer<Scenario> firesOnce = a -> assertThat(a.fires()).containsExactly("10:20 SCHEDULED");
    try (Scenario a = Scenario.once(CatchUp.COLLAPSE, "10:20").put("09:55")) {
      a.until("11:15").put("11:15");
      firesOnce.accept(a);
      assertThat(a.status()).contains(State.COMPLETED);
      a.until("11:30");
      firesOnce.accept(a);
      assertThat(a.status()).isEmpty();
      assertThat(a.scheduler().store("schedules")).isEmpty();
      a.put("11:40").until("11:41");
      firesOnce.accept(a);
      a.with(d -> d.setTrigger(Scenario.onceAt("10:21"))).put("11:42").until("11:43");
      assertThat(a.fires()).hasSize(2).endsWith("10:21 SCHEDULED at 11:42:05");
    }
  }

  private static Scenario overlapping(Overlap overlap) {
    return Scenario.everyTenMinutes(CatchUp.COLLAPSE)
        .with(d -> d.setOverlap(overlap).setTimeoutMs(Duration.ofMinutes(30).toMillis()))
        .put("09:55");
  }

  @Test
  void s29_skip_misses_what_comes_due_while_the_fire_before_it_runs() {
    try (Scenario a = overlapping(Overlap.SKIP).report("10:25", "10:00", "succeeded")) {
      a.until("10:35");
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED", "10:30 SCHEDULED");
      assertThat(a.missedInAll()).containsExactly("10:10..10:20 OVERLAP (2)");
    }
  }

  @Test
  void s30_buffer_one_holds_the_first_back_until_the_run_ends() {
    try (Scenario a = overlapping(Overlap.BUFFER_ONE).report("10:25", "10:00", "succeeded")) {
      a.report("10:35", "10:10", "succeeded").until("10:36");
      assertThat(a.fires())
          .containsExactly("10:00 SCHEDULED", "10:10 CATCH_UP at 10:25", "10:30 CATCH_UP at 10:35");
      assertThat(a.missed()).containsExactly("10:20 OVERLAP");
    }
  }

  @Test
  void s31_a_fire_that_reports_nothing_counts_as_ended_after_its_time_out() {
    try (Scenario a = overlapping(Overlap.SKIP).until("11:05")) {
      assertThat(a.fires())
          .containsExactly("10:00 SCHEDULED", "10:30 SCHEDULED", "11:00 SCHEDULED");
      assertThat(a.missedInAll())
          .containsExactly("10:10..10:20 OVERLAP (2)", "10:40..10:50 OVERLAP (2)");
    }
  }

  @Test
  void s32_replayed_fires_go_one_after_another() {
    try (Scenario a = overlapping(Overlap.SKIP)) {
      a.with(d -> d.setCatchUp(CatchUp.REPLAY)).put("09:56").report("10:01", "10:00", "succeeded");
      a.stop("10:05").start("10:45");
      a.report("10:46", "10:10", "succeeded").report("10:47", "10:20", "succeeded");
      a.report("10:48", "10:30", "succeeded").report("10:49", "10:40", "succeeded");
      a.until("10:49");
      assertThat(a.fires())
          .containsExactly(
              "10:00 SCHEDULED",
              "10:10 CATCH_UP at 10:45",
              "10:20 CATCH_UP at 10:46",
              "10:30 CATCH_UP at 10:47",
              "10:40 CATCH_UP at 10:48");
      assertThat(a.missed()).isEmpty();
      assertThat(a.next()).contains("10:50");
    }
  }

  @Test
  void a_rejected_edit_leaves_what_was_accepted_in_force() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").until("10:05")) {
      a.send("{\"cron\":\"61 * * * *\"}");
      a.until("10:15");
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED", "10:10 SCHEDULED");
      assertThat(a.status()).contains(State.ACTIVE);
    }
  }

  private static void isComplete(Scenario a) {
    assertThat(a.status()).contains(State.COMPLETED);
    assertThat(a.next()).isEmpty();
  }

  @Test
  void a_recurrence_rule_counts_from_its_anchor_and_completes() {
    try (Scenario a =
        Scenario.everyTenMinutes(CatchUp.COLLAPSE)
            .with(d -> d.setTrigger(Scenario.rrule("FREQ=MINUTELY;INTERVAL=10;COUNT=4", "09:50")))
            .put("09:55")) {
      a.until("11:00");
      assertThat(a.fires())
          .containsExactly("10:00 SCHEDULED", "10:10 SCHEDULED", "10:20 SCHEDULED");
      assertThat(a.next()).isEmpty();
    }
  }

  @Test
  void a_recurrence_rule_without_an_anchor_occurs_after_it_was_defined_as_often_as_it_says() {
    RRuleTrigger anchorless = new RRuleTrigger("FREQ=MINUTELY;INTERVAL=10;COUNT=3", null, null);
    try (Scenario a =
        Scenario.everyTenMinutes(CatchUp.COLLAPSE)
            .with(d -> d.setTrigger(anchorless))
            .put("09:55")) {
      a.with(d -> d.setDescription("edit")).put("10:07");
      a.until("11:00");
      assertThat(a.fires())
          .containsExactly("10:05 SCHEDULED", "10:15 SCHEDULED by edit", "10:25 SCHEDULED by edit");
      assertThat(a.next()).isEmpty();
    }
  }

  @Test
  void a_recurrence_rule_catches_up_and_is_bounded_like_any_trigger() {
    try (Scenario a =
        Scenario.everyTenMinutes(CatchUp.COLLAPSE)
            .with(d -> d.setTrigger(Scenario.rrule("FREQ=HOURLY;BYMINUTE=0,10,20,30,40", "00:00")))
            .with(d -> d.setMaxOccurrences(6L))
            .put("09:55")) {
      a.stop("10:05").start("10:45").until("12:00");
      assertThat(a.fires())
          .containsExactly(
              "10:00 SCHEDULED", "10:40 CATCH_UP at 10:45 {3 from 10:10}", "11:00 SCHEDULED");
      assertThat(a.missed()).containsExactly("10:10..10:30 COLLAPSED_INTO 10:40 (3)");
    }
  }
}

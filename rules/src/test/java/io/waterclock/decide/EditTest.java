package io.waterclock.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.RevisionChange;
import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Verdict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who owns what when a definition is replaced. */
class EditTest {

  @Test
  void an_occurrence_at_the_edits_own_instant_belongs_to_the_old_revision() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55");
    a.editLate("10:10", "10:45", d -> d.setDescription("new")).tick("10:45");
    assertThat(a.fires())
        .containsExactly(
            "10:00 CATCH_UP by r0",
            "10:10 CATCH_UP by r0",
            "10:20 CATCH_UP by r1",
            "10:30 CATCH_UP by r1",
            "10:40 CATCH_UP by r1");
  }

  @Test
  void a_millisecond_earlier_it_belongs_to_the_new_one() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00");
    a.editLate("10:09:59.999", "10:11", d -> d.setDescription("new")).tick("10:11");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0", "10:10 SCHEDULED by r1");
  }

  @Test
  void an_edit_that_arrives_late_owns_nothing_that_is_decided() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00").tick("10:10");
    a.editLate("10:03", "10:12", d -> d.setTrigger(Life.every(5))).tick("10:30");
    assertThat(a.fires())
        .startsWith("10:00 SCHEDULED by r0", "10:10 SCHEDULED by r0")
        .noneMatch(line -> line.startsWith("10:05"));
    assertThat(a.missed()).containsExactly("10:15..10:25 COLLAPSED_INTO 10:30 (3) of r1");
  }

  @Test
  void an_edit_from_the_future_takes_effect_now() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    a.editLate("10:30", "10:05", d -> d.setDescription("new")).tick("10:10");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0", "10:10 SCHEDULED by r1");
  }

  @Test
  void an_edit_ahead_of_a_clock_that_is_behind_fires_nothing_before_that_clock_says_it_is_due() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    a.editBehind("10:45", "10:05", d -> d.setDescription("new")).tick("10:06");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0");
    a.tick("10:10").tick("10:50");
    assertThat(a.fires())
        .containsExactly(
            "10:00 SCHEDULED by r0",
            "10:10 SCHEDULED by r0",
            "10:50 CATCH_UP {3 from 10:20} by r1");
    assertThat(a.missed()).containsExactly("10:20..10:40 COLLAPSED_INTO 10:50 (3) of r0");
  }

  @Test
  void an_edit_older_than_the_one_before_it_takes_effect_with_it() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    a.edit("10:15", d -> d.setDescription("b"));
    a.editLate("10:03", "10:16", d -> d.setDescription("c")).tick("10:16");
    assertThat(a.state().current().effectiveAt()).isEqualTo(Life.at("10:15"));
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0", "10:10 CATCH_UP by r2");
  }

  @Test
  void the_same_definition_again_changes_nothing() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").put("10:05");
    assertThat(a.last().verdict()).contains(Verdict.UNCHANGED);
    assertThat(a.last().isQuiet()).isTrue();
    assertThat(a.state().current().revision()).isEqualTo("r0");
  }

  @Test
  void an_edit_ends_the_revision_before_unless_that_was_complete() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55");
    a.edit("10:05", d -> d.setDescription("new"));
    assertThat(a.last().revisions()).hasSize(2).first().isInstanceOf(RevisionChange.Ended.class);
    Life once = Life.of(Life.once("10:00"), CatchUp.COLLAPSE).put("09:55").tick("10:00");
    once.review("10:01").edit("10:05", d -> d.setTrigger(Life.once("11:00")));
    assertThat(once.last().revisions()).singleElement().isInstanceOf(RevisionChange.Began.class);
  }

  @Test
  void a_single_instant_to_come_belongs_to_an_edit_in_a_pause_from_the_edit_on() {
    Life a = Life.of(Life.once("10:20"), CatchUp.COLLAPSE).put("09:55");
    a.command("10:00", "\"pause\": {}").edit("10:10", d -> d.setDescription("new"));
    assertThat(a.state().current().ownsAfter()).isEqualTo(Life.at("10:10"));
    a.command("10:15", "\"resume\": {}").tick("10:20");
    assertThat(a.fires()).containsExactly("10:20 SCHEDULED by r1");
  }

  @Test
  void an_instant_that_was_past_is_due_no_earlier_than_it_was_defined_though_a_pause_held_it() {
    Life a = Life.of(Life.once("09:00"), CatchUp.COLLAPSE).with(d -> d.setEnabled(false));
    a.put("10:00").edit("10:10", d -> d.setDescription("new"));
    assertThat(a.state().current().dueFloor()).contains(Life.at("10:00"));
    a.edit("10:20", d -> d.setEnabled(true)).tick("10:20");
    assertThat(a.fires()).containsExactly("09:00 CATCH_UP by r2");
  }

  @Test
  void enabling_that_is_read_late_ends_the_pause_when_it_was_written() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).with(d -> d.setOnResume(OnResume.FIRE_ONCE));
    a.put("09:55").tick("10:00").edit("10:05", d -> d.setEnabled(false));
    a.editLate("10:22", "10:42", d -> d.setEnabled(true)).tick("10:42");
    assertThat(a.missed())
        .containsExactly("10:10 PAUSED of r1", "10:30 COLLAPSED_INTO 10:40 of r2");
    assertThat(a.fires())
        .containsExactly(
            "10:00 SCHEDULED by r0",
            "10:20 CATCH_UP {1 from 10:10} by r1",
            "10:40 CATCH_UP {1 from 10:30} by r2");
  }

  private static Life timer() {
    return Life.of(OnceTrigger.newBuilder().setInMs(3_600_000L).build(), CatchUp.COLLAPSE)
        .with(d -> d.setRearm(true));
  }

  @Test
  void a_timer_that_is_armed_again_while_it_waits_fires_after_the_last_record() {
    Life a = timer().put("10:00").put("10:30").put("10:45");
    assertThat(a.last().verdict()).contains(Verdict.ACCEPTED);
    assertThat(a.next()).contains("11:45");
    a.tick("11:40");
    assertThat(a.fires()).isEmpty();
    assertThat(a.tick("11:45").fires()).containsExactly("11:45 SCHEDULED by r2");
    assertThat(a.missed()).isEmpty();
  }

  @Test
  void a_timer_that_has_fired_can_be_armed_again() {
    Life a = timer().put("10:00").tick("11:00").review("11:01").put("11:10");
    assertThat(a.next()).contains("12:10");
    assertThat(a.tick("12:10").fires())
        .containsExactly("11:00 SCHEDULED by r0", "12:10 SCHEDULED by r1");
  }

  @Test
  void a_timer_that_ran_out_before_it_was_armed_again_fires_for_both_though_read_late() {
    Life a = timer().put("10:00").putLate("11:30", "13:00").tick("13:00");
    assertThat(a.fires()).containsExactly("12:30 CATCH_UP {1 from 11:00} by r1");
    assertThat(a.missed()).containsExactly("11:00 COLLAPSED_INTO 12:30 of r0");
  }

  @Test
  void the_same_record_or_an_older_one_arms_nothing_again() {
    Life a = timer().put("10:00").putLate("10:00", "10:20").putLate("09:40", "10:25");
    assertThat(a.last().verdict()).contains(Verdict.UNCHANGED);
    assertThat(a.next()).contains("11:00");
    assertThat(a.state().current().revision()).isEqualTo("r0");
  }

  @Test
  void without_rearm_a_timer_that_is_put_again_stays_as_it_was() {
    Life a = timer().with(d -> d.setRearm(false)).put("10:00").put("10:30");
    assertThat(a.next()).contains("11:00");
    a.tick("11:00").put("11:10");
    assertThat(a.last().verdict()).contains(Verdict.UNCHANGED);
    assertThat(a.next()).isEmpty();
  }

  private static Life timerAt(String time) {
    return Life.of(Life.once(time), CatchUp.COLLAPSE).with(d -> d.setRearm(true));
  }

  @Test
  void a_timer_at_an_instant_moves_only_to_a_later_one_in_whatever_order_records_come() {
    Life a = timerAt("10:30").put("10:00");
    a.edit("10:05", d -> d.setTrigger(Life.once("11:00")));
    assertThat(a.last().verdict()).contains(Verdict.ACCEPTED);
    a.edit("10:06", d -> d.setTrigger(Life.once("10:45")).setDescription("an older event"));
    assertThat(a.last().verdict()).contains(Verdict.UNCHANGED);
    assertThat(a.next()).contains("11:00");
    a.tick("11:00");
    assertThat(a.fires()).containsExactly("11:00 SCHEDULED by r1");
    assertThat(a.state().current().schedule().getDescription()).isNull();
  }

  @Test
  void a_timer_at_an_instant_that_has_fired_is_armed_again_by_a_later_instant_only() {
    Life a = timerAt("10:30").put("10:00").tick("10:30");
    a.put("10:31").edit("10:32", d -> d.setTrigger(Life.once("10:20"))).tick("10:40");
    assertThat(a.fires()).containsExactly("10:30 SCHEDULED by r0");
    a.edit("10:41", d -> d.setTrigger(Life.once("11:00"))).tick("11:00");
    assertThat(a.fires()).containsExactly("10:30 SCHEDULED by r0", "11:00 SCHEDULED by r3");
  }

  @Test
  void a_later_instant_that_was_written_before_the_timer_ran_out_replaces_it_though_read_late() {
    Life a = timerAt("10:30").put("10:00");
    a.editLate("10:29", "10:50", d -> d.setTrigger(Life.once("11:00"))).tick("10:50").tick("11:00");
    assertThat(a.fires()).containsExactly("11:00 SCHEDULED by r1");
    Life late = timerAt("10:30").put("10:00");
    late.editLate("10:31", "10:50", d -> d.setTrigger(Life.once("11:00"))).tick("10:50");
    late.tick("11:00");
    assertThat(late.fires()).containsExactly("10:30 CATCH_UP by r1", "11:00 SCHEDULED by r1");
  }

  @Test
  void a_timer_at_the_same_instant_takes_other_settings_and_fires_once() {
    Life a = timerAt("10:30").put("10:00").edit("10:10", d -> d.setDescription("new"));
    assertThat(a.last().verdict()).contains(Verdict.ACCEPTED);
    a.tick("10:30").edit("10:31", d -> d.setDescription("newer")).tick("10:40");
    assertThat(a.fires()).containsExactly("10:30 SCHEDULED by r1");
  }

  @Test
  void a_grid_without_an_anchor_begins_anew_with_each_record_that_rearms_it() {
    Life a =
        Life.of(Life.everyWithoutAnchor(10), CatchUp.COLLAPSE)
            .with(d -> d.setRearm(true))
            .put("09:57")
            .put("10:02");
    assertThat(a.tick("10:12").fires()).containsExactly("10:12 SCHEDULED by r1");
  }

  @Test
  void a_grid_without_an_anchor_keeps_its_anchor_when_other_things_change() {
    Life a = Life.of(Life.everyWithoutAnchor(10), CatchUp.COLLAPSE).put("09:57");
    assertThat(a.next()).contains("10:07");
    a.tick("10:07").edit("10:12", d -> d.setDescription("new"));
    assertThat(a.next()).contains("10:17");
    a.edit("10:13", d -> d.setTrigger(Life.everyWithoutAnchor(20)));
    assertThat(a.next()).contains("10:33");
  }

  @Test
  void max_occurrences_goes_on_counting_when_other_things_change() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).with(d -> d.setMaxOccurrences(3L)).put("09:55");
    a.tick("10:00").tick("10:10").edit("10:15", d -> d.setDescription("new")).tick("10:20");
    assertThat(a.fires()).hasSize(3);
    assertThat(a.next()).isEmpty();
  }

  @Test
  void once_moved_before_its_instant_fires_at_the_new_one_only() {
    Life a = Life.of(Life.once("10:20"), CatchUp.COLLAPSE).put("09:55");
    a.edit("10:10", d -> d.setTrigger(Life.once("11:00"))).tick("10:30").tick("11:00");
    assertThat(a.fires()).containsExactly("11:00 SCHEDULED by r1");
  }

  @Test
  void once_moved_to_the_past_fires_at_once() {
    Life a = Life.of(Life.once("11:00"), CatchUp.SKIP).put("09:55");
    a.edit("10:30", d -> d.setTrigger(Life.once("10:20"))).tick("10:30");
    assertThat(a.fires()).containsExactly("10:20 SCHEDULED by r1");
    assertThat(a.next()).isEmpty();
  }

  @Test
  void once_in_the_past_does_not_fire_what_earlier_revisions_own() {
    Life steady = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00").tick("10:10");
    steady.tick("10:20").edit("10:25", d -> d.setTrigger(Life.once("10:07"))).tick("10:45");
    Life down = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00");
    down.editLate("10:25", "10:45", d -> d.setTrigger(Life.once("10:07"))).tick("10:45");
    assertThat(steady.fires()).hasSize(3).noneMatch(line -> line.startsWith("10:07"));
    assertThat(down.fires()).hasSize(3).noneMatch(line -> line.startsWith("10:07"));
  }

  @Test
  void what_is_not_due_yet_for_jitter_stays_with_the_old_revision() {
    Life a =
        Life.everyTenMinutes(CatchUp.COLLAPSE)
            .with(d -> d.setJitterMs(Duration.ofMinutes(9).toMillis()))
            .put("09:55");
    Occurrence ten = a.pending().orElseThrow();
    assertThat(ten.due()).isAfter(Life.at("10:00"));
    a.edit("10:00", d -> d.setDescription("new").setJitterMs(0));
    assertThat(a.pending()).contains(ten);
    a.tick(Life.time(ten.due())).tick("10:10");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0", "10:10 SCHEDULED by r1");
  }

  @Test
  void what_a_revision_leaves_out_of_its_time_does_not_fall_to_the_one_before_it() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55");
    a.edit("10:05", d -> d.setTrigger(Life.cron("0 18 * * *")));
    a.edit("10:25", d -> d.setTrigger(Life.every(10))).tick("10:31");
    assertThat(a.fires()).containsExactly("10:00 CATCH_UP by r0", "10:30 SCHEDULED by r2");
    assertThat(a.missed()).isEmpty();
  }

  @Test
  void its_jitter_ends_where_the_new_revision_first_occurs() {
    Life a =
        Life.of(Life.every(600), CatchUp.COLLAPSE)
            .with(d -> d.setJitterMs(Duration.ofHours(9).toMillis()))
            .put("09:55");
    assertThat(a.pending().orElseThrow().due()).isAfter(Life.at("10:06"));
    a.edit("10:05", d -> d.setTrigger(Life.every(1)).setJitterMs(0));
    assertThat(a.pending()).contains(new Occurrence(Life.at("10:00"), Life.at("10:06")));
    a.tick("10:06").tick("10:07");
    assertThat(a.fires())
        .containsExactly("10:00 SCHEDULED by r0", "10:06 SCHEDULED by r1", "10:07 SCHEDULED by r1");
  }

  @Test
  void enabling_fires_once_for_what_the_pause_held_where_the_definition_wants_it() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).with(d -> d.setOnResume(OnResume.FIRE_ONCE));
    a.put("09:55").tick("10:00").edit("10:05", d -> d.setEnabled(false)).tick("10:41");
    a.edit("10:42", d -> d.setEnabled(true)).tick("10:42").tick("10:50");
    assertThat(a.fires())
        .containsExactly(
            "10:00 SCHEDULED by r0",
            "10:40 CATCH_UP {3 from 10:10} by r1",
            "10:50 SCHEDULED by r2");
    assertThat(a.missed()).containsExactly("10:10..10:30 PAUSED (3) of r1");
  }

  @Test
  void enabling_fires_nothing_when_the_pause_held_nothing() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).with(d -> d.setOnResume(OnResume.FIRE_ONCE));
    a.put("09:55").tick("10:00").edit("10:05", d -> d.setEnabled(false));
    a.edit("10:07", d -> d.setEnabled(true)).tick("10:07").tick("10:10");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0", "10:10 SCHEDULED by r2");
    assertThat(a.missed()).isEmpty();
  }

  @Test
  void enabling_with_a_new_trigger_fires_what_the_old_one_held() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).with(d -> d.setOnResume(OnResume.FIRE_ONCE));
    a.put("09:55").edit("09:56", d -> d.setEnabled(false));
    a.edit("10:12", d -> d.setEnabled(true).setTrigger(Life.every(5))).tick("10:12").tick("10:15");
    assertThat(a.fires())
        .containsExactly("10:10 CATCH_UP {1 from 10:00} by r1", "10:15 SCHEDULED by r2");
  }

  @Test
  void what_is_to_fire_at_once_fires_though_its_record_is_older_than_what_has_fired() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    a.editLate("09:59:59", "10:00:01", d -> d.setTrigger(now())).tick("10:00:01");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0", "10:00:00.001 SCHEDULED by r1");
  }

  @Test
  void what_is_to_fire_at_once_fires_beside_an_occurrence_of_its_own_instant() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55");
    a.edit("10:00", d -> d.setTrigger(now())).tick("10:00:01");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0", "10:00:00.001 SCHEDULED by r1");
  }

  private static OnceTrigger now() {
    return OnceTrigger.newBuilder().setInMs(0L).build();
  }
}

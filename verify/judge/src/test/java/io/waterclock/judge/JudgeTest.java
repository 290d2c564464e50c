package io.waterclock.judge;

import static io.waterclock.judge.Story.at;
import static io.waterclock.judge.Story.collapsed;
import static io.waterclock.judge.Story.every;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.judge.Finding.Kind;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.MissedReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JudgeTest {
  private static final String REPLAY = ",\"catch_up\":\"replay\",\"grace\":\"5s\"";
  private static final String SKIP = ",\"catch_up\":\"skip\",\"grace\":\"5s\"";
  private static final String COLLAPSE = ",\"catch_up\":\"collapse\",\"grace\":\"5s\"";

  private static Story story(String policy) {
    return new Story().put(5, every(10, policy));
  }

  @Test
  void what_fired_once_on_time_is_right() {
    assertThat(story(REPLAY).fire(0, 10, 20, 30).until(35).findings()).isEmpty();
  }

  @Test
  void an_occurrence_without_an_outcome_is_lost_at_either_end_and_between() {
    assertKinds(story(REPLAY).fire(0, 20, 30).until(35), Kind.LOST);
    assertKinds(story(REPLAY).fire(0, 10, 30).until(35), Kind.LOST);
    assertKinds(story(REPLAY).fire(0, 10, 20).until(35), Kind.LOST);
    assertThat(story(REPLAY).fire(0, 10, 20).until(29).findings()).isEmpty();
    assertKinds(story(REPLAY).fire(0, 10, 20, 40).until(25), Kind.LOST);
  }

  @Test
  void at_the_end_an_alert_is_missing_whoever_decided_and_whenever() {
    assertKinds(overdue(expected()).report(120, 100).until(190), Kind.ALERT);
    assertThat(overdue(expected()).report(120, 100).until(121).findings()).isEmpty();
    assertKinds(expected().until(190), Kind.ALERT);
    assertThat(expected().until(102).findings()).isEmpty();
  }

  private static Story expecting() {
    return expected().deciding();
  }

  private static Story expected() {
    return new Story().put(5, every(100, ",\"expect\":{\"succeeded_within\":\"3s\"}")).fire(0, 100);
  }

  private static Story overdue(Story story) {
    return story.alerted(103, AlertKind.OVERDUE, 100, 103, 103);
  }

  private static Story recovered(Story story) {
    return story.alerted(121, AlertKind.RECOVERED, 100, 103, 120);
  }

  /** Fires at 100, 200 and 300; the first succeeds at 101, the last at 303. */
  private static Story expectingOften() {
    return new Story()
        .deciding()
        .put(5, every(100, ",\"expect\":{\"succeeded_every\":\"90s\"}"))
        .fire(0, 100, 200, 300)
        .report(101, 100)
        .report(303, 300);
  }

  private static Story alerted(Story story, AlertKind kind, double at) {
    return story.alerted(Expectation.SUCCEEDED_EVERY, at, kind, 200, 290, at);
  }

  @Test
  void a_time_without_a_success_is_overdue() {
    assertThat(expectingOften().report(202, 200).until(390).findings()).isEmpty();
    assertThat(alerted(expectingOften(), AlertKind.OVERDUE, 290).until(304).findings()).isEmpty();
    assertKinds(alerted(expectingOften(), AlertKind.OVERDUE, 290).until(390), Kind.ALERT);
  }

  @Test
  void a_missing_alert_about_a_time_without_a_success_is_found() {
    assertKinds(expectingOften().until(390), Kind.ALERT);
    Story recovered = alerted(expectingOften(), AlertKind.OVERDUE, 290);
    alerted(recovered, AlertKind.RECOVERED, 303);
    assertThat(recovered.until(390).findings()).isEmpty();
    assertKinds(alerted(recovered, AlertKind.RECOVERED, 310).until(390), Kind.ALERT);
  }

  @Test
  void what_does_not_succeed_in_time_is_overdue_once_and_recovers_once() {
    assertThat(expecting().report(102, 100).until(190).findings()).isEmpty();
    assertThat(overdue(expecting()).until(190).findings()).isEmpty();
    assertThat(recovered(overdue(expecting()).report(120, 100)).until(190).findings()).isEmpty();
  }

  @Test
  void an_alert_that_is_missing_doubled_early_or_false_is_found() {
    assertKinds(expecting().until(190), Kind.ALERT);
    assertKinds(overdue(overdue(expecting())).until(190), Kind.ALERT);
    assertKinds(overdue(expecting().report(100.5, 100)).until(190), Kind.ALERT);
    assertKinds(recovered(overdue(expecting())).until(190), Kind.ALERT);
    assertKinds(recovered(expecting().report(102, 100)).until(190), Kind.ALERT);
    assertKinds(expecting().alerted(104, AlertKind.OVERDUE, 100, 104, 104).until(190), Kind.ALERT);
    assertKinds(expecting().alerted(101, AlertKind.OVERDUE, 100, 103, 103).until(190), Kind.ALERT);
    assertKinds(
        expecting().report(102, 100).alerted(104, AlertKind.OVERDUE, 0, 3, 3).until(190),
        Kind.ALERT,
        Kind.ALERT);
  }

  @Test
  void a_replay_after_an_outage_is_right_and_skipping_it_is_not() {
    assertThat(story(REPLAY).late(0, 10, 32).late(0, 20, 32).late(0, 30, 32).until(35).findings())
        .isEmpty();
    assertKinds(
        story(REPLAY).miss(0, 10, 20, 2, MissedReason.GRACE, 32).late(0, 30, 32).until(35),
        Kind.UNLAWFUL);
  }

  @Test
  void a_skip_after_an_outage_must_be_older_than_grace() {
    assertThat(
            story(SKIP)
                .miss(0, 10, 20, 2, MissedReason.GRACE, 32)
                .late(0, 30, 32)
                .until(35)
                .findings())
        .isEmpty();
    assertKinds(story(SKIP).miss(0, 10, 30, 3, MissedReason.GRACE, 32).until(35), Kind.UNLAWFUL);
    assertKinds(story(SKIP).late(0, 10, 18).fire(0, 20, 30).until(35), Kind.UNLAWFUL);
  }

  @Test
  void a_collapse_counts_what_it_stands_for() {
    Collapsed two = collapsed(2, 10);
    Collapsed three = collapsed(3, 10);
    assertThat(
            story(COLLAPSE)
                .collapse(0, 10, 20, 2, 30, 32)
                .late(0, 30, 32, two)
                .until(35)
                .findings())
        .isEmpty();
    assertKinds(
        story(COLLAPSE).collapse(0, 10, 20, 2, 30, 32).late(0, 30, 32, three).until(35),
        Kind.UNLAWFUL);
    assertKinds(story(COLLAPSE).collapse(0, 10, 30, 3, 30, 32).until(35), Kind.UNLAWFUL);
  }

  @Test
  void what_collapsed_is_missed_for_a_fire_that_says_so() {
    Story missed = story(COLLAPSE).collapse(0, 10, 20, 2, 30, 32);
    assertKinds(missed.late(0, 30, 32).until(35), Kind.UNLAWFUL);
    Story other = story(COLLAPSE).collapse(0, 10, 20, 2, 30, 32);
    assertKinds(other.late(0, 30, 32, collapsed(2, 20)).until(35), Kind.UNLAWFUL);
  }

  @Test
  void a_collapse_begins_with_an_occurrence_older_than_grace() {
    assertKinds(collapse(COLLAPSE, 12, 12.5), Kind.UNLAWFUL);
    assertKinds(collapse(COLLAPSE, 14, 14), Kind.UNLAWFUL);
    assertThat(collapse(COLLAPSE, 14, 14.001).findings()).isEmpty();
  }

  /** Each second from 9 s on, of which a fire stands for all. */
  private static Story collapse(String policy, int fired, double at) {
    int others = fired - 9;
    return new Story()
        .put(8.5, every(1, policy))
        .collapse(0, 9, fired - 1, others, fired, at)
        .late(0, fired, at, collapsed(others, 9))
        .until(fired);
  }

  @Test
  void of_several_revisions_that_collapse_into_one_fire_the_first_is_older_than_its_own_grace() {
    String longer = ",\"catch_up\":\"collapse\",\"grace\":\"60s\"";
    assertThat(carried(COLLAPSE, longer).findings()).isEmpty();
    assertKinds(carried(longer, COLLAPSE), Kind.UNLAWFUL, Kind.UNLAWFUL);
  }

  /** Each second from 9 s on, then each second one from 10.5 s on, decided at 16 s. */
  private static Story carried(String old, String newest) {
    return new Story()
        .put(8.5, every(1, old))
        .put(10.5, every(2, newest))
        .collapse(0, 9, 10, 2, 16, 16)
        .collapse(1, 12, 14, 2, 16, 16)
        .late(1, 16, 16, collapsed(4, 9))
        .until(16);
  }

  @Test
  void a_replay_leaves_out_what_is_before_the_newest_that_were_missed() {
    String two = REPLAY + ",\"max_replay\":2";
    // at 19.5 s, 9 to 14 are older than grace
    assertThat(replay(two, 12, 19.5).findings()).isEmpty();
    assertKinds(replay(two, 13, 19.5), Kind.UNLAWFUL);
    assertThat(replay(two, 13, 20.001).findings()).isEmpty();
    assertKinds(replay(two, 13, 20), Kind.UNLAWFUL);
    assertKinds(replay(REPLAY, 12, 19.5), Kind.UNLAWFUL);
    assertKinds(replay(two + ",\"skip\":[\"" + at(14) + "\"]", 12, 19.5), Kind.UNLAWFUL);
    assertKinds(replay(COLLAPSE + ",\"max_replay\":2", 12, 19.5), Kind.UNLAWFUL);
  }

  @Test
  void a_replay_leaves_out_what_is_older_than_its_window_and_than_grace() {
    String window = REPLAY + ",\"catch_up_window\":\"8s\"";
    assertThat(replay(window, 11, 19.5).findings()).isEmpty();
    assertKinds(replay(window, 12, 19.5), Kind.UNLAWFUL);
    assertKinds(replay(REPLAY + ",\"catch_up_window\":\"2s\"", 12, 16.5), Kind.UNLAWFUL);
  }

  /** Each second from 9 s on, left out up to some second. */
  private static Story replay(String policy, int through, double at) {
    return new Story()
        .put(8.5, every(1, policy))
        .miss(0, 9, through, through - 8, MissedReason.OUT_OF_WINDOW, at)
        .until(through);
  }

  @Test
  void a_replay_of_a_replaced_revision_counts_its_own_occurrences_alone() {
    String three = REPLAY + ",\"max_replay\":3";
    assertThat(replaced(three, 12).findings()).isEmpty();
    assertKinds(replaced(three, 15), Kind.UNLAWFUL);
  }

  /** Each second from 9 s on, then each minute from 15.5 s on; read by 17.51 s. */
  private static Story replaced(String policy, int through) {
    Story story = new Story().put(8.5, every(1, policy)).put(15.5, every(60, policy));
    story.miss(0, 9, through, through - 8, MissedReason.OUT_OF_WINDOW, 30.5);
    for (int at = through + 1; at <= 15; at++) {
      story.late(0, at, 30.5);
    }
    return story.until(31);
  }

  @Test
  void what_an_edit_leaves_collapses_into_a_fire_of_the_newest_revision() {
    Collapsed one = collapsed(1, 10);
    Story carried =
        story(COLLAPSE)
            .put(22, every(7, COLLAPSE))
            .collapse(0, 10, 10, 1, 20, 26)
            .late(1, 20, 26, one);
    assertThat(carried.fire(1, 28).until(30).findings()).isEmpty();
    Story lost = story(COLLAPSE).put(22, every(7, COLLAPSE)).fire(0, 10);
    assertKinds(lost.fire(1, 28).until(30), Kind.LOST);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {SKIP, REPLAY, COLLAPSE, SKIP + ",\"overlap\":\"skip\",\"timeout\":\"1s\""})
  void what_a_collapse_leaves_to_an_edit_fires_whatever_the_new_policy_is(String newest) {
    Collapsed one = collapsed(1, 10);
    Story carried =
        story(COLLAPSE)
            .put(22, every(7, newest))
            .collapse(0, 10, 10, 1, 20, 26)
            .late(1, 20, 26, one);
    assertThat(carried.fire(1, 28).until(30).findings()).isEmpty();
    Story lost = story(COLLAPSE).put(22, every(7, newest)).fire(0, 10);
    assertKinds(lost.fire(1, 28).until(30), Kind.LOST);
    Story doubled =
        story(COLLAPSE).put(22, every(7, newest)).fire(0, 10, 20).late(1, 20, 26).fire(1, 28);
    assertThat(doubled.until(30).findings()).extracting(Finding::kind).contains(Kind.DOUBLED);
  }

  @Test
  void what_other_policies_leave_to_an_edit_fires_as_their_own_revision() {
    Story skipped = story(SKIP).put(22, every(7, COLLAPSE)).fire(0, 10).late(1, 20, 26);
    assertThat(skipped.fire(1, 28).until(30).findings())
        .extracting(Finding::kind)
        .containsExactly(Kind.FOREIGN, Kind.UNLAWFUL);
    Story afterDelete = story(COLLAPSE).delete(21).put(22, every(7, SKIP)).fire(0, 10);
    assertThat(afterDelete.late(2, 20, 26).fire(2, 28).until(30).findings())
        .extracting(Finding::kind)
        .containsExactly(Kind.FOREIGN);
  }

  @Test
  void an_edit_takes_effect_somewhere_between_its_record_and_its_reading() {
    // every 10 s becomes every 3 s at 22 s; the scheduler reads it by 24.01 s
    Story atOnce = story(REPLAY).put(22, every(3, REPLAY)).fire(0, 10, 20).fire(1, 24, 27, 30);
    assertThat(atOnce.until(31).findings()).isEmpty();
    Story tooLate = story(REPLAY).put(22, every(3, REPLAY)).fire(0, 10, 20).fire(1, 27, 30);
    assertKinds(tooLate.until(31), Kind.LOST);
    Story old = story(REPLAY).put(22, every(3, REPLAY)).fire(0, 10, 20, 30).fire(1, 33);
    assertThat(old.until(34).findings()).extracting(Finding::kind).contains(Kind.FOREIGN);
  }

  @Test
  void a_limit_counts_from_the_edit() {
    String two = REPLAY + ",\"max_occurrences\":2";
    Story atOnce = story(REPLAY).put(22, every(1, two)).fire(0, 10, 20).fire(1, 23, 24);
    assertThat(atOnce.until(40).findings()).isEmpty();
    Story late = story(REPLAY).put(22, every(1, two)).fire(0, 10, 20).fire(1, 24, 25);
    assertKinds(late.until(40), Kind.LOST, Kind.FOREIGN);
    Story tooFew = story(REPLAY).put(22, every(1, two)).fire(0, 10, 20).fire(1, 24);
    assertKinds(tooFew.until(40), Kind.LOST);
    Story tooMany = story(REPLAY).put(22, every(1, two)).fire(0, 10, 20).fire(1, 23, 24, 25);
    assertKinds(tooMany.until(40), Kind.FOREIGN);
    Story none = story(REPLAY).put(22, every(5, two)).fire(0, 10, 20);
    assertKinds(none.until(40), Kind.LOST, Kind.LOST);
  }

  @Test
  void a_cut_that_excuses_the_new_revision_does_not_excuse_the_old_one() {
    // every second becomes every 2 s at 20.5 s: if 21 fired by the old one, 22 is of either
    Story both =
        new Story().put(18.5, every(1, REPLAY)).put(20.5, every(2, REPLAY)).fire(0, 19, 20, 21);
    assertThat(both.fire(1, 22, 24).until(25).findings()).isEmpty();
    Story neither =
        new Story().put(18.5, every(1, REPLAY)).put(20.5, every(2, REPLAY)).fire(0, 19, 20, 21);
    assertKinds(neither.fire(1, 26).until(27), Kind.LOST, Kind.LOST);
  }

  @Test
  void a_deleted_schedule_fires_no_more_and_loses_nothing_before() {
    assertThat(story(REPLAY).delete(22).fire(0, 10, 20).until(60).findings()).isEmpty();
    assertThat(
            story(REPLAY)
                .delete(22)
                .fire(0, 10)
                .miss(0, 20, 20, 1, MissedReason.DELETED, 23)
                .until(60)
                .findings())
        .isEmpty();
    assertKinds(story(REPLAY).delete(22).fire(0, 10, 20, 30).until(60), Kind.FOREIGN);
    assertKinds(story(REPLAY).delete(22).fire(0, 10).until(60), Kind.LOST);
  }

  @Test
  void a_new_life_begins_at_its_record() {
    Story again = story(REPLAY).delete(12).put(25, every(10, REPLAY)).fire(0, 10);
    assertThat(again.late(2, 30, 41).fire(2, 40).until(45).findings()).isEmpty();
    Story lost = story(REPLAY).delete(12).put(25, every(10, REPLAY)).fire(0, 10);
    assertKinds(lost.fire(2, 40).until(45), Kind.LOST);
  }

  /** By the published hash of the id and the occurrence, before the next occurrence. */
  @Test
  void jitter_says_exactly_when_a_fire_is_due() {
    String jitter = REPLAY + ",\"jitter\":\"4s\"";
    assertThat(story(jitter).jittered(0, 10, 3.004).jittered(0, 20, 0.309).until(25).findings())
        .isEmpty();
    assertKinds(
        story(jitter).jittered(0, 10, 3.005).jittered(0, 20, 0.309).until(25), Kind.UNLAWFUL);
    assertKinds(story(jitter).fire(0, 10).jittered(0, 20, 0.309).until(25), Kind.UNLAWFUL);
  }

  @Test
  void a_pause_holds_and_a_resume_misses_what_it_held() {
    Story held = paused().fire(0, 10).miss(0, 20, 40, 3, MissedReason.PAUSED, 45).fire(0, 50);
    assertThat(held.until(55).findings()).isEmpty();
    assertKinds(
        paused().fire(0, 10, 20, 30, 40, 50).until(55),
        Kind.FORBIDDEN,
        Kind.FORBIDDEN,
        Kind.FORBIDDEN);
    assertKinds(
        story(REPLAY).fire(0, 10).miss(0, 20, 20, 1, MissedReason.PAUSED, 21).fire(0, 30).until(35),
        Kind.UNLAWFUL);
  }

  private static Story paused() {
    return story(REPLAY)
        .command(12, "{\"command_id\":\"1\",\"pause\":{}}")
        .command(44, "{\"command_id\":\"2\",\"resume\":{}}");
  }

  @Test
  void a_skipped_occurrence_does_not_fire() {
    String skip = "{\"command_id\":\"1\",\"skip\":{\"occurrence\":\"" + at(20) + "\"}}";
    assertThat(
            story(REPLAY)
                .command(12, skip)
                .fire(0, 10)
                .miss(0, 20, 20, 1, MissedReason.SKIPPED, 20)
                .fire(0, 30)
                .until(35)
                .findings())
        .isEmpty();
    assertKinds(story(REPLAY).command(12, skip).fire(0, 10, 20, 30).until(35), Kind.FORBIDDEN);
  }

  @Test
  void a_fire_waits_for_the_end_of_the_one_before() {
    String overlap = REPLAY + ",\"overlap\":\"skip\",\"timeout\":\"25s\"";
    assertThat(
            story(overlap)
                .fire(0, 10)
                .report(22, 10)
                .miss(0, 20, 20, 1, MissedReason.OVERLAP, 20)
                .fire(0, 30)
                .until(35)
                .findings())
        .isEmpty();
    assertKinds(
        story(overlap).fire(0, 10, 20).report(22, 10).fire(0, 30).until(35),
        Kind.FORBIDDEN,
        Kind.FORBIDDEN);
    assertKinds(
        story(overlap)
            .fire(0, 10)
            .report(12, 10)
            .miss(0, 20, 20, 1, MissedReason.OVERLAP, 20)
            .fire(0, 30)
            .until(35),
        Kind.UNLAWFUL);
  }

  /** Those of 20 and 30 were due before the run began, so they wait for its end. */
  @Test
  void what_is_due_during_a_late_run_waits_behind_what_was_due_before_it_began() {
    String skip = ",\"catch_up\":\"skip\",\"overlap\":\"skip\",\"timeout\":\"";
    Story late = story(skip + "900s\"").fireOf(Cause.SCHEDULED, 0, 10, 32);
    assertThat(late.until(65).findings()).isEmpty();
    Story over = story(skip + "40s\"").fireOf(Cause.SCHEDULED, 0, 10, 32);
    assertThat(over.until(65).findings()).extracting(Finding::kind).containsOnly(Kind.LOST);
    Story inTime = story(skip + "900s\"").fire(0, 10);
    assertThat(inTime.until(45).findings()).extracting(Finding::kind).containsOnly(Kind.LOST);
  }

  @Test
  void a_delete_ends_the_run() {
    String overlap = REPLAY + ",\"overlap\":\"skip\",\"timeout\":\"25s\"";
    Story again = story(overlap).fire(0, 10).delete(12).put(13, every(10, overlap));
    assertThat(again.fire(2, 20).report(21, 20).fire(2, 30).until(35).findings()).isEmpty();
    Story waited = story(overlap).fire(0, 10).delete(12).put(13, every(10, overlap));
    assertKinds(
        waited.miss(2, 20, 20, 1, MissedReason.OVERLAP, 20).fire(2, 30).until(35), Kind.UNLAWFUL);
    Story edited = story(overlap).fire(0, 10).put(13, every(5, overlap));
    assertKinds(
        edited.fire(1, 15, 20).report(21, 20).fire(1, 25).until(29),
        Kind.FORBIDDEN,
        Kind.FORBIDDEN);
  }

  @Test
  void a_trigger_fires_once() {
    String trigger = "{\"command_id\":\"t-1\",\"trigger\":{}}";
    assertKinds(story(REPLAY).command(12, trigger).fire(0, 10, 20, 30).until(35), Kind.COMMAND);
    String pause = "{\"command_id\":\"p-1\",\"pause\":{}}";
    Story noTick = story(REPLAY).command(6, trigger).command(6.5, pause).delete(22);
    assertThat(noTick.miss(0, 10, 20, 2, MissedReason.PAUSED, 21).until(35).findings()).isEmpty();
    Story tick = story(REPLAY).command(6, trigger).delete(22).fire(0, 10, 20);
    assertKinds(tick.until(35), Kind.COMMAND);
  }

  @Test
  void a_backfill_repeats_what_was_decided_before_it() {
    String range =
        "{\"command_id\":\"b-1\",\"backfill\":{\"from\":\""
            + at(10)
            + "\",\"to\":\""
            + at(21)
            + "\"}}";
    Story both = story(REPLAY).fire(0, 10, 20).command(22, range);
    assertThat(
            both.fireOf(Cause.BACKFILL, 0, 10, 24)
                .fireOf(Cause.BACKFILL, 0, 20, 24)
                .until(29)
                .findings())
        .isEmpty();
    assertKinds(
        story(REPLAY).fire(0, 10, 20).command(22, range).until(29), Kind.COMMAND, Kind.COMMAND);
    assertKinds(
        story(REPLAY).fire(0, 10).command(22, range).late(0, 20, 24).until(29), Kind.COMMAND);
    Story excluded =
        story(REPLAY + ",\"except\":[\"closed\"]")
            .miss(0, 10, 10, 1, MissedReason.SKIPPED, 10)
            .miss(0, 20, 20, 1, MissedReason.SKIPPED, 20)
            .command(22, range);
    assertThat(excluded.until(29).findings()).isEmpty();
    assertKinds(excluded.fireOf(Cause.BACKFILL, 0, 10, 24).until(29), Kind.DOUBLED);
  }

  @Test
  void an_instant_that_is_over_when_it_is_defined_fires_once() {
    String past = "{\"at\":\"" + at(10) + "\",\"catch_up\":\"replay\",\"grace\":\"5s\"}";
    Story over = new Story().put(18, past);
    assertThat(over.late(0, 10, 18.5).until(25).findings()).isEmpty();
    Story again = story(REPLAY).fire(0, 10).put(12, past);
    assertThat(again.late(1, 10, 18.5).until(15).findings()).isNotEmpty();
  }

  @Test
  void a_fire_reaches_its_target_once() {
    String target = ",\"target\":{\"topic\":\"t\"}";
    assertThat(story(REPLAY + target).late(0, 10, 10).routed(10).until(15).findings()).isEmpty();
    assertKinds(story(REPLAY + target).late(0, 10, 10).until(15), Kind.UNROUTED);
    assertKinds(
        story(REPLAY + target).late(0, 10, 10).routed(10).routed(10).until(15), Kind.UNROUTED);
    String range =
        "{\"command_id\":\"b-1\",\"backfill\":{\"from\":\""
            + at(10)
            + "\",\"to\":\""
            + at(11)
            + "\"}}";
    Story again =
        story(REPLAY + target).late(0, 10, 10).command(12, range).fireOf(Cause.BACKFILL, 0, 10, 14);
    assertThat(again.routed(10).routed(10).until(15).findings()).isEmpty();
    assertKinds(again.routed(10).until(15), Kind.UNROUTED);
  }

  @Test
  void a_fire_has_its_effect_once_even_if_a_backfill_emits_it_again() {
    assertKinds(story(REPLAY).fire(0, 10, 20).neglected(20).until(25), Kind.EFFECT);
    assertKinds(story(REPLAY).fire(0, 10, 20).repeated(10).until(25), Kind.EFFECT);
    String range =
        "{\"command_id\":\"b-1\",\"backfill\":{\"from\":\""
            + at(10)
            + "\",\"to\":\""
            + at(11)
            + "\"}}";
    Story again = story(REPLAY).fire(0, 10).command(12, range).fireOf(Cause.BACKFILL, 0, 10, 14);
    assertThat(again.until(15).findings()).isEmpty();
    assertKinds(again.repeated(10), Kind.EFFECT);
  }

  @Test
  void a_worker_that_was_down_may_leave_out_what_its_schedule_does_not_replay() {
    assertThat(story(SKIP).fire(0, 10, 20).neglected(10).until(25).findings()).isEmpty();
    assertKinds(story(SKIP).fire(0, 10, 20).repeated(10).until(25), Kind.EFFECT);
    Collapsed two = collapsed(2, 10);
    Story caughtUp = story(COLLAPSE).collapse(0, 10, 20, 2, 30, 32).late(0, 30, 32, two);
    assertKinds(caughtUp.neglected(30).until(35), Kind.EFFECT);
  }

  @Test
  void a_stray_must_come_home_and_counts_as_it_was_written() {
    assertThat(stray().home().fire(1, 10, 20).until(25).findings()).isEmpty();
    assertThat(stray().homeBehind(0.5).fire(1, 10, 20).until(25).findings()).isEmpty();
    assertKinds(stray().until(25), Kind.INPUT, Kind.INPUT); // and it is still where it was
    assertKinds(stray().home().fire(1, 10).until(25), Kind.LOST);
    assertThat(stray().deleteAtHome(8).home().refused(2).until(25).findings()).isEmpty();
  }

  @Test
  void a_command_for_a_stray_on_its_way_may_find_no_schedule() {
    String trigger = "{\"command_id\":\"t-1\",\"trigger\":{}}";
    String pause = "{\"command_id\":\"p-1\",\"pause\":{}}";
    Story before = stray().command(5.05, trigger).command(5.06, pause);
    assertThat(before.home().fire(1, 10, 20).until(25).findings()).isEmpty();
    Story after = stray().home().command(5.2, trigger).command(5.3, pause);
    assertKinds(after.fire(1, 10, 20).until(25), Kind.COMMAND, Kind.FORBIDDEN, Kind.FORBIDDEN);
  }

  private static Story stray() {
    return new Story().stray(5, every(10, REPLAY));
  }

  @Test
  void an_edit_that_waits_for_its_schema_takes_effect_when_the_registry_has_given_it() {
    // every 10 s becomes every 3 s at 22 s; the scheduler reads it by 2 s after its schema
    assertKinds(heldEdit().answered(45, 1).fire(1, 48).until(49), Kind.LOST, Kind.LOST);
    assertThat(heldEdit().answered(45, 1).late(1, 42, 46).fire(1, 45, 48).until(49).findings())
        .isEmpty();
    assertThat(heldEdit().answered(22.5, 1).fire(1, 48).until(49).findings())
        .extracting(Finding::kind)
        .contains(Kind.FOREIGN);
    Story readable = story(REPLAY).put(22, every(3, REPLAY)).fire(0, 10, 20, 30, 40);
    assertThat(readable.fire(1, 48).until(49).findings())
        .extracting(Finding::kind)
        .contains(Kind.FOREIGN);
    assertThat(heldEdit().answered(45, 1).fire(0, 50).fire(1, 51).until(52).findings())
        .extracting(Finding::kind)
        .contains(Kind.FOREIGN);
    Story known = heldEdit().answered(20, 1).outage(15, 41); // but not where it is needed
    assertThat(known.fire(1, 42).until(43).findings()).isEmpty();
    assertThat(heldEdit().answered(20, 1).outage(15, 21).fire(1, 42).until(43).findings())
        .extracting(Finding::kind)
        .contains(Kind.FOREIGN);
    Story restarted = heldEdit().answered(23, 1).answered(45, 1);
    assertThat(restarted.late(1, 42, 46).fire(1, 45, 48).until(49).findings()).isEmpty();
  }

  /** Every 10 s becomes every 3 s at 22 s, with a schema that is not there until 40 s. */
  private static Story heldEdit() {
    return story(REPLAY).put(22, 1, every(3, REPLAY)).fire(0, 10, 20, 30, 40);
  }

  @Test
  void nothing_is_decided_with_a_schema_before_the_registry_has_given_it() {
    Story guessed = story(REPLAY).put(22, 1, every(3, REPLAY)).answered(25, 1).fire(0, 10, 20);
    assertKinds(guessed.fire(1, 24, 27, 30).until(31), Kind.FOREIGN);
  }

  @Test
  void a_record_that_waits_is_not_forgotten() {
    assertKinds(new Story().put(5, 1, every(10, REPLAY)).until(15), Kind.LOST);
    assertThat(heldEdit().fire(0, 50).until(55).findings())
        .extracting(Finding::kind)
        .contains(Kind.FOREIGN);
    String trigger = "{\"command_id\":\"t-1\",\"trigger\":{}}";
    assertThat(heldEdit().command(23, trigger).until(42).findings())
        .extracting(Finding::kind)
        .contains(Kind.FOREIGN, Kind.COMMAND);
  }

  @Test
  void what_is_written_behind_a_record_that_waits_waits_too() {
    String pause = "{\"command_id\":\"p-1\",\"pause\":{}}";
    assertThat(heldEdit().command(23, pause).answered(41, 1).until(42).findings()).isEmpty();
    assertKinds(
        story(REPLAY).command(23, pause).fire(0, 10, 20, 30, 40).until(42),
        Kind.FORBIDDEN,
        Kind.FORBIDDEN);
    assertThat(heldEdit().command(23, pause).answered(25, 1).until(42).findings())
        .extracting(Finding::kind)
        .contains(Kind.FORBIDDEN);
  }

  @Test
  void a_delete_refuses_what_waits_and_does_not_wait() {
    Story refused = new Story().put(5, 1, every(10, REPLAY)).delete(42);
    assertThat(refused.refused(0).until(60).findings()).isEmpty();
    Story edit = heldEdit().delete(42);
    assertThat(edit.refused(1).until(60).findings()).isEmpty();
    assertKinds(heldEdit().delete(42).refused(1).fire(0, 50).until(60), Kind.FOREIGN);
    Story both = new Story().put(5, 1, every(10, REPLAY)).put(6, every(10, SKIP)).delete(42);
    assertThat(both.refused(0).refused(1).until(60).findings()).isEmpty();
    Story read = new Story().put(5, 1, every(10, REPLAY)).answered(6, 1).delete(42);
    assertThat(read.until(60).findings()).extracting(Finding::kind).contains(Kind.LOST);
    Story half = new Story().put(5, 1, every(10, REPLAY)).answered(41, 1).delete(42);
    assertKinds(half.late(0, 10, 41.5).late(0, 30, 41.5).until(60), Kind.LOST, Kind.LOST);
  }

  @Test
  void a_record_that_was_confirmed_must_be_there() {
    Story story = story(REPLAY).fire(0, 10).until(15);
    assertThat(story.confirmed("s-0@0").findings()).isEmpty();
    assertThat(story.confirmed("s-0@1").findings())
        .extracting(Finding::kind)
        .containsExactly(Kind.INPUT);
  }

  @ParameterizedTest
  @EnumSource(Sabotage.class)
  void a_planted_fault_is_found(Sabotage sabotage) {
    String target = ",\"target\":{\"topic\":\"t\"}";
    Story story =
        new Story()
            .put(5, 1, every(10, COLLAPSE + target + ",\"expect\":{\"succeeded_within\":\"3s\"}"))
            .answered(6, 1)
            .alerted(13, AlertKind.OVERDUE, 10, 13, 13)
            .late(0, 10, 10)
            .late(0, 20, 20)
            .late(0, 30, 30)
            .collapse(0, 40, 50, 2, 60, 62)
            .late(0, 60, 62, collapsed(2, 40))
            .late(0, 70, 70)
            .routed(10)
            .routed(20)
            .routed(30)
            .routed(60)
            .routed(70)
            .report(71, 70)
            .alerted(72, AlertKind.RECOVERED, 10, 13, 71)
            .until(75);
    assertThat(story.findings()).isEmpty();
    for (long seed = 0; seed < 10; seed++) {
      assertThat(story.findings(sabotage.plantIn(story.history(), seed).orElseThrow()))
          .as("seed %d", seed)
          .isNotEmpty();
    }
  }

  private static void assertKinds(Story story, Kind... kinds) {
    assertThat(story.findings()).extracting(Finding::kind).containsExactly(kinds);
  }
}

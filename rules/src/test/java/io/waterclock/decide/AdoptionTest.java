package io.waterclock.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.ExportedStates;
import io.waterclock.decide.model.Pause;
import io.waterclock.decide.model.RevisionChange;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What moves from one scheduler to another goes on as if it had stayed. */
class AdoptionTest {

  @Test
  void what_was_decided_does_not_fire_again_and_what_was_missed_on_the_way_is_caught_up() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00").tick("10:10");
    a.move("10:45").tick("10:45");
    assertThat(a.fires())
        .containsExactly(
            "10:00 SCHEDULED by r0",
            "10:10 SCHEDULED by r0",
            "10:20 CATCH_UP by r1",
            "10:30 CATCH_UP by r1",
            "10:40 CATCH_UP by r1");
    assertThat(a.missed()).isEmpty();
  }

  @Test
  void an_edit_that_is_older_than_what_was_decided_elsewhere_fires_none_of_it_again() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00").tick("10:10");
    a.move("10:11").editLate("09:58", "10:12", d -> d.setDescription("new")).tick("10:20");
    assertThat(a.fires())
        .containsExactly("10:00 SCHEDULED by r0", "10:10 SCHEDULED by r0", "10:20 SCHEDULED by r2");
  }

  @Test
  void a_life_after_an_imported_one_fires_nothing_that_was_decided_elsewhere() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00").tick("10:10");
    a.move("10:11").deleteLate("09:57", "10:12").putLate("09:58", "10:13").tick("10:20");
    assertThat(a.fires())
        .containsExactly("10:00 SCHEDULED by r0", "10:10 SCHEDULED by r0", "10:20 SCHEDULED by r2");
  }

  @Test
  void an_import_that_says_to_be_decided_far_ahead_does_not_bind_a_later_definition() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00");
    a.move(
        "10:05",
        state -> ExportedState.newBuilder(state).setDecidedThrough(Life.at("23:00")).build());
    a.editLate("10:06", "10:06", d -> d.setDescription("new")).tick("10:10");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0", "10:10 SCHEDULED by r2");
  }

  @Test
  void nor_does_it_keep_what_is_to_fire_at_once_from_firing() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00");
    a.move(
        "10:05",
        state -> ExportedState.newBuilder(state).setDecidedThrough(Life.at("23:00")).build());
    a.edit("10:06", d -> d.setTrigger(OnceTrigger.newBuilder().setInMs(0L).build())).tick("10:06");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0", "10:06 SCHEDULED by r2");
  }

  @Test
  void a_grid_without_an_anchor_goes_on_from_where_it_was_first_defined() {
    Life a = Life.of(Life.everyWithoutAnchor(10), CatchUp.SKIP).put("09:57").tick("10:07");
    a.move("10:12").tick("10:17");
    assertThat(a.fires()).containsExactly("10:07 SCHEDULED by r0", "10:17 SCHEDULED by r1");
  }

  @Test
  void what_was_to_fire_a_while_after_its_record_does_so_and_only_once() {
    Life a =
        Life.of(
                OnceTrigger.newBuilder().setInMs(Duration.ofMinutes(30).toMillis()).build(),
                CatchUp.COLLAPSE)
            .put("10:00");
    a.move("10:20").tick("10:30").move("10:31").tick("10:40");
    assertThat(a.fires()).containsExactly("10:30 SCHEDULED by r1");
    assertThat(a.next()).isEmpty();
  }

  @Test
  void an_instant_that_was_past_when_it_was_defined_fires_once_wherever() {
    Life before = Life.of(Life.once("09:00"), CatchUp.COLLAPSE).put("10:00");
    before.move("10:01").tick("10:01").move("10:02").tick("10:02");
    assertThat(before.fires()).containsExactly("09:00 SCHEDULED by r1");
  }

  @Test
  void a_replay_goes_on_where_it_was_within_the_bounds_it_had() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55");
    a.with(d -> d.setMaxReplay(4)).decideOnce("10:45").decideOnce("10:45");
    a.move("10:46").tick("10:46");
    Life stayed = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:46");
    assertThat(occurrences(a)).isEqualTo(occurrences(stayed));
  }

  @Test
  void an_edited_schedule_takes_what_its_older_definition_still_has_to_fire_along() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55");
    a.editLate("10:15", "10:45", d -> d.setDescription("new"));
    a.move("10:46").tick("10:46");
    assertThat(a.fires())
        .containsExactly(
            "10:00 CATCH_UP by r0",
            "10:10 CATCH_UP by r0",
            "10:20 CATCH_UP by r2",
            "10:30 CATCH_UP by r2",
            "10:40 CATCH_UP by r2");
  }

  @Test
  void what_an_older_definition_missed_still_becomes_one_fire_of_the_newest() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55");
    a.editLate("10:15", "10:45", d -> d.setDescription("new"));
    a.move("10:46").tick("10:46");
    assertThat(a.fires()).containsExactly("10:40 CATCH_UP {4 from 10:00} by r2");
  }

  @Test
  void a_pause_goes_along_with_who_and_why_and_what_it_holds_is_missed_when_it_ends() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    a.command("10:05", "\"pause\": {\"note\": \"deploying\", \"author\": \"kim\"}");
    Pause pause = a.state().commanded().pause().orElseThrow();
    a.move("10:25").tick("10:25");
    assertThat(a.state().commanded().pause().filter(pause::showsAs)).isPresent();
    assertThat(a.fires()).hasSize(1);
    a.command("10:35", "\"resume\": {}").tick("10:40");
    assertThat(a.missed()).containsExactly("10:10..10:30 PAUSED (3) of r1");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0", "10:40 SCHEDULED by r1");
  }

  @Test
  void skips_ordered_fires_and_backfills_go_along() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00").tick("10:10");
    a.command("10:11", "\"skip\": {\"occurrence\": \"2026-03-04T10:20:00Z\"}");
    a.command("10:12", "\"trigger\": {\"payload_base64\": \"AQI=\"}");
    a.command(
        "10:13",
        "\"backfill\": {\"from\": \"2026-03-04T10:00:00Z\", \"to\": \"2026-03-04T10:20:00Z\"}");
    CommandState commanded = a.state().commanded();
    a.move("10:15");
    assertThat(a.state().commanded()).isEqualTo(commanded);
    a.fireManual("10:16", 9).goOn("10:16", 9).tick("10:30");
    assertThat(a.fires())
        .containsExactly(
            "10:00 SCHEDULED by r0",
            "10:10 SCHEDULED by r0",
            "10:12 TRIGGERED by r1",
            "10:00 BACKFILL by r1",
            "10:10 BACKFILL by r1",
            "10:30 SCHEDULED by r1");
    assertThat(a.missed()).containsExactly("10:20 SKIPPED of r1");
  }

  @Test
  void what_counts_its_occurrences_does_not_begin_to_count_anew() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).with(d -> d.setMaxOccurrences(3L)).put("09:55");
    a.tick("10:00").move("10:05").tick("11:00");
    assertThat(occurrences(a)).containsExactly("10:00", "10:10", "10:20");
  }

  @Test
  void what_is_complete_stays_complete_and_keeps_the_time_for_which_it_is_kept() {
    Life a = Life.of(Life.once("10:00"), CatchUp.COLLAPSE).put("09:00").tick("10:00");
    a.review("10:01").move("10:30");
    assertThat(a.state().completedAt()).contains(Life.at("10:01"));
    assertThat(a.review("10:31").isGone()).isFalse();
    assertThat(a.review("11:02").isGone()).isTrue();
    assertThat(a.fires()).hasSize(1);
  }

  @Test
  void a_failure_that_is_told_after_the_move_counts_as_it_would_have_before() {
    Life a =
        Life.everyTenMinutes(CatchUp.COLLAPSE)
            .with(d -> d.setPauseAfterFailures(1))
            .put("09:55")
            .tick("10:00")
            .move("10:05");
    assertThat(a.report("10:06", "09:50", OutcomeState.FAILED).state().isHeld()).isFalse();
    assertThat(a.report("10:06", "10:00", OutcomeState.FAILED).state().isHeld()).isTrue();
  }

  @Test
  void what_has_something_left_is_not_complete() {
    Life a = Life.everyTenMinutes(CatchUp.SKIP).put("09:55").tick("10:00");
    a.move(
        "10:05",
        exported -> ExportedState.newBuilder(exported).setCompletedAt(Life.at("10:01")).build());
    assertThat(a.state().life()).isEqualTo(State.ACTIVE);
    assertThat(a.next()).contains("10:10");
  }

  @Test
  void a_clock_that_was_ahead_makes_nothing_later_than_now() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    a.move(
        "10:05",
        exported -> ExportedState.newBuilder(exported).setEffectiveAt(Life.at("23:00")).build());
    assertThat(a.state().current().effectiveAt()).isEqualTo(Life.at("10:05"));
    a.command("10:15", "\"pause\": {}");
    assertThat(a.missed()).containsExactly("10:10 PAUSED of r1");
  }

  @Test
  void a_fault_stays_behind() {
    Life a = Life.everyTenMinutes(CatchUp.SKIP).put("09:55");
    ScheduleState faulted = a.state().faulted(Optional.of("broken"));
    assertThat(ExportedStates.of(faulted)).isEqualTo(ExportedStates.of(a.state()));
  }

  @Test
  void the_old_revision_ends_where_the_new_one_begins() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00").move("10:30");
    assertThat(a.last().revisions())
        .map(change -> change.accepted().revision())
        .containsExactly("r0", "r1");
    RevisionChange.Ended ended = (RevisionChange.Ended) a.last().revisions().get(0);
    assertThat(ended.by()).isEqualTo(RevisionEnd.REPLACED);
    assertThat(ended.through()).isEqualTo(a.state().current().ownsAfter());
    assertThat(ended.through()).isEqualTo(Life.at("10:00"));
  }

  @Test
  void a_record_that_gets_the_name_of_the_old_revision_is_that_revision() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00");
    Accepted before = a.state().current();
    a.move("10:15", exported -> ExportedState.newBuilder(exported).setRevision("r1").build());
    assertThat(a.last().revisions()).isEmpty();
    assertThat(a.state().current().ownsAfter()).isEqualTo(before.ownsAfter());
    a.tick("10:20");
    assertThat(a.fires())
        .containsExactly("10:00 SCHEDULED by r0", "10:10 CATCH_UP by r1", "10:20 SCHEDULED by r1");
  }

  @Test
  void in_other_topics_no_revision_ends_and_older_ones_bear_their_origin() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55");
    a.editLate("10:15", "10:45", d -> d.setDescription("new"));
    a.move("10:46", AdoptionTest::fromC1).tick("10:46");
    assertThat(a.fires()).startsWith("10:00 CATCH_UP by c1/r0", "10:10 CATCH_UP by c1/r0");
  }

  @Test
  void a_schedule_that_exists_takes_nothing_but_the_definition() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00").move("10:05");
    ScheduleState before = a.tick("10:20").state();
    a.importAgain("10:21");
    assertThat(a.last().verdict()).contains(Verdict.UNCHANGED);
    assertThat(a.state()).isEqualTo(before);
  }

  @Test
  void counted_as_decided_up_to_an_instant_it_fires_nothing_before() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55");
    a.editLate("10:15", "10:45", d -> d.setDescription("new"));
    a.move("10:46", exported -> ExportedStates.decidedThrough(exported, Life.at("10:31")))
        .tick("10:46");
    assertThat(a.fires()).containsExactly("10:40 CATCH_UP by r2");
  }

  @Test
  void counted_as_decided_up_to_an_instant_of_its_older_definition_it_fires_the_rest_of_that() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55");
    a.editLate("10:25", "10:45", d -> d.setDescription("new"));
    a.move("10:46", exported -> ExportedStates.decidedThrough(exported, Life.at("10:11")))
        .tick("10:46");
    assertThat(a.fires())
        .containsExactly("10:20 CATCH_UP by r0", "10:30 CATCH_UP by r2", "10:40 CATCH_UP by r2");
  }

  @Test
  void it_was_written_when_its_record_was_but_not_in_the_future() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").move("10:05");
    assertThat(a.state().current().writtenAt()).isEqualTo(Life.at("09:55"));
    Life ahead = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").move("09:50");
    assertThat(ahead.state().current().writtenAt()).isEqualTo(Life.at("09:50"));
  }

  @Test
  void what_was_decided_elsewhere_last_is_owned_before_it() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00").tick("10:10");
    assertThat(a.move("10:45").state().current().ownedBefore()).contains(Life.at("10:10"));
    Life edited = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00");
    edited.edit("10:05", d -> d.setDescription("new")).tick("10:10").tick("10:20");
    assertThat(edited.move("10:45").state().current().ownedBefore()).contains(Life.at("10:20"));
  }

  @Test
  void each_revision_that_comes_along_begins_and_ends_where_the_next_takes_effect() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55");
    a.editLate("10:15", "10:45", d -> d.setDescription("new"));
    a.editLate("10:25", "10:45", d -> d.setDescription("newer")).move("10:46");
    List<RevisionChange> changes = a.last().revisions();
    assertThat(changes)
        .map(change -> change.accepted().revision())
        .containsExactly("r0", "r0", "r1", "r1", "r2", "r3");
    assertThat(changes)
        .filteredOn(RevisionChange.Ended.class::isInstance)
        .map(change -> ((RevisionChange.Ended) change).through())
        .containsExactly(Life.at("10:15"), Life.at("10:25"), a.state().current().ownsAfter());
  }

  @Test
  void what_is_complete_ends_where_it_arrives() {
    Life a = Life.of(Life.once("10:20"), CatchUp.COLLAPSE).put("09:55").tick("10:20");
    a.review("10:21").move("10:22");
    assertThat(a.state().life()).isEqualTo(State.COMPLETED);
    assertThat(a.last().revisions())
        .hasSize(2)
        .last()
        .isEqualTo(
            new RevisionChange.Ended(
                a.state().current(), a.state().current().ownsAfter(), RevisionEnd.COMPLETED));
  }

  /** As {@code ExportedSchedule.elsewhere} of the command line changes it. */
  private static ExportedState fromC1(ExportedState exported) {
    ExportedState renamed = ExportedState.newBuilder(exported).setRevision(null).build();
    renamed.getOlder().forEach(older -> older.setRevision("c1/" + older.getRevision()));
    return renamed;
  }

  private static List<String> occurrences(Life life) {
    return life.fires().stream().map(line -> line.substring(0, line.indexOf(' '))).toList();
  }

  @Test
  void what_is_complete_keeps_nothing_of_its_failures() {
    Life a = Life.of(Life.once("10:00"), CatchUp.COLLAPSE);
    a.with(d -> d.setPauseAfterFailures(1)).put("09:55").tick("10:00").review("10:30");
    a.move("10:31");
    assertThat(a.state().life()).isEqualTo(State.COMPLETED);
    assertThat(a.state().runs().isEmpty()).isTrue();
  }
}

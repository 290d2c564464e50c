package io.waterclock.audit;

import static io.waterclock.audit.Books.at;
import static io.waterclock.audit.Books.everyTenSeconds;
import static io.waterclock.audit.Books.revision;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What fires long after the timestamp of the record that ends it. The scheduler has 5 s to read
 * that record: half an interval.
 */
class StopsTest {
  private final Books books = new Books();

  private List<String> overruns() {
    return of("OVERRUN", 9);
  }

  private List<String> of(String kind, double through) {
    return books.findings(through).stream().filter(found -> found.startsWith(kind)).toList();
  }

  @Test
  void a_fire_within_the_slack_of_a_delete_is_right_and_a_later_one_is_an_overrun() {
    books.ended("r1", 0, 5, RevisionEnd.DELETED).deleteWritten("t-0@9", 3);
    books.fired("r1", 1, 2).firedLate("r1", 3, 3.5);
    assertThat(overruns()).isEmpty();
    books.firedLate("r1", 4, 4.2).fired("r1", 5);
    assertThat(overruns())
        .containsExactly(
            "OVERRUN r1 4..5 fired up to 20.0 s after the timestamp of its delete, " + at(3));
  }

  @Test
  void the_worst_of_many_overruns_is_told() {
    books.ended("r1", 0, 5, RevisionEnd.DELETED).deleteWritten("t-0@9", 1);
    books.firedLate("r1", 5, 5).firedLate("r1", 4, 6.25).firedLate("r1", 3, 3);
    assertThat(overruns())
        .containsExactly(
            "OVERRUN r1 3..5 fired up to 52.5 s after the timestamp of its delete, " + at(1));
    assertThat(books.result(9).accounts().get(0).findings())
        .filteredOn(found -> found.kind() == Finding.Kind.OVERRUN)
        .singleElement()
        .satisfies(found -> assertThat(found.count().value()).isEqualTo(3));
  }

  @Test
  void a_delete_ends_the_life_in_which_it_was_written_and_no_other() {
    books.ended("r1", 0, 2, RevisionEnd.DELETED).deleteWritten("t-0@1", 2);
    books.ended("r2", 3, 6, RevisionEnd.DELETED);
    books.fired("r1", 1, 2).fired("r2", 4, 6);
    assertThat(overruns()).as("r2's own delete is not known any more").isEmpty();
    books.deleteWritten("t-0@2", 9);
    assertThat(overruns()).as("nor is a later one").isEmpty();
    books.deleteWritten("t-0@3", 3);
    assertThat(overruns()).as("one at its first instant is its own").hasSize(1);
  }

  @Test
  void a_delete_of_earlier_does_not_stop_a_definition_in_force() {
    books.ended("r1", 0, 2, RevisionEnd.DELETED).deleteWritten("t-0@1", 2);
    books.began("r2", 2).fired("r2", 3, 9);
    assertThat(overruns()).isEmpty();
  }

  @Test
  void an_edit_leaves_what_was_due_before_it_to_the_old_definition_however_late_it_fires() {
    books.ended("r1", 0, 6, RevisionEnd.REPLACED).began("r2", 6).written("r2", 3);
    books.firedLate("r1", 1, 8).firedLate("r1", 2, 8).firedLate("r1", 3, 8);
    assertThat(overruns()).isEmpty();
    books.fired("r1", 4);
    assertThat(overruns())
        .containsExactly(
            "OVERRUN r1 4..4 fired up to 10.0 s after the timestamp of its edit, " + at(3));
  }

  @Test
  void a_copy_of_the_old_definition_by_a_reset_says_nothing_of_its_end() {
    books.ended("r1", 0, 6, RevisionEnd.REPLACED).began("r2", 6).imported("r2", 0);
    books.fired("r1", 1, 6);
    assertThat(overruns()).isEmpty();
  }

  @Test
  void an_edit_with_a_timestamp_before_the_old_definition_took_effect_says_nothing_of_its_end() {
    books.ended("r1", 2, 6, RevisionEnd.REPLACED).began("r2", 6).written("r2", 1);
    books.fired("r1", 3, 6);
    assertThat(overruns()).isEmpty();
  }

  @Test
  void an_edit_that_is_written_at_the_start_of_the_old_definition_ends_it() {
    books.ended("r1", 2, 6, RevisionEnd.REPLACED).began("r2", 6).written("r2", 2);
    books.fired("r1", 3);
    assertThat(overruns()).hasSize(1);
  }

  @Test
  void a_pause_is_judged_by_the_time_at_which_it_was_given_until_the_scheduler_knew_of_it() {
    books.began("r1", 0).pausedByCommand(2, 5);
    books.fired("r1", 1, 2);
    assertThat(overruns()).isEmpty();
    books.fired("r1", 3).fired("r1", 4).fired("r1", 6);
    assertThat(overruns())
        .containsExactly(
            "OVERRUN r1 3..4 fired up to 20.0 s after the timestamp of its pause, " + at(2));
    assertThat(of("STRAY", 9)).containsExactly("STRAY r1 6..6 fired while held since " + at(5));
  }

  @Test
  void a_pause_that_the_scheduler_read_at_once_is_no_stop_of_its_own() {
    books.began("r1", 0).pausedByCommand(2, 2).status(State.ACTIVE, 3.5).fired("r1", 1, 9);
    assertThat(overruns()).isEmpty();
  }

  /** As both wait for the schedule, which is a stray on its way. */
  @Test
  void a_pause_that_ends_at_the_instant_at_which_it_gets_known_does_not_stop_what_follows() {
    books.began("r1", 0).pausedByCommand(2, 5).status(State.ACTIVE, 5).firedLate("r1", 4, 5);
    assertThat(overruns()).isEmpty();
    books.firedLate("r1", 3, 4.9);
    assertThat(overruns())
        .containsExactly(
            "OVERRUN r1 3..3 fired up to 29.0 s after the timestamp of its pause, " + at(2));
  }

  @Test
  void a_fire_that_comes_more_than_a_month_after_its_pause_is_judged_by_its_own_time() {
    int month = 30 * 24 * 360;
    books.began("r1", 0).pausedByCommand(2, month).status(State.ACTIVE, month + 1);
    books.firedLate("r1", 4, month + 1);
    assertThat(overruns()).isEmpty();
  }

  @Test
  void what_a_disabled_definition_fires_without_a_resume_is_a_stray() {
    books.beganDisabled("r1", 1).written("r1", 1).fired("r1", 2, 3);
    books.audit().commandsKnown(at(0));
    assertThat(of("STRAY", 9))
        .containsExactly(
            "STRAY r1 2..2 fired, though its definition says \"enabled\": false and no later"
                + " command resumed it",
            "STRAY r1 3..3 fired, though its definition says \"enabled\": false and no later"
                + " command resumed it");
  }

  @Test
  void what_an_enabled_definition_fires_needs_no_resume() {
    books.began("r1", 1).written("r1", 1).fired("r1", 2, 9);
    books.audit().commandsKnown(at(0));
    assertThat(books.findings(9)).isEmpty();
  }

  @Test
  void a_resume_after_a_disabled_definition_was_written_explains_its_fires() {
    books.beganDisabled("r1", 2).written("r1", 1).fired("r1", 3);
    books.audit().commandsKnown(at(0));
    books.audit().resumed("a", at(0.9));
    assertThat(of("STRAY", 9)).as("an earlier one does not").hasSize(1);
    books.audit().resumed("a", at(1));
    assertThat(of("STRAY", 9)).isEmpty();
  }

  @Test
  void a_disabled_definition_is_resumed_after_it_took_effect_if_its_timestamp_is_later() {
    books.beganDisabled("r1", 1).written("r1", 2).fired("r1", 3);
    books.audit().commandsKnown(at(0));
    books.audit().resumed("a", at(1.5));
    assertThat(of("STRAY", 9)).isEmpty();
  }

  @Test
  void where_older_commands_may_be_gone_a_disabled_definition_may_have_been_resumed() {
    books.beganDisabled("r1", 1).written("r1", 1).fired("r1", 2);
    assertThat(of("STRAY", 9)).as("no commands are known").isEmpty();
    books.audit().commandsKnown(at(1));
    assertThat(of("STRAY", 9)).as("those at that very instant are not").isEmpty();
    books.audit().commandsKnown(at(0.9));
    assertThat(of("STRAY", 9)).hasSize(1);
  }

  @Test
  void a_disabled_definition_whose_record_is_gone_may_have_been_resumed() {
    books.beganDisabled("r1", 1).fired("r1", 2);
    books.audit().commandsKnown(at(0));
    assertThat(of("STRAY", 9)).isEmpty();
  }

  @Test
  void an_imported_definition_may_have_been_resumed_where_it_came_from() {
    books.beganDisabled("r1", 1).fired("r1", 2);
    books.audit().commandsKnown(at(0));
    books.imported("r1", 1);
    assertThat(of("STRAY", 9)).isEmpty();
  }

  @Test
  void a_definition_of_which_only_the_present_is_known_may_have_been_resumed_before() {
    books
        .audit()
        .addInForce(revision("r1", everyTenSeconds().setEnabled(false).build(), 1).build());
    books.written("r1", 1).fired("r1", 2);
    books.audit().commandsKnown(at(0));
    assertThat(of("STRAY", 9)).isEmpty();
  }

  @Test
  void of_a_definition_of_which_only_the_present_is_known_nothing_earlier_is_wrong() {
    books.fired("r1", 1, 6);
    books.audit().addInForce(revision("r1", everyTenSeconds().build(), 3).build());
    assertThat(books.findings(6)).isEmpty();
    books.fired("r1", 5.5);
    assertThat(books.findings(6)).containsExactly("STRAY r1 5.5..5.5 fired, but not its own");
  }

  @Test
  void a_second_hold_is_judged_by_its_own_times() {
    books.began("r1", 0).status(State.FAULTED, 1.5).status(State.ACTIVE, 2.5);
    books.missed("r1", 2, 2, MissedReason.PAUSED, 1).fired("r1", 1).fired("r1", 3, 4);
    books.status(State.FAULTED, 4.5).fired("r1", 5);
    assertThat(books.findings(9))
        .containsExactly("STRAY r1 5..5 fired while held since " + at(4.5));
  }

  @Test
  void a_schedule_that_is_faulted_and_paused_stays_held_from_the_earlier_on() {
    books.began("r1", 0).fired("r1", 1).status(State.FAULTED, 3.5).pausedByCommand(1.5, 4.5);
    assertThat(books.findings(9)).as("the pause was given at 1.5").isEmpty();
    Books other = new Books();
    other.began("r1", 0).fired("r1", 1).pausedByCommand(1.5, 2.5).status(State.FAULTED, 4.5);
    assertThat(other.findings(9)).as("the fault comes later").isEmpty();
  }

  @Test
  void a_resume_ends_a_pause_and_a_fault_together() {
    books.began("r1", 0).fired("r1", 1).status(State.FAULTED, 1.5).pausedByCommand(2.5, 2.5);
    books.status(State.ACTIVE, 3.5).missed("r1", 2, 3, MissedReason.PAUSED, 2);
    assertThat(books.findings(4)).containsExactly("HOLE r1 4..4 neither fired nor missed");
  }

  @Test
  void a_hold_that_ends_after_the_window_holds_to_its_end() {
    books.began("r1", 0).fired("r1", 1).status(State.FAULTED, 1.5).status(State.ACTIVE, 3.5);
    assertThat(books.findings(3)).isEmpty();
    assertThat(books.findings(3.6)).containsExactly("HOLE r1 2..3 neither fired nor missed");
  }

  @Test
  void the_definition_of_a_new_life_is_no_edit_of_the_old_one() {
    books.ended("r1", 0, 5, RevisionEnd.DELETED).fired("r1", 1, 5);
    books.began("r2", 5).written("r2", 3);
    assertThat(overruns()).isEmpty();
  }

  @Test
  void what_a_definition_that_has_ended_owes_is_due_though_the_schedule_is_held() {
    books.ended("r1", 0, 2.5, RevisionEnd.REPLACED).fired("r1", 1);
    books.began("r2", 2.5).status(State.FAULTED, "r2", 1.5);
    assertThat(books.findings(9)).containsExactly("HOLE r1 2..2 neither fired nor missed");
  }

  @Test
  void outside_a_window_that_ends_in_a_hold_nothing_is_judged_by_it() {
    books.began("r1", 0).status(State.FAULTED, 1.5).status(State.ACTIVE, 3.5);
    books.fired("r1", 1).missed("r1", 2, 3, MissedReason.PAUSED, 2).fired("r1", 4, 5);
    assertThat(books.findings(Instant.MIN, 6.5))
        .containsExactly("HOLE r1 6..6 neither fired nor missed");
  }
}

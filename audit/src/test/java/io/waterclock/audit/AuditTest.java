package io.waterclock.audit;

import static io.waterclock.audit.Books.START;
import static io.waterclock.audit.Books.at;
import static io.waterclock.audit.Books.ending;
import static io.waterclock.audit.Books.everyTenSeconds;
import static io.waterclock.audit.Books.fire;
import static io.waterclock.audit.Books.revision;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.Count;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A schedule every 10 s, whose occurrences have numbers: 1 is 10 s after the start. */
class AuditTest {
  private final Books books = new Books();

  @Test
  void what_fired_and_what_was_missed_are_all_occurrences() {
    books.began("r1", 0);
    books.fired("r1", 1);
    books.missed("r1", 2, 9, MissedReason.GRACE, 8);
    books.fired("r1", 10);
    Audit.Result result = books.result(10.5);
    assertThat(result.unproven()).isEmpty();
    assertThat(result.accounts())
        .containsExactly(
            new Account(
                "a",
                "r1",
                START,
                at(10.5),
                new Count(10, true),
                2,
                0,
                new Count(8, true),
                List.of()));
  }

  @Test
  void what_is_not_accounted_for_is_a_hole() {
    books.began("r1", 0);
    books.fired("r1", 2);
    books.missed("r1", 5, 7, MissedReason.GRACE, 3);
    assertThat(books.findings(9))
        .containsExactly(
            "HOLE r1 1..1 neither fired nor missed",
            "HOLE r1 3..4 neither fired nor missed",
            "HOLE r1 8..9 neither fired nor missed");
  }

  @Test
  void what_is_accounted_for_twice_is_a_double() {
    books.began("r1", 0);
    books.fired("r1", 1);
    books.fired("r1", 1, Cause.CATCH_UP);
    books.missed("r1", 2, 6, MissedReason.GRACE, 5);
    books.missed(Books.collapsed("r1", 5, 8, 9));
    books.fired("r1", 7);
    books.fired("r1", 9);
    assertThat(books.findings(9))
        .containsExactly(
            "DOUBLE r1 1..1 fired and fired",
            "DOUBLE r1 5..6 missed GRACE and missed COLLAPSED_INTO",
            "DOUBLE r1 7..7 missed COLLAPSED_INTO and fired");
  }

  @Test
  void an_outcome_off_the_grid_or_of_another_s_time_is_a_stray() {
    books.ended("r1", 0, 3, RevisionEnd.REPLACED);
    books.began("r2", 3);
    books.fired("r1", 1);
    books.fired("r1", 2.5);
    books.missed("r1", 2, 3, MissedReason.GRACE, 2);
    books.fired("r2", 4);
    books.missed("r2", 2, 3, MissedReason.GRACE, 2);
    books.fired("r1", 5);
    assertThat(books.findings(5))
        .containsExactly(
            "STRAY r1 2.5..2.5 fired, but not its own",
            "STRAY r1 5..5 fired, but not its own",
            "STRAY r2 2..3 missed GRACE, but not its own",
            "HOLE r2 5..5 neither fired nor missed");
  }

  /** Its fire is of the newer revision, as one that did not wait would be. */
  @Test
  void what_a_limit_let_expire_counts_for_the_revision_that_owned_it() {
    books.ended("r1", 0, 3, RevisionEnd.REPLACED);
    books.add(Books.revision("r2", Books.everyTenSeconds().setLimit("etl").build(), 3));
    books.missed(Books.collapsed("r1", 1, 2, 3));
    books.missed(Books.range("r2", 3, 3, MissedReason.EXPIRED, 1).setDecidedAt(Books.at(4)));
    books.fired("r2", 4);
    assertThat(books.findings(4)).isEmpty();
  }

  @Test
  void what_fires_after_a_delete_is_a_stray() {
    books.ended("r1", 0, 2.5, RevisionEnd.DELETED);
    books.fired("r1", 1);
    books.fired("r1", 2);
    books.fired("r1", 3);
    assertThat(books.findings(4)).containsExactly("STRAY r1 3..3 fired, but not its own");
  }

  @Test
  void a_range_that_says_another_count_is_told() {
    books.began("r1", 0);
    books.missed("r1", 1, 9, MissedReason.GRACE, 8);
    books.missed("r1", 4, 5, MissedReason.SKIPPED, 2);
    assertThat(books.findings(9))
        .containsExactly("COUNT r1 1..9 says that it holds 8, but holds 7");
  }

  @Test
  void skipped_occurrences_may_lie_within_a_missed_range_but_not_twice_nor_at_its_end() {
    books.began("r1", 0);
    books.missed("r1", 1, 9, MissedReason.GRACE, 6);
    books.missed("r1", 4, 5, MissedReason.SKIPPED, 2);
    books.missed("r1", 7, 7, MissedReason.SKIPPED, 1);
    assertThat(books.findings(9)).isEmpty();
    assertThat(books.result(9).accounts().get(0).missed().value()).isEqualTo(9);
    books.missed("r1", 9, 10, MissedReason.SKIPPED, 2);
    books.fired("r1", 4);
    assertThat(books.findings(10))
        .contains(
            "DOUBLE r1 9..9 missed GRACE and missed SKIPPED",
            "DOUBLE r1 4..4 missed GRACE and fired");
  }

  @Test
  void nothing_is_asked_of_what_lies_outside_the_window() {
    books.began("r1", 0);
    books.fired("r1", 5);
    books.fired("r1", 6);
    assertThat(books.findings(at(4.5), 6.5)).isEmpty();
    assertThat(books.findings(at(3.5), 6.5))
        .containsExactly("HOLE r1 4..4 neither fired nor missed");
  }

  @Test
  void a_revision_ends_where_the_next_one_begins_and_a_new_life_owes_nothing_to_the_old() {
    books.ended("r1", 0, 2.5, RevisionEnd.REPLACED);
    books.ended("r2", 2.5, 4, RevisionEnd.DELETED);
    books.began("r3", 7);
    for (int number : new int[] {1, 2}) {
      books.fired("r1", number);
    }
    books.missed("r2", 3, 4, MissedReason.DELETED, 2);
    books.fired("r3", 8);
    assertThat(books.findings(8)).isEmpty();
  }

  @Test
  void a_fire_that_collapses_may_stand_for_an_occurrence_of_an_older_revision() {
    books.ended("r1", 0, 4, RevisionEnd.REPLACED);
    books.began("r2", 4);
    books.missed(Books.collapsed("r1", 1, 3, 4));
    books.fired("r2", 4, Cause.CATCH_UP);
    books.fired("r2", 5);
    assertThat(books.findings(5)).isEmpty();
  }

  @Test
  void what_commands_ordered_is_beside_the_account() {
    books.began("r1", 0);
    books.fired("r1", 1);
    books.fired("r1", 1, Cause.BACKFILL);
    books.fired("r1", 1.3, Cause.TRIGGERED);
    assertThat(books.findings(1)).isEmpty();
  }

  @Test
  void a_schedule_that_is_held_owes_nothing_until_it_goes_on() {
    books.began("r1", 0);
    books.fired("r1", 1);
    books.status(State.FAULTED, null, 1.5);
    assertThat(books.findings(9)).isEmpty();
    books.statusDeleted();
    assertThat(books.findings(9)).containsExactly("HOLE r1 2..9 neither fired nor missed");
  }

  @Test
  void a_disabled_definition_that_a_command_made_go_on_owes_all_that_it_owns() {
    books.beganDisabled("r1", 0);
    books.status(State.PAUSED, 0);
    books.status(State.ACTIVE, 3.5);
    books.missed("r1", 1, 3, MissedReason.PAUSED, 3);
    books.fired("r1", 4);
    books.fired("r1", 6);
    assertThat(books.findings(6.5)).containsExactly("HOLE r1 5..5 neither fired nor missed");
    assertThat(books.unproven(6.5)).isEmpty();
    assertThat(books.findings(3.5)).as("it may have gone on after the last watermark").isEmpty();
    assertThat(books.unproven(3.5)).isEmpty();
  }

  @Test
  void of_what_compaction_has_left_the_latest_status_tells_that_it_went_on() {
    books.beganDisabled("r1", 0);
    books.missed("r1", 1, 3, MissedReason.PAUSED, 3);
    books.fired("r1", 5);
    books.status(State.ACTIVE, 3.5);
    assertThat(books.findings(5.5)).containsExactly("HOLE r1 4..4 neither fired nor missed");
  }

  @Test
  void an_outcome_tells_that_it_went_on_where_no_status_does() {
    books.beganDisabled("r1", 0);
    books.missed("r1", 1, 3, MissedReason.PAUSED, 3);
    books.fired("r1", 5);
    books.pausedByCommand(5.5, 5.5);
    assertThat(books.findings(9)).containsExactly("HOLE r1 4..4 neither fired nor missed");
    assertThat(books.unproven(9)).isEmpty();
  }

  @Test
  void where_nothing_tells_whether_a_disabled_definition_went_on_nothing_is_proved() {
    books.beganDisabled("r1", 0);
    books.pausedByCommand(5.5, 5.5);
    assertThat(books.findings(9)).isEmpty();
    assertThat(books.unproven(9)).singleElement().asString().contains("\"enabled\": false");
    assertThat(books.unproven(0.5)).as("there was nothing to prove yet").isEmpty();
  }

  @Test
  void a_disabled_definition_that_was_never_made_go_on_owes_nothing() {
    books.beganDisabled("r1", 0);
    books.status(State.PAUSED, 0);
    books.pausedByCommand(5.5, 5.5);
    assertThat(books.findings(9)).isEmpty();
    assertThat(books.unproven(9)).isEmpty();
  }

  @Test
  void a_pause_that_is_older_than_a_disabled_definition_holds_it_as_well() {
    books.beganDisabled("r1", 0);
    books.pausedByCommand(-1, 0);
    assertThat(books.unproven(9)).isEmpty();
    books.fired("r1", 2);
    assertThat(books.findings(9)).containsExactly("STRAY r1 2..2 fired while held since " + at(0));
  }

  @Test
  void a_pause_holds_all_occurrences_of_a_definition_accepted_during_it() {
    books.ended("r1", 0, 1.5, RevisionEnd.REPLACED);
    books.fired("r1", 1);
    books.pausedByCommand(2.5, 2.5);
    Revision.Builder second = revision("r2", everyTenSeconds().build(), 1.5);
    books.add(second.setAcceptedAt(at(4)));
    books.pausedByCommand(2.5, 4);
    assertThat(books.findings(9)).isEmpty();
  }

  @Test
  void a_pause_holds_no_earlier_occurrence_of_a_definition_accepted_before_it() {
    books.began("r1", 0);
    books.fired("r1", 1);
    books.pausedByCommand(2.5, 2.5);
    assertThat(books.findings(9)).containsExactly("HOLE r1 2..2 neither fired nor missed");
  }

  @Test
  void only_a_backfill_may_fire_an_occurrence_before_it_was_due() {
    books.began("r1", 0);
    books.missed("r1", 1, 2, MissedReason.PAUSED, 2);
    firedBeforeItWasDue(2, Cause.BACKFILL);
    assertThat(books.findings(2.5)).isEmpty();
    firedBeforeItWasDue(3, Cause.SCHEDULED);
    assertThat(books.findings(3.5)).singleElement().asString().startsWith("EARLY r1 3..3 ");
  }

  private void firedBeforeItWasDue(double number, Cause cause) {
    books.fired(
        fire("r1", number).setDue(at(number + 100)).setFiredAt(at(number + 0.3)).setCause(cause));
  }

  @Test
  void what_fires_while_the_schedule_is_known_to_be_held_is_a_stray() {
    books.began("r1", 0);
    books.fired("r1", 1);
    books.fired("r1", 2);
    books.pausedByCommand(1.5, 2.5);
    assertThat(books.findings(9)).as("2 fired before the scheduler knew").isEmpty();
    books.fired("r1", 3);
    assertThat(books.findings(9))
        .containsExactly("STRAY r1 3..3 fired while held since " + at(2.5));
    assertThat(books.findings(3)).as("it may have been resumed").isEmpty();
    books.status(State.ACTIVE, 4.5);
    books.missed("r1", 3, 4, MissedReason.PAUSED, 2);
    assertThat(books.findings(4.8)).containsExactly("DOUBLE r1 3..3 missed PAUSED and fired");
  }

  @Test
  void where_jitter_may_still_hold_an_occurrence_back_nothing_is_owed() {
    books.add(revision("r1", everyTenSeconds().setJitterMs(9_000).build(), 0));
    books.fired("r1", 1);
    books.fired("r1", 2);
    assertThat(books.findings(3.8)).isEmpty();
    assertThat(books.findings(3.9)).containsExactly("HOLE r1 3..3 neither fired nor missed");
  }

  @Test
  void of_what_is_complete_the_last_occurrence_is_owed_too() {
    Schedule once =
        Schedule.newBuilder()
            .setTrigger(new OnceTrigger(at(1), null))
            .setTimezone("UTC")
            .setJitterMs(9_000)
            .build();
    Revision.Builder revision = revision("r1", once, 0).setResolvedAt(at(1));
    books.add(revision);
    books.add(revision.setEndedAt(at(1)).setEndedBy(RevisionEnd.COMPLETED));
    books.fired("r1", 1);
    assertThat(books.findings(1.5)).isEmpty();
    books.fired("r1", 1);
    assertThat(books.findings(1.5)).containsExactly("DOUBLE r1 1..1 fired and fired");
  }

  @Test
  void what_is_complete_leaves_its_single_instant_to_no_successor_which_would_double_it() {
    Schedule once =
        Schedule.newBuilder().setTrigger(new OnceTrigger(at(1), null)).setTimezone("UTC").build();
    Revision.Builder first = revision("r1", once, 0).setResolvedAt(at(1));
    books.add(first);
    books.add(first.setEndedAt(at(1)).setEndedBy(RevisionEnd.COMPLETED));
    books.fired("r1", 1);
    books.add(revision("r2", once, 0.5).setResolvedAt(at(1)));
    books.fired("r2", 1);
    assertThat(books.findings(3)).containsExactly("DOUBLE r2 1..1 fired, and fired as revision r1");
  }

  @Test
  void nothing_is_proved_of_a_revision_whose_record_is_gone_or_unreadable() {
    books.fired("r0", 1);
    Schedule odd =
        everyTenSeconds()
            .setTrigger(CronTrigger.newBuilder().setExpression("99 * * * *").build())
            .build();
    books.add(revision("r1", odd, 1));
    assertThat(books.result(3).unproven())
        .extracting(Audit.Unproven::revision)
        .containsExactly("r0", "r1");
  }

  @Test
  void a_revision_that_lacks_what_the_scheduler_always_writes_is_not_proved_and_others_are() {
    books.add(revision("r1", everyTenSeconds().build(), 0).setResolvedAt(null));
    books.add(revision("r2", everyTenSeconds().setTimezone(null).build(), 0));
    books.add(ending("r3", 0, 1, RevisionEnd.DELETED).setEndedAt(null));
    books.began("r4", 1);
    assertThat(books.findings(2)).containsExactly("HOLE r4 2..2 neither fired nor missed");
    assertThat(books.result(2).unproven())
        .extracting(Audit.Unproven::reason)
        .containsExactly(
            "cannot be read: it has no resolved_at",
            "cannot be read: it has no timezone",
            "cannot be read: it has no ended_at");
  }

  @Test
  void a_trigger_by_command_is_no_occurrence_and_a_backfill_fires_nothing_else() {
    books.began("r1", 0).fired("r1", 1, 2).fired("r1", 1.3, Cause.TRIGGERED);
    assertThat(books.findings(2)).isEmpty();
    books.fired("r1", 1.5, Cause.BACKFILL);
    assertThat(books.findings(2))
        .containsExactly("STRAY r1 1.5..1.5 backfilled, but no occurrence of it");
  }

  @Test
  void a_grid_without_an_anchor_begins_one_step_after_its_acceptance_for_a_backfill_too() {
    books.began("r1", 0).fired("r1", 1, Cause.BACKFILL).fired("r1", 0, Cause.BACKFILL);
    books.fired("r1", 1);
    assertThat(books.findings(1))
        .containsExactly("STRAY r1 0..0 backfilled, but no occurrence of it");
  }

  @Test
  void a_grid_with_an_anchor_may_be_backfilled_from_its_anchor_on() {
    EveryTrigger trigger =
        EveryTrigger.newBuilder().setN(10).setUnit(Unit.SECOND).setAnchor(START).build();
    books.add(revision("r1", everyTenSeconds().setTrigger(trigger).build(), 0));
    books.fired("r1", 1).fired("r1", 0, Cause.BACKFILL);
    assertThat(books.findings(1)).isEmpty();
  }

  @Test
  void a_recurrence_rule_without_an_anchor_begins_after_its_acceptance_and_with_one_at_it() {
    RRuleTrigger rule = RRuleTrigger.newBuilder().setRule("FREQ=SECONDLY;INTERVAL=10").build();
    books.add(revision("r1", everyTenSeconds().setTrigger(rule).build(), 0));
    books.fired("r1", 1).fired("r1", 0, Cause.BACKFILL).fired("r1", 1, Cause.BACKFILL);
    assertThat(books.findings(1))
        .containsExactly("STRAY r1 0..0 backfilled, but no occurrence of it");
    Books anchored = new Books();
    rule.setAnchor(START);
    anchored.add(revision("r1", everyTenSeconds().setTrigger(rule).build(), 0));
    anchored.fired("r1", 1).fired("r1", 0, Cause.BACKFILL);
    assertThat(anchored.findings(1)).isEmpty();
  }

  @Test
  void a_held_single_instant_goes_to_the_edit_that_finds_it_unfired() {
    Schedule once =
        Schedule.newBuilder().setTrigger(new OnceTrigger(at(2), null)).setTimezone("UTC").build();
    books.add(
        revision("r1", once, 0)
            .setResolvedAt(at(2))
            .setEndedAt(at(5))
            .setEndedBy(RevisionEnd.REPLACED));
    books.add(revision("r2", once, 1).setResolvedAt(at(2)).setAcceptedAt(at(5)));
    books.fired("r2", 2);
    assertThat(books.findings(9)).isEmpty();
  }

  @Test
  void a_grid_goes_to_an_edit_where_it_ends_whenever_the_edit_begins() {
    books.ended("r1", 0, 4, RevisionEnd.REPLACED).began("r2", 2);
    books.fired("r1", 1, 4).fired("r2", 5, 6);
    assertThat(books.findings(6)).containsExactly("HOLE r2 3..4 neither fired nor missed");
  }

  @Test
  void a_single_instant_that_ended_before_the_next_definition_began_stays_where_it_was() {
    Schedule once =
        Schedule.newBuilder().setTrigger(new OnceTrigger(at(2), null)).setTimezone("UTC").build();
    books.add(
        revision("r1", once, 0)
            .setResolvedAt(at(2))
            .setEndedAt(at(1))
            .setEndedBy(RevisionEnd.REPLACED));
    books.began("r2", 3).fired("r2", 4).fired("r1", 2);
    assertThat(books.findings(4)).containsExactly("STRAY r1 2..2 fired, but not its own");
  }

  @Test
  void what_no_revision_owns_is_the_stray_of_the_one_that_fired_it() {
    books.ended("r1", 0, 2, RevisionEnd.REPLACED).began("r2", 2);
    books.fired("r1", 1, 2).fired("r2", 3).fired("r2", 3.5);
    assertThat(books.findings(3.5)).containsExactly("STRAY r2 3.5..3.5 fired, but not its own");
  }

  @Test
  void a_fire_is_early_by_the_clock_of_the_audit_too() {
    books.began("r1", 0).readAt(1, "r1", 1).readAt(2, "r1", 2);
    assertThat(books.findings(2)).isEmpty();
    books.readAt(2, "r1", 3);
    assertThat(books.findings(3))
        .as("with 5 s for the difference between clocks")
        .containsExactly("EARLY r1 3..3 fired up to 5.0 s before it was due");
  }

  @Test
  void the_worst_of_many_early_fires_is_told_with_all_of_them() {
    books.began("r1", 0).firedLate("r1", 2, 1.99).firedLate("r1", 3, 2.745).firedLate("r1", 1, 0.9);
    assertThat(books.findings(3))
        .containsExactly("EARLY r1 1..3 fired up to 2.5 s before it was due");
    assertThat(books.result(3).accounts().get(0).findings())
        .singleElement()
        .satisfies(found -> assertThat(found.count()).isEqualTo(new Count(3, true)));
  }

  @Test
  void what_a_calendar_may_still_move_is_owed_when_the_next_occurrence_is_due() {
    Schedule moved =
        everyTenSeconds()
            .setExcept(List.of("holidays"))
            .setOnExcluded(OnExcluded.NEXT_WORKING_DAY)
            .build();
    books.add(revision("r1", moved, 0)).fired("r1", 1);
    assertThat(books.findings(2.9)).isEmpty();
    assertThat(books.findings(3)).containsExactly("HOLE r1 2..2 neither fired nor missed");
    assertThat(books.findings(0.5)).isEmpty();
  }

  @Test
  void what_a_calendar_only_leaves_out_is_owed_at_once() {
    Schedule skipped = everyTenSeconds().setExcept(List.of("holidays")).build();
    Schedule unmoved = everyTenSeconds().setOnExcluded(OnExcluded.NEXT_WORKING_DAY).build();
    for (Schedule schedule : List.of(skipped, unmoved)) {
      Books its = new Books();
      its.add(revision("r1", schedule, 0)).fired("r1", 1);
      assertThat(its.findings(2)).containsExactly("HOLE r1 2..2 neither fired nor missed");
    }
  }

  @Test
  void what_was_accepted_after_the_window_owes_nothing_in_it() {
    books.add(revision("r1", everyTenSeconds().build(), 0).setAcceptedAt(at(3)));
    assertThat(books.findings(3)).isEmpty();
    assertThat(books.findings(3.1)).containsExactly("HOLE r1 1..3 neither fired nor missed");
  }

  @Test
  void the_end_of_a_revision_says_nothing_of_the_time_of_its_acceptance() {
    books.add(revision("r1", everyTenSeconds().build(), 0).setAcceptedAt(at(1)));
    books.add(Books.ending("r1", 0, 4, RevisionEnd.REPLACED).setAcceptedAt(at(8)));
    assertThat(books.findings(3)).containsExactly("HOLE r1 1..3 neither fired nor missed");
  }

  @Test
  void the_start_of_a_revision_that_is_read_again_does_not_undo_its_end() {
    books.ended("r1", 0, 2, RevisionEnd.DELETED).began("r1", 0).fired("r1", 1, 2);
    assertThat(books.findings(9)).isEmpty();
    assertThat(books.unproven(9)).isEmpty();
  }

  @Test
  void of_many_pauses_the_one_that_goes_back_furthest_holds_a_disabled_definition() {
    books.beganDisabled("r1", 0).pausedByCommand(-1, 0).pausedByCommand(2.5, 3);
    assertThat(books.unproven(9)).isEmpty();
    Books other = new Books();
    other.beganDisabled("r1", 0).pausedByCommand(2.5, 2.5).pausedByCommand(-1, 3);
    assertThat(other.unproven(9)).isEmpty();
  }

  @Test
  void what_goes_on_after_the_window_owes_nothing_in_it() {
    books.beganDisabled("r1", 0).status(State.ACTIVE, 3.5);
    assertThat(books.findings(3)).isEmpty();
    assertThat(books.unproven(3)).hasSize(1);
  }

  @Test
  void an_outcome_after_the_window_does_not_tell_that_it_went_on_in_it() {
    books.beganDisabled("r1", 0).firedLate("r1", 1, 5);
    assertThat(books.findings(4)).isEmpty();
    assertThat(books.unproven(4)).hasSize(1);
    Books other = new Books();
    other.beganDisabled("r1", 0);
    other.missed(Books.range("r1", 1, 1, MissedReason.PAUSED, 1).setDecidedAt(at(5)));
    assertThat(other.unproven(4)).hasSize(1);
    assertThat(other.unproven(6)).as("one in it does").isEmpty();
    assertThat(other.findings(6)).containsExactly("HOLE r1 2..6 neither fired nor missed");
    Books fired = new Books();
    assertThat(fired.beganDisabled("r1", 0).fired("r1", 1).unproven(4)).isEmpty();
  }

  @Test
  void what_another_revision_was_seen_to_be_says_nothing_of_this_one() {
    books.ended("r0", 0, 1, RevisionEnd.REPLACED).fired("r0", 1);
    books.status(State.ACTIVE, "r0", 0);
    books.beganDisabled("r1", 1);
    assertThat(books.unproven(9)).hasSize(1);
  }

  @Test
  void a_range_of_which_only_a_lower_bound_was_counted_is_not_compared() {
    books.began("r1", 0);
    books.missed(Books.range("r1", 1, 9, MissedReason.GRACE, 3).setCountIsLowerBound(true));
    assertThat(books.findings(9)).isEmpty();
  }

  @Test
  void findings_are_told_in_the_order_of_time() {
    books.began("r1", 0).fired("r1", 4).fired("r1", 1.5).fired("r1", 2);
    assertThat(books.findings(4))
        .containsExactly(
            "HOLE r1 1..1 neither fired nor missed",
            "STRAY r1 1.5..1.5 fired, but not its own",
            "HOLE r1 3..3 neither fired nor missed");
  }

  @Test
  void an_account_of_what_begins_after_the_window_is_empty() {
    books.began("r1", 5);
    Account account = books.result(3).accounts().get(0);
    assertThat(account.after()).isEqualTo(at(5));
    assertThat(account.through()).isEqualTo(at(5));
    assertThat(account.occurrences()).isEqualTo(new Count(0, true));
  }

  @Test
  void what_jitter_may_still_have_held_back_is_counted_neither_as_owed_nor_as_fired() {
    books.add(revision("r1", everyTenSeconds().setJitterMs(9_000).build(), 0)).fired("r1", 1, 4);
    Account account = books.result(4.5).accounts().get(0);
    assertThat(account.findings()).isEmpty();
    assertThat(account.occurrences().value()).isEqualTo(3);
    assertThat(account.fired()).isEqualTo(3);
  }

  @Test
  void of_what_was_deleted_jitter_holds_nothing_back() {
    Schedule jittered = everyTenSeconds().setJitterMs(9_000).build();
    books.add(revision("r1", jittered, 0).setEndedAt(at(2)).setEndedBy(RevisionEnd.DELETED));
    books.fired("r1", 1);
    assertThat(books.findings(2.1)).containsExactly("HOLE r1 2..2 neither fired nor missed");
  }

  @Test
  void the_count_of_each_range_is_compared() {
    books.began("r1", 0);
    books.missed("r1", 1, 3, MissedReason.GRACE, 2).missed("r1", 4, 6, MissedReason.GRACE, 3);
    assertThat(books.findings(6))
        .containsExactly("COUNT r1 1..3 says that it holds 2, but holds 3");
  }

  @Test
  void planted_holes_and_doubles_are_found_exactly() {
    for (long seed = 0; seed < 2_000; seed++) {
      new Planted(new SplittableRandom(seed)).isFound(seed);
    }
  }

  /** A random account of occurrences 1 to n, from which one piece is taken or doubled. */
  private static final class Planted {
    private record Piece(int first, int last, boolean fire) {}

    private final SplittableRandom random;
    private final List<Piece> pieces = new ArrayList<>();
    private int end = 1;

    Planted(SplittableRandom random) {
      this.random = random;
      for (int i = 0; i < 2 + random.nextInt(20); i++) {
        int last = random.nextBoolean() ? end : end + random.nextInt(50);
        pieces.add(new Piece(end, last, last == end));
        end = last + 1;
      }
    }

    void isFound(long seed) {
      int which = random.nextInt(pieces.size());
      Piece piece = pieces.get(which);
      boolean isHole = random.nextBoolean();
      if (isHole) {
        pieces.remove(which);
      } else {
        int first = piece.first() + random.nextInt(piece.last() - piece.first() + 1);
        int last = first + random.nextInt(piece.last() - first + 1);
        piece = new Piece(first, last, first == last);
        pieces.add(piece);
      }
      Books test = new Books();
      test.began("r1", 0);
      pieces.sort(Comparator.comparing(any -> random.nextInt()));
      for (Piece any : pieces) {
        if (any.fire()) {
          test.fired("r1", any.first());
        } else {
          int count = any.last() - any.first() + 1;
          test.missed("r1", any.first(), any.last(), MissedReason.GRACE, count);
        }
      }
      Optional<Finding> found =
          test.result(end - 1).accounts().get(0).findings().stream()
              .reduce(
                  (one, other) ->
                      new Finding(
                          one.kind(),
                          "two",
                          "findings",
                          one.first(),
                          other.last(),
                          one.count(),
                          ""));
      assertThat(found).as("seed %d", seed).isPresent();
      assertThat(found.get().kind()).isEqualTo(isHole ? Finding.Kind.HOLE : Finding.Kind.DOUBLE);
      assertThat(List.of(found.get().first(), found.get().last()))
          .as("seed %d", seed)
          .containsExactly(at(piece.first()), at(piece.last()));
    }
  }
}

package io.waterclock.topology.scheduler.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.audit.Account;
import io.waterclock.audit.Audit;
import io.waterclock.audit.Finding;
import io.waterclock.audit.Window;
import io.waterclock.occurrences.core.Count;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Unit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A schedule every 10 s, whose occurrences have numbers: 1 is 10 s after the start. */
class AuditTest {
  private static final Instant START = Instant.parse("2026-03-04T10:00:00Z");

  private final Audit audit = new Audit();

  private static Instant at(double number) {
    return START.plusMillis((long) (number * 10_000));
  }

  private static Schedule.Builder everyTenSeconds() {
    return Schedule.newBuilder()
        .setTrigger(EveryTrigger.newBuilder().setN(10).setUnit(Unit.SECOND).build())
        .setTimezone("UTC");
  }

  private static Revision.Builder revision(String name, Schedule schedule, double ownsAfter) {
    return Revision.newBuilder()
        .setScheduleId("a")
        .setRevision(name)
        .setSchedule(schedule)
        .setOwnsAfter(at(ownsAfter))
        .setEffectiveAt(at(ownsAfter))
        .setAcceptedAt(at(ownsAfter))
        .setResolvedAt(START)
        .setTzdb("2026a");
  }

  private void began(String name, double ownsAfter) {
    audit.add(revision(name, everyTenSeconds().build(), ownsAfter).build());
  }

  private void ended(String name, double ownsAfter, double through, RevisionEnd by) {
    audit.add(
        revision(name, everyTenSeconds().build(), ownsAfter)
            .setEndedAt(at(through))
            .setEndedBy(by)
            .build());
  }

  private void fired(String revision, double number) {
    fired(revision, number, Cause.SCHEDULED);
  }

  private void fired(String revision, double number, Cause cause) {
    audit.add(
        Fire.newBuilder()
            .setFireId("x")
            .setScheduleId("a")
            .setOccurrence(at(number))
            .setDue(at(number))
            .setFiredAt(at(number))
            .setCause(cause)
            .setRevision(revision)
            .setSchedule(everyTenSeconds().build())
            .build());
  }

  private void missed(String revision, int first, int last, MissedReason reason, int count) {
    audit.add(
        Missed.newBuilder()
            .setScheduleId("a")
            .setRevision(revision)
            .setFirst(at(first))
            .setLast(at(last))
            .setCount(count)
            .setReason(reason)
            .setDecidedAt(at(last))
            .build());
  }

  private List<String> findings(double through) {
    return findings(Instant.MIN, through);
  }

  private List<String> findings(Instant after, double through) {
    return audit.of("a", new Window(after, at(through))).accounts().stream()
        .flatMap(account -> account.findings().stream())
        .map(
            found ->
                String.join(
                    " ",
                    found.kind().toString(),
                    found.revision(),
                    number(found.first()) + ".." + number(found.last()),
                    found.detail()))
        .toList();
  }

  private static long number(Instant at) {
    return java.time.Duration.between(START, at).toSeconds() / 10;
  }

  @Test
  void what_fired_and_what_was_missed_are_all_occurrences() {
    began("r1", 0);
    fired("r1", 1);
    missed("r1", 2, 9, MissedReason.GRACE, 8);
    fired("r1", 10);
    Audit.Result result = audit.of("a", new Window(Instant.MIN, at(10.5)));
    assertThat(result.unproven()).isEmpty();
    assertThat(result.accounts())
        .containsExactly(
            new Account(
                "a", "r1", START, at(10.5), new Count(10, true), 2, new Count(8, true), List.of()));
  }

  @Test
  void what_is_not_accounted_for_is_a_hole() {
    began("r1", 0);
    fired("r1", 2);
    missed("r1", 5, 7, MissedReason.GRACE, 3);
    assertThat(findings(9))
        .containsExactly(
            "HOLE r1 1..1 neither fired nor missed",
            "HOLE r1 3..4 neither fired nor missed",
            "HOLE r1 8..9 neither fired nor missed");
  }

  @Test
  void what_is_accounted_for_twice_is_a_double() {
    began("r1", 0);
    fired("r1", 1);
    fired("r1", 1, Cause.CATCH_UP);
    missed("r1", 2, 6, MissedReason.GRACE, 5);
    missed("r1", 5, 8, MissedReason.COLLAPSED_INTO, 4);
    fired("r1", 7);
    fired("r1", 9);
    assertThat(findings(9))
        .containsExactly(
            "DOUBLE r1 1..1 fired and fired",
            "DOUBLE r1 5..6 missed GRACE and missed COLLAPSED_INTO",
            "DOUBLE r1 7..7 missed COLLAPSED_INTO and fired");
  }

  @Test
  void an_outcome_off_the_grid_or_of_another_s_time_is_a_stray() {
    ended("r1", 0, 3, RevisionEnd.REPLACED);
    began("r2", 3);
    fired("r1", 1);
    fired("r1", 2.5);
    missed("r1", 2, 3, MissedReason.GRACE, 2);
    fired("r2", 4);
    missed("r2", 2, 3, MissedReason.GRACE, 2);
    fired("r1", 5);
    assertThat(findings(5))
        .containsExactly(
            "STRAY r1 2..2 fired, but not its own",
            "STRAY r1 5..5 fired, but not its own",
            "STRAY r2 2..3 missed GRACE, but not its own",
            "HOLE r2 5..5 neither fired nor missed");
  }

  @Test
  void what_fires_after_a_delete_is_a_stray() {
    ended("r1", 0, 2.5, RevisionEnd.DELETED);
    fired("r1", 1);
    fired("r1", 2);
    fired("r1", 3);
    assertThat(findings(4)).containsExactly("STRAY r1 3..3 fired, but not its own");
  }

  @Test
  void a_range_that_says_another_count_is_told() {
    began("r1", 0);
    missed("r1", 1, 9, MissedReason.GRACE, 8);
    missed("r1", 4, 5, MissedReason.SKIPPED, 2);
    assertThat(findings(9)).containsExactly("COUNT r1 1..9 says that it holds 8, but holds 7");
  }

  @Test
  void skipped_occurrences_may_lie_within_a_missed_range_but_not_twice_nor_at_its_end() {
    began("r1", 0);
    missed("r1", 1, 9, MissedReason.GRACE, 6);
    missed("r1", 4, 5, MissedReason.SKIPPED, 2);
    missed("r1", 7, 7, MissedReason.SKIPPED, 1);
    assertThat(findings(9)).isEmpty();
    assertThat(audit.of("a", new Window(Instant.MIN, at(9))).accounts().get(0).missed().value())
        .isEqualTo(9);
    missed("r1", 9, 10, MissedReason.SKIPPED, 2);
    fired("r1", 4);
    assertThat(findings(10))
        .contains(
            "DOUBLE r1 9..9 missed GRACE and missed SKIPPED",
            "DOUBLE r1 4..4 missed GRACE and fired");
  }

  @Test
  void nothing_is_asked_of_what_lies_outside_the_window() {
    began("r1", 0);
    fired("r1", 5);
    fired("r1", 6);
    assertThat(findings(at(4.5), 6.5)).isEmpty();
    assertThat(findings(at(3.5), 6.5)).containsExactly("HOLE r1 4..4 neither fired nor missed");
  }

  @Test
  void a_revision_ends_where_the_next_one_begins_and_a_new_life_owes_nothing_to_the_old() {
    ended("r1", 0, 2.5, RevisionEnd.REPLACED);
    ended("r2", 2.5, 4, RevisionEnd.DELETED);
    began("r3", 7);
    for (int number : new int[] {1, 2}) {
      fired("r1", number);
    }
    missed("r2", 3, 4, MissedReason.DELETED, 2);
    fired("r3", 8);
    assertThat(findings(8)).isEmpty();
  }

  @Test
  void a_fire_that_collapses_may_stand_for_an_occurrence_of_an_older_revision() {
    ended("r1", 0, 4, RevisionEnd.REPLACED);
    began("r2", 4);
    missed("r1", 1, 3, MissedReason.COLLAPSED_INTO, 3);
    fired("r2", 4, Cause.CATCH_UP);
    fired("r2", 5);
    assertThat(findings(5)).isEmpty();
  }

  @Test
  void what_commands_ordered_is_beside_the_account() {
    began("r1", 0);
    fired("r1", 1);
    fired("r1", 1, Cause.BACKFILL);
    fired("r1", 1.3, Cause.TRIGGERED);
    assertThat(findings(1)).isEmpty();
  }

  @Test
  void a_schedule_that_is_held_owes_nothing_until_it_goes_on() {
    began("r1", 0);
    fired("r1", 1);
    audit.add(
        ScheduleStatus.newBuilder()
            .setScheduleId("a")
            .setState(State.FAULTED)
            .setSince(at(1.5))
            .build());
    assertThat(findings(9)).isEmpty();
    audit.statusDeleted("a");
    assertThat(findings(9)).containsExactly("HOLE r1 2..9 neither fired nor missed");
  }

  private void beganDisabled() {
    audit.add(revision("r1", everyTenSeconds().setEnabled(false).build(), 0).build());
  }

  private void status(State state, double since) {
    audit.add(status(state).setSince(at(since)).build());
  }

  private void pausedByCommand(double since, double stated) {
    audit.add(
        status(State.PAUSED)
            .setSince(at(stated))
            .setPause(CommandedPause.newBuilder().setSince(at(since)).build())
            .build());
  }

  private static ScheduleStatus.Builder status(State state) {
    return ScheduleStatus.newBuilder().setScheduleId("a").setState(state).setRevision("r1");
  }

  private List<String> unproven(double through) {
    return audit.of("a", new Window(Instant.MIN, at(through))).unproven().stream()
        .map(Audit.Unproven::reason)
        .toList();
  }

  @Test
  void a_disabled_definition_that_a_command_made_go_on_owes_all_that_it_owns() {
    beganDisabled();
    status(State.PAUSED, 0);
    status(State.ACTIVE, 3.5);
    missed("r1", 1, 3, MissedReason.PAUSED, 3);
    fired("r1", 4);
    fired("r1", 6);
    assertThat(findings(6.5)).containsExactly("HOLE r1 5..5 neither fired nor missed");
    assertThat(unproven(6.5)).isEmpty();
    assertThat(findings(3.5)).as("it may have gone on after the last watermark").isEmpty();
    assertThat(unproven(3.5)).isEmpty();
  }

  @Test
  void of_what_compaction_has_left_the_latest_status_tells_that_it_went_on() {
    beganDisabled();
    missed("r1", 1, 3, MissedReason.PAUSED, 3);
    fired("r1", 5);
    status(State.ACTIVE, 3.5);
    assertThat(findings(5.5)).containsExactly("HOLE r1 4..4 neither fired nor missed");
  }

  @Test
  void an_outcome_tells_that_it_went_on_where_no_status_does() {
    beganDisabled();
    missed("r1", 1, 3, MissedReason.PAUSED, 3);
    fired("r1", 5);
    pausedByCommand(5.5, 5.5);
    assertThat(findings(9)).containsExactly("HOLE r1 4..4 neither fired nor missed");
    assertThat(unproven(9)).isEmpty();
  }

  @Test
  void where_nothing_tells_whether_a_disabled_definition_went_on_nothing_is_proved() {
    beganDisabled();
    pausedByCommand(5.5, 5.5);
    assertThat(findings(9)).isEmpty();
    assertThat(unproven(9)).singleElement().asString().contains("\"enabled\": false");
    assertThat(unproven(0.5)).as("there was nothing to prove yet").isEmpty();
  }

  @Test
  void a_disabled_definition_that_was_never_made_go_on_owes_nothing() {
    beganDisabled();
    status(State.PAUSED, 0);
    pausedByCommand(5.5, 5.5);
    assertThat(findings(9)).isEmpty();
    assertThat(unproven(9)).isEmpty();
  }

  @Test
  void a_pause_that_is_older_than_a_disabled_definition_holds_it_as_well() {
    beganDisabled();
    pausedByCommand(-1, 0);
    assertThat(unproven(9)).isEmpty();
    fired("r1", 2);
    assertThat(findings(9)).containsExactly("STRAY r1 2..2 fired while held since " + at(0));
  }

  @Test
  void a_pause_holds_all_occurrences_of_a_definition_accepted_during_it() {
    ended("r1", 0, 1.5, RevisionEnd.REPLACED);
    fired("r1", 1);
    pausedByCommand(2.5, 2.5);
    Revision.Builder second = revision("r2", everyTenSeconds().build(), 1.5);
    audit.add(second.setAcceptedAt(at(4)).build());
    pausedByCommand(2.5, 4);
    assertThat(findings(9)).isEmpty();
  }

  @Test
  void a_pause_holds_no_earlier_occurrence_of_a_definition_accepted_before_it() {
    began("r1", 0);
    fired("r1", 1);
    pausedByCommand(2.5, 2.5);
    assertThat(findings(9)).containsExactly("HOLE r1 2..2 neither fired nor missed");
  }

  @Test
  void only_a_backfill_may_fire_an_occurrence_before_it_was_due() {
    began("r1", 0);
    missed("r1", 1, 2, MissedReason.PAUSED, 2);
    firedBeforeItWasDue(2, Cause.BACKFILL);
    assertThat(findings(2.5)).isEmpty();
    firedBeforeItWasDue(3, Cause.SCHEDULED);
    assertThat(findings(3.5)).singleElement().asString().startsWith("EARLY r1 3..3 ");
  }

  private void firedBeforeItWasDue(double number, Cause cause) {
    audit.add(
        Fire.newBuilder()
            .setFireId("x")
            .setScheduleId("a")
            .setOccurrence(at(number))
            .setDue(at(number + 100))
            .setFiredAt(at(number + 0.3))
            .setCause(cause)
            .setRevision("r1")
            .setSchedule(everyTenSeconds().build())
            .build());
  }

  @Test
  void what_fires_while_the_schedule_is_known_to_be_held_is_a_stray() {
    began("r1", 0);
    fired("r1", 1);
    fired("r1", 2);
    pausedByCommand(1.5, 2.5);
    assertThat(findings(9)).as("2 fired before the scheduler knew").isEmpty();
    fired("r1", 3);
    assertThat(findings(9)).containsExactly("STRAY r1 3..3 fired while held since " + at(2.5));
    assertThat(findings(3)).as("it may have been resumed").isEmpty();
    status(State.ACTIVE, 4.5);
    missed("r1", 3, 4, MissedReason.PAUSED, 2);
    assertThat(findings(4.8)).containsExactly("DOUBLE r1 3..3 missed PAUSED and fired");
  }

  @Test
  void where_jitter_may_still_hold_an_occurrence_back_nothing_is_owed() {
    audit.add(revision("r1", everyTenSeconds().setJitterMs(9_000).build(), 0).build());
    fired("r1", 1);
    fired("r1", 2);
    assertThat(findings(3.8)).isEmpty();
    assertThat(findings(3.9)).containsExactly("HOLE r1 3..3 neither fired nor missed");
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
    audit.add(revision.build());
    audit.add(revision.setEndedAt(at(1)).setEndedBy(RevisionEnd.COMPLETED).build());
    fired("r1", 1);
    assertThat(findings(1.5)).isEmpty();
    fired("r1", 1);
    assertThat(findings(1.5)).containsExactly("DOUBLE r1 1..1 fired and fired");
  }

  @Test
  void what_is_complete_leaves_its_single_instant_to_no_successor_which_would_double_it() {
    Schedule once =
        Schedule.newBuilder().setTrigger(new OnceTrigger(at(1), null)).setTimezone("UTC").build();
    Revision.Builder first = revision("r1", once, 0).setResolvedAt(at(1));
    audit.add(first.build());
    audit.add(first.setEndedAt(at(1)).setEndedBy(RevisionEnd.COMPLETED).build());
    fired("r1", 1);
    audit.add(revision("r2", once, 0.5).setResolvedAt(at(1)).build());
    fired("r2", 1);
    assertThat(findings(3)).containsExactly("DOUBLE r2 1..1 fired, and fired as revision r1");
  }

  @Test
  void nothing_is_proved_of_a_revision_whose_record_is_gone_or_unreadable() {
    fired("r0", 1);
    Schedule odd =
        everyTenSeconds()
            .setTrigger(CronTrigger.newBuilder().setExpression("99 * * * *").build())
            .build();
    audit.add(revision("r1", odd, 1).build());
    assertThat(audit.of("a", new Window(Instant.MIN, at(3))).unproven())
        .extracting(Audit.Unproven::revision)
        .containsExactly("r0", "r1");
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
      AuditTest test = new AuditTest();
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
          test
              .audit
              .of("a", new Window(Instant.MIN, at(end - 1)))
              .accounts()
              .get(0)
              .findings()
              .stream()
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

package io.waterclock.audit;

import static io.waterclock.audit.Books.at;
import static io.waterclock.audit.Books.everyTenSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.OverlappedRun;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Missed ranges whose reason the other records contradict. */
class ReasonsTest {
  private static Books books(Schedule.Builder definition) {
    return new Books().add(Books.revision("r1", definition.build(), 0));
  }

  private static Books overlapping() {
    return books(everyTenSeconds().setOverlap(Overlap.SKIP));
  }

  /** One that begins and ends at these numbers. */
  private static OverlappedRun run(double occurrence, double began, @Nullable Double ended) {
    Instant end = ended == null ? null : at(ended);
    return run(occurrence, occurrence, began, end);
  }

  private static OverlappedRun run(
      double occurrence, double due, double began, @Nullable Instant end) {
    return new OverlappedRun(at(occurrence), at(began), end, at(due));
  }

  private static Missed.Builder overlap(int first, int last, OverlappedRun run) {
    return Books.range("r1", first, last, MissedReason.OVERLAP, last - first + 1).setRun(run);
  }

  @Test
  void what_was_due_during_the_run_that_it_names_is_right() {
    Books books = overlapping().fired("r1", 1).missed(overlap(2, 3, run(1, 1, 3.5)));
    books.fired("r1", 4).missed(overlap(5, 5, run(4, 4, null)));
    assertThat(books.findings(6.9)).containsExactly("HOLE r1 6..6 neither fired nor missed");
  }

  @Test
  void an_overlap_names_a_run() {
    Books books = overlapping().fired("r1", 1).missed("r1", 2, 2, MissedReason.OVERLAP, 1);
    assertThat(books.findings(2.9))
        .containsExactly("REASON r1 2..2 missed OVERLAP, but names no run");
  }

  @ParameterizedTest
  @CsvSource({"1, 1.2", "0.5, 1"})
  void an_overlap_with_a_run_that_no_fire_began_is_found(double occurrence, double began) {
    Books books = overlapping().fired("r1", 1).missed(overlap(2, 2, run(occurrence, began, 2.5)));
    assertThat(books.findings(2.9))
        .singleElement()
        .asString()
        .startsWith("REASON r1 2..2 missed OVERLAP for the run of " + at(occurrence) + ", but no");
  }

  @Test
  void what_was_due_when_the_run_was_over_does_not_overlap_it() {
    Books books = overlapping().fired("r1", 1).missed(overlap(2, 3, run(1, 1, 3.0)));
    assertThat(books.findings(3.9))
        .containsExactly(
            "REASON r1 2..3 missed OVERLAP, but not due during the run of %s from %s, which ended at %s"
                .formatted(at(1), at(1), at(3)));
  }

  @Test
  void what_was_due_before_the_run_began_does_not_overlap_it() {
    Books books = overlapping().firedLate("r1", 1, 4.5).missed(overlap(2, 4, run(1, 4.5, 5.5)));
    assertThat(books.findings(4.9))
        .singleElement()
        .asString()
        .startsWith("REASON r1 2..4 missed OVERLAP, but not due during");
  }

  @Test
  void what_had_been_due_during_the_run_of_a_fire_in_time_overlaps_it() {
    Books books = overlapping().firedLate("r1", 1, 4.5).missed(overlap(2, 4, run(1, 4.5, 8.0)));
    assertThat(books.findings(4.9)).isEmpty();
  }

  @Test
  void what_came_due_during_a_late_run_overlaps_it_unless_it_is_replayed() {
    for (CatchUp catchUp : List.of(CatchUp.SKIP, CatchUp.REPLAY)) {
      Books books = books(everyTenSeconds().setOverlap(Overlap.SKIP).setCatchUp(catchUp));
      books.firedLate("r1", 1, 4.5).missed(overlap(5, 5, run(1, 4.5, 5.2)).setDecidedAt(at(5.2)));
      assertThat(reasons(books.findings(5.9))).hasSize(catchUp == CatchUp.REPLAY ? 1 : 0);
    }
  }

  @Test
  void a_run_that_waited_for_another_was_due_at_its_end() {
    Books books =
        books(everyTenSeconds().setOverlap(Overlap.BUFFER_ONE).setCatchUp(CatchUp.REPLAY));
    books.firedLate("r1", 1, 4.5).missed(overlap(5, 5, run(1, 3.5, 4.5, at(6.2))));
    assertThat(reasons(books.findings(6.9))).isEmpty();
    books.missed(overlap(6, 6, run(1, 4.6, 4.5, at(6.2))));
    assertThat(reasons(books.findings(6.9))).hasSize(1);
  }

  @Test
  void jitter_may_have_made_an_occurrence_due_after_the_begin_of_a_run() {
    Books books = books(everyTenSeconds().setOverlap(Overlap.SKIP).setJitterMs(9_000));
    books.firedLate("r1", 1, 2.5).missed(overlap(2, 2, run(1, 2.5, 3.2)).setDecidedAt(at(3.3)));
    assertThat(books.findings(3.9)).noneMatch(finding -> finding.startsWith("REASON"));
  }

  @Test
  void a_fire_that_retention_may_have_removed_is_no_finding() {
    Books books = overlapping().missed(overlap(3, 3, run(1, 1, 3.5)));
    assertThat(books.findings(at(2), 3.9)).isEmpty();
  }

  @Test
  void a_pause_is_named_and_was_in_force() {
    Books books = new Books().began("r1", 0).status(State.ACTIVE, 0).fired("r1", 1, 4);
    books.pausedByCommand(2.2, 2.3).status(State.ACTIVE, 3.5);
    books.missed(Books.range("r1", 5, 5, MissedReason.PAUSED, 1).setPausedSince(at(2.2)));
    assertThat(reasons(books.findings(5.9))).isEmpty();
    books.missed(Books.range("r1", 6, 6, MissedReason.PAUSED, 1).setPausedSince(at(4.2)));
    books.missed(Books.range("r1", 7, 7, MissedReason.PAUSED, 1).setPausedSince(null));
    books.missed(Books.range("r1", 8, 8, MissedReason.PAUSED, 1).setPausedSince(at(9)));
    assertThat(reasons(books.findings(9.9)))
        .containsExactly(
            "REASON r1 6..6 missed PAUSED, but nothing paused it since " + at(4.2),
            "REASON r1 7..7 missed PAUSED, but names no pause",
            "REASON r1 8..8 missed PAUSED at %s, but paused only since %s"
                .formatted(at(8).plusMillis(1), at(9)));
  }

  @Test
  void a_definition_pauses_from_when_it_took_effect() {
    Books books = new Books().status(State.ACTIVE, -1).beganDisabled("r1", 0);
    books.missed("r1", 1, 3, MissedReason.PAUSED, 3);
    assertThat(reasons(books.findings(3.9))).isEmpty();
  }

  @Test
  void grace_is_that_of_the_definition_and_was_over() {
    Books books = books(everyTenSeconds().setGraceMs(20_000));
    books.missed(grace(1, 4.1).setGraceMs(20_000L));
    assertThat(books.findings(1.9)).isEmpty();
    books.missed(grace(2, 3.9)).missed(grace(3, 6).setGraceMs(10_000L));
    assertThat(reasons(books.findings(6.9)))
        .containsExactly(
            "REASON r1 2..2 missed GRACE at %s, within its grace of 20000 ms".formatted(at(3.9)),
            "REASON r1 3..3 missed GRACE of 10000 ms, but its definition says 20000 ms");
  }

  private static Missed.Builder grace(int number, double decided) {
    return Books.range("r1", number, number, MissedReason.GRACE, 1).setDecidedAt(at(decided));
  }

  @Test
  void only_a_definition_that_skips_misses_for_grace() {
    Books books = books(everyTenSeconds().setCatchUp(CatchUp.REPLAY));
    books.missed("r1", 1, 1, MissedReason.GRACE, 1);
    assertThat(books.findings(1.9))
        .containsExactly("REASON r1 1..1 missed GRACE, but its definition says REPLAY");
  }

  @Test
  void a_collapsed_range_names_a_fire_of_the_same_decision() {
    Books books = books(everyTenSeconds().setCatchUp(CatchUp.COLLAPSE)).firedLate("r1", 2, 5);
    books.missed(collapsed(1, 5)).missed(collapsed(3, 6));
    books.missed("r1", 4, 4, MissedReason.COLLAPSED_INTO, 1);
    assertThat(reasons(books.findings(6.9)))
        .containsExactly(
            "REASON r1 3..3 missed COLLAPSED_INTO %s, but no fire of it came at %s"
                .formatted(at(2), at(6)),
            "REASON r1 4..4 missed COLLAPSED_INTO, but names no fire");
  }

  @Test
  void a_range_may_name_a_fire_that_has_waited_for_a_limit_and_was_withdrawn() {
    assertThat(reasons(withdrawn(everyTenSeconds().setLimit("etl"), 7))).isEmpty();
    assertThat(reasons(withdrawn(everyTenSeconds().setLimit("etl"), 5.9))).hasSize(1);
    assertThat(reasons(withdrawn(everyTenSeconds(), 7))).hasSize(1);
  }

  private static List<String> withdrawn(Schedule.Builder schedule, double decided) {
    Books books = books(schedule.setCatchUp(CatchUp.COLLAPSE));
    books.missed(collapsed(1, 6));
    books.missed(Books.range("r1", 2, 2, MissedReason.EXPIRED, 1).setDecidedAt(at(decided)));
    return books.findings(7.9);
  }

  private static Missed.Builder collapsed(int number, double decided) {
    return Books.range("r1", number, number, MissedReason.COLLAPSED_INTO, 1)
        .setCollapsedInto(at(2))
        .setDecidedAt(at(decided));
  }

  private static List<String> reasons(List<String> findings) {
    return findings.stream().filter(finding -> finding.startsWith("REASON")).toList();
  }
}

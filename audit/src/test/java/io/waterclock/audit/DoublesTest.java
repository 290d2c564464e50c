package io.waterclock.audit;

import static io.waterclock.audit.Books.START;
import static io.waterclock.audit.Books.at;
import static io.waterclock.audit.Books.revision;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An occurrence that two lives of an id decide. */
class DoublesTest {
  private final Books books = new Books();

  private void firstLife(int missedFrom, int missedThrough) {
    books.ended("r1", 0, 20, RevisionEnd.DELETED);
    missed("r1", missedFrom, missedThrough);
  }

  private void missed(String revision, int first, int last) {
    books.missed(revision, first, last, MissedReason.GRACE, last - first + 1);
  }

  private List<String> doubles() {
    return books.findings(20).stream().filter(found -> found.startsWith("DOUBLE")).toList();
  }

  @Test
  void the_later_life_is_told_what_both_decided_whatever_the_names_say() {
    books.ended("r2", 0, 20, RevisionEnd.DELETED).fired("r2", 3);
    books.began("r1", 0).fired("r1", 3);
    assertThat(doubles()).containsExactly("DOUBLE r1 3..3 fired, and fired as revision r2");
  }

  @Test
  void two_ranges_double_what_they_have_in_common() {
    firstLife(1, 5);
    books.began("r2", 2);
    missed("r2", 3, 8);
    assertThat(doubles())
        .containsExactly("DOUBLE r2 3..5 missed GRACE, and missed GRACE as revision r1");
  }

  @Test
  void a_range_within_a_longer_one_is_doubled_as_a_whole() {
    firstLife(1, 8);
    books.began("r2", 2);
    missed("r2", 3, 5);
    assertThat(doubles())
        .containsExactly("DOUBLE r2 3..5 missed GRACE, and missed GRACE as revision r1");
  }

  @Test
  void ranges_that_follow_each_other_double_nothing() {
    firstLife(1, 5);
    books.began("r2", 5);
    missed("r2", 6, 8);
    assertThat(doubles()).isEmpty();
  }

  @Test
  void different_grids_double_from_where_they_meet() {
    firstLife(1, 5);
    books.add(revision("r2", every(15, 0), 0));
    books.missed(
        Books.range("r2", 0, 0, MissedReason.GRACE, 2)
            .setFirst(at(1.5))
            .setLast(at(4.5))
            .setDecidedAt(at(4.5).plusMillis(1)));
    assertThat(doubles())
        .containsExactly("DOUBLE r2 3..4.5 missed GRACE, and missed GRACE as revision r1");
  }

  @Test
  void grids_that_meet_only_after_a_range_ends_double_nothing_in_it() {
    firstLife(1, 2);
    books.add(revision("r2", every(15, 0), 0));
    books.missed(
        Books.range("r2", 0, 0, MissedReason.GRACE, 2)
            .setFirst(at(1.5))
            .setLast(at(4.5))
            .setDecidedAt(at(4.5).plusMillis(1)));
    assertThat(doubles()).isEmpty();
  }

  @Test
  void grids_that_never_meet_double_nothing() {
    firstLife(1, 9);
    books.add(revision("r2", every(10, 5), 0));
    books.missed(
        Books.range("r2", 0, 0, MissedReason.GRACE, 4)
            .setFirst(at(1.5))
            .setLast(at(4.5))
            .setDecidedAt(at(4.5).plusMillis(1)));
    assertThat(doubles()).isEmpty();
  }

  private static Schedule every(int seconds, int offset) {
    EveryTrigger trigger =
        EveryTrigger.newBuilder()
            .setN(seconds)
            .setUnit(Unit.SECOND)
            .setAnchor(START.plusSeconds(offset))
            .build();
    return Schedule.newBuilder().setTrigger(trigger).setTimezone("UTC").build();
  }
}

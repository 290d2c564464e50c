package io.waterclock.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.audit.Account;
import io.waterclock.judge.Verdict.Decided;
import io.waterclock.occurrences.core.Count;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AuditComparisonTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final List<Decided> ALL = List.of(fired(10), fired(20), missed(30), fired(40));

  private static Instant at(int second) {
    return NOON.plusSeconds(second);
  }

  private static Decided fired(int second) {
    return new Decided("a", at(second).toEpochMilli(), at(second + 1).toEpochMilli(), true);
  }

  private static Decided missed(int second) {
    return new Decided("a", at(second).toEpochMilli(), at(second + 1).toEpochMilli(), false);
  }

  /** Of one revision from 5 s on. */
  private static Account proof(int through, int fired, int missed) {
    return new Account(
        "a",
        "s-0@0",
        at(5),
        at(through),
        Count.exactly(fired + missed),
        fired,
        0,
        Count.exactly(missed),
        List.of());
  }

  private static AuditResult audit(int through, Account... proofs) {
    return held(through, Map.of(), proofs);
  }

  private static AuditResult held(int through, Map<String, Instant> since, Account... proofs) {
    return new AuditResult(List.of(proofs), Map.of("a", at(through)), since, 0, 0, 0, 0, List.of());
  }

  private static List<String> differences(List<Decided> decided, AuditResult audit) {
    return AuditComparison.of(decided, audit, id -> false, at(45)).differences();
  }

  @Test
  void equal_numbers_agree() {
    assertThat(differences(ALL, audit(50, proof(50, 3, 1)))).isEmpty();
  }

  @Test
  void what_is_due_after_the_last_watermark_is_not_compared() {
    List<Decided> more = new ArrayList<>(ALL);
    more.add(fired(50)); // with jitter due at 51 s
    AuditComparison comparison =
        AuditComparison.of(more, audit(50, proof(49, 3, 1)), id -> false, at(45));
    assertThat(comparison.differences()).isEmpty();
    assertThat(comparison.later()).isEqualTo(1);
  }

  @Test
  void what_a_hold_left_undecided_at_the_last_watermark_is_not_compared() {
    AuditResult audit = held(50, Map.of("a", at(25)), proof(25, 2, 0));
    AuditComparison comparison = AuditComparison.of(ALL, audit, id -> false, at(45));
    assertThat(comparison.differences()).isEmpty();
    assertThat(comparison.later()).isEqualTo(2);
    assertThat(differences(ALL, held(50, Map.of("a", at(35)), proof(25, 2, 0))))
        .containsExactly("a: the audit leaves out 1 occurrences, the first " + at(30));
  }

  @Test
  void any_other_number_is_a_difference() {
    AuditResult audit = audit(50, proof(50, 3, 1));
    assertThat(differences(ALL.subList(1, 4), audit))
        .containsExactly(
            "a: the account has 3 occurrences, 2 fired, 1 missed;"
                + " the audit has 4 occurrences, 3 fired, 1 missed");
    List<Decided> doubled = new ArrayList<>(ALL);
    doubled.add(fired(40));
    assertThat(differences(doubled, audit)).hasSize(1);
    List<Decided> both = new ArrayList<>(ALL);
    both.add(missed(40));
    assertThat(differences(both, audit)).hasSize(1);
    assertThat(differences(ALL, audit(50, proof(50, 2, 2)))).hasSize(1);
    assertThat(differences(List.of(), audit)).hasSize(1);
  }

  @Test
  void the_audit_must_reach_as_far_as_the_account_and_leave_nothing_out() {
    assertThat(differences(ALL, audit(44, proof(44, 3, 1))))
        .containsExactly("a: the audit ends at " + at(44) + ", the account at " + at(45));
    assertThat(differences(ALL, audit(50, proof(35, 2, 1))))
        .containsExactly("a: the audit leaves out 1 occurrences, the first " + at(40));
    assertThat(differences(ALL, audit(50)))
        .containsExactly("a: the audit leaves out 4 occurrences, the first " + at(10));
  }

  @Test
  void what_the_audit_could_not_check_is_no_agreement() {
    assertThat(audit(50).agrees()).isTrue();
    assertThat(new AuditResult(List.of(), Map.of(), Map.of(), 1, 0, 0, 0, List.of()).agrees())
        .isFalse();
    assertThat(new AuditResult(List.of(), Map.of(), Map.of(), 0, 1, 0, 0, List.of()).agrees())
        .isTrue();
    assertThat(new AuditResult(List.of(), Map.of(), Map.of(), 0, 0, 1, 0, List.of()).agrees())
        .isFalse();
    assertThat(new AuditResult(List.of(), Map.of(), Map.of(), 0, 0, 0, 1, List.of()).agrees())
        .isFalse();
  }
}

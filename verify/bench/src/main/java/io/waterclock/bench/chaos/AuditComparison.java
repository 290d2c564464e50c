package io.waterclock.bench.chaos;

import io.waterclock.audit.Account;
import io.waterclock.judge.Verdict.Decided;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The numbers of the account beside those of the audit, schedule by schedule. The audit says up to
 * when it counts each revision, and both count the occurrences up to then. What it leaves out must
 * be later than the last watermark of the partition, and that later than the end of the account, or
 * later than the beginning of a hold that lasted at that watermark.
 *
 * @param counted by both
 * @param later occurrences that the scheduler decided after its last watermark: the audit does not
 *     say anything of them yet
 * @param differences for people
 */
record AuditComparison(Tally counted, long later, List<String> differences) {
  /** How many occurrences there are, and what became of them. */
  record Tally(long occurrences, long fired, long missed) {
    private static final Tally NONE = new Tally(0, 0, 0);

    private static Tally of(Account proof) {
      return new Tally(
          proof.occurrences().value(), proof.fired() + proof.waiting(), proof.missed().value());
    }

    private static Tally of(List<Decided> decided) {
      long fired = decided.stream().filter(Decided::hasFired).count();
      long occurrences = decided.stream().map(Decided::occurrenceMs).distinct().count();
      return new Tally(occurrences, fired, decided.size() - fired);
    }

    private Tally plus(Tally other) {
      return new Tally(occurrences + other.occurrences, fired + other.fired, missed + other.missed);
    }

    @Override
    public String toString() {
      return "%d occurrences, %d fired, %d missed".formatted(occurrences, fired, missed);
    }
  }

  /**
   * @param ignored the schedules that no account counts
   * @param until the end of the account
   */
  static AuditComparison of(
      List<Decided> decided, AuditResult audit, Predicate<String> ignored, Instant until) {
    Map<String, List<Decided>> account =
        decided.stream().collect(Collectors.groupingBy(Decided::scheduleId));
    Map<String, List<Account>> proofs =
        audit.proofs().stream()
            .filter(proof -> !ignored.test(proof.scheduleId()))
            .collect(Collectors.groupingBy(Account::scheduleId));
    Set<String> ids = new TreeSet<>(account.keySet());
    ids.addAll(proofs.keySet());
    Tally counted = Tally.NONE;
    long later = 0;
    List<String> differences = new ArrayList<>();
    for (String id : ids) {
      Instant through = audit.through().getOrDefault(id, Instant.MIN);
      if (through.isBefore(until)) {
        differences.add(id + ": the audit ends at " + through + ", the account at " + until);
      }
      List<Account> its = proofs.getOrDefault(id, List.of());
      Map<Boolean, List<Decided>> byCover =
          account.getOrDefault(id, List.of()).stream()
              .collect(Collectors.partitioningBy(one -> isCovered(one, its)));
      List<Decided> left = byCover.getOrDefault(false, List.of());
      long held = audit.heldSince().getOrDefault(id, through).toEpochMilli();
      List<Decided> leftOut =
          left.stream()
              .filter(one -> one.dueByMs() <= through.toEpochMilli() && one.occurrenceMs() <= held)
              .toList();
      if (!leftOut.isEmpty()) {
        String first = Instant.ofEpochMilli(leftOut.get(0).occurrenceMs()).toString();
        differences.add(
            id + ": the audit leaves out " + leftOut.size() + " occurrences, the first " + first);
      }
      later += left.size() - leftOut.size();
      Tally ours = Tally.of(byCover.getOrDefault(true, List.of()));
      Tally theirs = its.stream().map(Tally::of).reduce(Tally.NONE, Tally::plus);
      if (!ours.equals(theirs)) {
        differences.add(id + ": the account has " + ours + "; the audit has " + theirs);
      }
      counted = counted.plus(theirs);
    }
    return new AuditComparison(counted, later, List.copyOf(differences));
  }

  private static boolean isCovered(Decided one, List<Account> proofs) {
    Instant at = Instant.ofEpochMilli(one.occurrenceMs());
    return proofs.stream()
        .anyMatch(proof -> at.isAfter(proof.after()) && !at.isAfter(proof.through()));
  }

  @Override
  public String toString() {
    return "both count %s; %d are later than the last watermark; %d schedules differ"
        .formatted(counted, later, differences.size());
  }
}

package io.waterclock.bench.chaos;

import io.waterclock.bench.chaos.plan.FaultKind;
import io.waterclock.judge.Finding;
import io.waterclock.judge.Verdict;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The end of a run, for people.
 *
 * @param alerts how many there were, by what they say
 */
record ChaosReport(
    ChaosRequest request,
    List<FaultRunner.Made> made,
    Map<FaultKind, Histogram> comebacks,
    Verdict verdict,
    Map<String, Long> alerts,
    LimitResult limits,
    LaterResult later,
    AuditResult audit,
    AuditComparison comparison,
    int gaveUp,
    Duration took) {
  private static final int SHOWN = 20;
  private static final Duration NEAR = Duration.ofSeconds(30);

  /**
   * What became of fires that waited for limits: how many records there were, and what is wrong.
   */
  record LimitResult(int limits, int waiting, int started, List<Finding> findings) {
    @Override
    public String toString() {
      return "limits: %d records of limits, %d of what waits, %d started; %d findings"
          .formatted(limits, waiting, started, findings.size());
    }
  }

  /** What became of records that were to be delivered later. */
  record LaterResult(int sent, long stopped, int moved, int arrived, List<String> findings) {
    @Override
    public String toString() {
      return ("later: %d records sent, %d of them under names that waited; %d cancelled or moved in"
              + " time; %d arrived; %d findings")
          .formatted(sent, moved, stopped, arrived, findings.size());
    }
  }

  boolean isGood() {
    return verdict.findings().isEmpty()
        && limits.findings().isEmpty()
        && later.findings().isEmpty()
        && audit.agrees()
        && comparison.differences().isEmpty();
  }

  void print(PrintStream out) {
    out.println();
    out.printf(
        Locale.ROOT,
        "%d faults on %d broker(s), seed %d, in %d s; %d times a scheduler gave up and was started"
            + " again%n",
        made.size(),
        request.brokers(),
        request.seed(),
        took.toSeconds(),
        gaveUp);
    printKinds(out);
    out.printf(
        Locale.ROOT,
        "%d schedules with %d revisions: %d occurrences, %d fired, %d missed%n",
        verdict.schedules(),
        verdict.revisions(),
        verdict.decided().size(),
        verdict.fired(),
        verdict.missed());
    out.println("alerts: " + alerts);
    out.println("account: " + verdict.counts());
    out.println(limits);
    out.println(later);
    later.findings().stream().limit(SHOWN).forEach(line -> out.println("  " + line));
    out.println(audit);
    audit.notes().stream().limit(SHOWN).forEach(line -> out.println("  " + line));
    out.println(comparison);
    comparison.differences().stream().limit(SHOWN).forEach(line -> out.println("  " + line));
    Stream.of(verdict.findings(), limits.findings())
        .flatMap(findings -> findings.stream().limit(SHOWN))
        .forEach(finding -> print(finding, out));
    out.println(isGood() ? "nothing is wrong" : "SOMETHING IS WRONG");
  }

  private void printKinds(PrintStream out) {
    out.printf("%-20s %6s %9s %9s %9s%n", "kind", "faults", "silenced", "p50 ms", "p99 ms");
    Map<FaultKind, Long> counts =
        made.stream()
            .collect(
                Collectors.groupingBy(
                    one -> one.fault().kind(),
                    () -> new EnumMap<>(FaultKind.class),
                    Collectors.counting()));
    Histogram all = new Histogram(3);
    counts.forEach(
        (kind, count) -> {
          Histogram times = comebacks.getOrDefault(kind, new Histogram(3));
          all.add(times);
          printRow(kind.toString(), count, times, out);
        });
    printRow("all", made.size(), all, out);
    printHits(out);
    made.stream()
        .filter(one -> !one.note().isEmpty() && one.hits().isEmpty())
        .collect(
            Collectors.groupingBy(
                one -> one.fault().kind() + ": " + one.note(), Collectors.counting()))
        .entrySet()
        .stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(one -> out.println("  " + one.getKey() + " (" + one.getValue() + ")"));
  }

  /** How many requests the faults of each kind hit; a fault that hit none is named. */
  private void printHits(PrintStream out) {
    Map<String, List<FaultRunner.Made>> byRequest =
        made.stream()
            .filter(one -> one.hits().isPresent())
            .collect(
                Collectors.groupingBy(
                    one -> (one.fault().kind() + " " + one.note()).strip(),
                    TreeMap::new,
                    Collectors.toList()));
    byRequest.forEach(
        (what, faults) -> {
          int hits = faults.stream().mapToInt(one -> one.hits().orElseThrow()).sum();
          out.println("  " + what + ": " + faults.size() + " faults, " + hits + " requests hit");
          faults.stream()
              .filter(one -> one.hits().orElseThrow() == 0)
              .forEach(one -> out.println("    hit nothing: " + one.fault()));
        });
  }

  /** A heal silences no partition if none was silent for 1.5 s before it. */
  private static void printRow(String name, long count, Histogram times, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%-20s %6d %9d %9s %9s%n",
        name,
        count,
        times.getTotalCount(),
        times.getTotalCount() == 0 ? "-" : Long.toString(times.getValueAtPercentile(50)),
        times.getTotalCount() == 0 ? "-" : Long.toString(times.getValueAtPercentile(99)));
  }

  private void print(Finding finding, PrintStream out) {
    out.println(finding);
    Instant at = Instant.ofEpochMilli(finding.atMs());
    made.stream()
        .filter(one -> one.at().minus(NEAR).isBefore(at) && one.healedAt().plus(NEAR).isAfter(at))
        .sorted(Comparator.comparing(FaultRunner.Made::at))
        .forEach(
            one ->
                out.println(
                    "    near: "
                        + one.at()
                        + " to "
                        + one.healedAt()
                        + " "
                        + one.fault()
                        + " "
                        + one.note()));
  }
}

package io.waterclock.judge;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of an account.
 *
 * @param findings by time
 * @param decided every outcome of the triggers that the schedulers wrote, also of an occurrence
 *     that has two
 * @param ownedMs the sum of the times in which revisions were in force
 */
public record Verdict(
    List<Finding> findings, int schedules, int revisions, List<Decided> decided, long ownedMs) {
  /**
   * An occurrence that fired in its turn, or was missed.
   *
   * @param dueByMs when it was due at the latest
   */
  public record Decided(String scheduleId, long occurrenceMs, long dueByMs, boolean hasFired) {}

  public Verdict {
    findings = findings.stream().sorted(Comparator.comparingLong(Finding::atMs)).toList();
  }

  public long fired() {
    return decided.stream().filter(Decided::hasFired).count();
  }

  public long missed() {
    return decided.size() - fired();
  }

  /** Whether a finding is of one of these kinds. */
  public boolean hasAny(Set<Finding.Kind> kinds) {
    return findings.stream().anyMatch(finding -> kinds.contains(finding.kind()));
  }

  /** How many findings there are of each kind. */
  public String counts() {
    return Stream.of(Finding.Kind.values())
        .map(
            kind ->
                findings.stream().filter(finding -> finding.kind() == kind).count()
                    + " "
                    + kind.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}

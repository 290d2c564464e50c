package io.waterclock.bench.chaos.account;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The result of an account.
 *
 * @param findings by time
 * @param decided of all schedules
 */
public record Verdict(List<Finding> findings, int schedules, int revisions, List<Decided> decided) {
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
    return Arrays.stream(Finding.Kind.values())
        .map(
            kind ->
                findings.stream().filter(finding -> finding.kind() == kind).count()
                    + " "
                    + kind.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}

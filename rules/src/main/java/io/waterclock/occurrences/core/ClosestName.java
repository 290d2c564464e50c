package io.waterclock.occurrences.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The name that a misspelt one most likely means. */
public final class ClosestName {

  private static final int LONGEST_NAME = 64;

  private ClosestName() {}

  /**
   * The candidate with the fewest insertions, deletions and replacements, then the first in the
   * alphabet. Empty if the name is blank or too long to be a slip.
   */
  public static Optional<String> to(String name, Collection<String> candidates) {
    if (name.isBlank() || name.length() > LONGEST_NAME) {
      return Optional.empty();
    }
    String wanted = name.trim().toLowerCase(Locale.ROOT).replace(' ', '_');
    return candidates.stream()
        .min(
            Comparator.comparingInt(
                    (String candidate) -> distance(wanted, candidate.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Levenshtein's distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}

package io.waterclock.schemas;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** The candidate that a misspelt name most likely means. */
public final class Nearest {
  private static final int COMPARED = 64;

  private Nearest() {}

  /**
   * By edit distance, then by order of the alphabet. There must be a candidate. Costs a product of
   * the lengths each.
   */
  public static String to(String name, Collection<String> candidates) {
    String wanted = cut(name);
    return candidates.stream()
        .min(
            Comparator.<String>comparingInt(c -> distance(wanted, cut(c)))
                .thenComparing(Comparator.naturalOrder()))
        .orElseThrow();
  }

  /**
   * Optimal string alignment: inserted, deleted, replaced and swapped neighbouring characters cost
   * 1 each.
   */
  static int distance(String a, String b) {
    int[] beforeLast = new int[b.length() + 1];
    int[] last = new int[b.length() + 1];
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(last[j], row[j - 1]) + 1);
        if (swapped(a, i, b, j)) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
      }
      int[] free = beforeLast;
      beforeLast = last;
      last = row;
      row = free;
    }
    return last[b.length()];
  }

  private static boolean swapped(String a, int i, String b, int j) {
    return i > 1
        && j > 1
        && a.charAt(i - 1) == b.charAt(j - 2)
        && a.charAt(i - 2) == b.charAt(j - 1);
  }

  private static String cut(String name) {
    return name.substring(0, Math.min(COMPARED, name.length())).toLowerCase(Locale.ROOT);
  }
}

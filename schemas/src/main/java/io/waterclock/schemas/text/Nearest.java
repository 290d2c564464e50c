package io.waterclock.schemas.text;

import java.util.Collection;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Optional;

/** The candidate that a misspelt name most likely means. */
public final class Nearest {
  private static final int COMPARED = 64;
  private static final int MIN_PART = 3;

  /** A slip changes at most one of so many characters. */
  private static final int CHARACTERS_OF_AN_EDIT = 3;

  private Nearest() {}

  /**
   * The {@linkplain #to nearest} candidate, if the name may be a slip of it: at least one edit, and
   * one for each three characters, may lie between them. {@code Foo} means none of the time zones.
   */
  public static Optional<String> slipOf(String name, Collection<String> candidates) {
    int most = Math.max(1, cut(name).length() / CHARACTERS_OF_AN_EDIT);
    return Optional.of(candidates)
        .filter(some -> !some.isEmpty())
        .map(some -> to(name, some))
        .filter(
            nearest ->
                isPart(cut(name), cut(nearest)) || distance(cut(name), cut(nearest), most) <= most);
  }

  private static boolean isPart(String wanted, String other) {
    return wanted.length() >= MIN_PART
        && other.length() > wanted.length()
        && other.contains(wanted);
  }

  /**
   * By edit distance, then by order of the alphabet. A candidate that contains the name, of three
   * characters or more, counts as one edit away, and a shorter one of these comes first: {@code
   * zone} means {@code timezone}. A candidate nearer than all before it costs the product of the
   * lengths; a farther one costs less. The cost matters because a client may misspell a time zone
   * in a million records, and there are six hundred zones.
   *
   * @throws NoSuchElementException if there is no candidate
   */
  public static String to(String name, Collection<String> candidates) {
    String wanted = cut(name);
    Optional<String> nearest = Optional.empty();
    int fewest = COMPARED;
    int fewestAdded = COMPARED;
    for (String candidate : candidates) {
      String other = cut(candidate);
      boolean isPart = isPart(wanted, other);
      int edits = isPart ? 1 : distance(wanted, other, fewest);
      int added = isPart ? other.length() - wanted.length() : edits;
      if (edits < fewest
          || (edits == fewest && added < fewestAdded)
          || (edits == fewest
              && added == fewestAdded
              && nearest.filter(n -> n.compareTo(candidate) < 0).isEmpty())) {
        nearest = Optional.of(candidate);
        fewest = edits;
        fewestAdded = added;
      }
    }
    return nearest.orElseThrow();
  }

  /**
   * Optimal string alignment: inserted, deleted, replaced and swapped neighbouring characters cost
   * 1 each.
   *
   * @param limit inclusive; for a greater distance the result is any number above it
   */
  static int distance(String a, String b, int limit) {
    if (Math.abs(a.length() - b.length()) > limit) {
      return limit + 1;
    }
    int[] beforeLast = new int[b.length() + 1];
    int[] last = new int[b.length() + 1];
    int[] row = new int[b.length() + 1];
    int fewestBefore = 0;
    for (int j = 0; j <= b.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      row[0] = i;
      int fewest = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(last[j], row[j - 1]) + 1);
        if (swapped(a, i, b, j)) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
        fewest = Math.min(fewest, row[j]);
      }
      // a row depends on the two before it
      if (Math.min(fewest, fewestBefore) > limit) {
        return limit + 1;
      }
      fewestBefore = fewest;
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

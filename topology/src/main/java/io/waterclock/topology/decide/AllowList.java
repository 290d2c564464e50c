package io.waterclock.topology.decide;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names of topics, as an operator lists them: each entry is a name in which {@code *} stands for
 * any run of characters, also an empty one. Immutable.
 *
 * @param entries as they were written; none of them allows nothing
 */
public record AllowList(List<String> entries) {
  private static final Pattern ENTRY = Pattern.compile("[A-Za-z0-9._*-]{1,249}");

  public AllowList {
    entries = List.copyOf(entries);
  }

  /** Allows nothing. */
  public static AllowList none() {
    return new AllowList(List.of());
  }

  /**
   * Reads entries with commas between them: {@code orders.*, mail}.
   *
   * @param problems is given a sentence for each entry that can be no name of a topic
   */
  public static AllowList parse(String text, List<String> problems) {
    List<String> entries = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String entry = part.strip();
      if (entry.isEmpty()) {
        continue;
      }
      if (ENTRY.matcher(entry).matches()) {
        entries.add(entry);
      } else {
        problems.add(
            "\""
                + entry
                + "\" can be no name of a topic: letters, digits, . _ - and * for any of them, with"
                + " commas between the names, for example orders.*, mail");
      }
    }
    return new AllowList(entries);
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Costs a comparison with each entry. */
  public boolean allows(String topic) {
    for (String entry : entries) {
      if (matches(entry, topic)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Walks along both, and remembers the last {@code *}: where the rest does not match, that one
   * takes one character more. Never worse than the product of the lengths.
   */
  private static boolean matches(String entry, String topic) {
    int e = 0;
    int t = 0;
    int star = -1;
    int taken = 0;
    while (t < topic.length()) {
      if (e < entry.length() && entry.charAt(e) == '*') {
        star = e++;
        taken = t;
      } else if (e < entry.length() && entry.charAt(e) == topic.charAt(t)) {
        e++;
        t++;
      } else if (star >= 0) {
        e = star + 1;
        t = ++taken;
      } else {
        return false;
      }
    }
    while (e < entry.length() && entry.charAt(e) == '*') {
      e++;
    }
    return e == entry.length();
  }

  @Override
  public String toString() {
    return entries.stream().collect(Collectors.joining(", "));
  }
}

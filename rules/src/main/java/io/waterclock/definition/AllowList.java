package io.waterclock.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names of topics or ids of schedules, from the configuration. In each entry {@code *} matches any
 * run of characters, also an empty one. Immutable.
 *
 * @param entries as configured; an empty list allows nothing
 */
public record AllowList(List<String> entries) {
  private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._*-]{1,249}");
  private static final Pattern ALL = Pattern.compile("\\*+");
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._~:/@*-]{1,255}");

  public AllowList {
    entries = List.copyOf(entries);
  }

  /** Allows nothing. */
  public static AllowList none() {
    return new AllowList(List.of());
  }

  /**
   * Reads names of topics with commas between them: {@code orders.*, mail}.
   *
   * @param problems receives a sentence for each entry that cannot be a topic name, or matches all
   *     topics
   */
  public static AllowList topics(String text, List<String> problems) {
    List<String> entries = new ArrayList<>();
    for (String entry : split(text)) {
      if (ALL.matcher(entry).matches()) {
        problems.add(
            "\""
                + entry
                + "\" would let schedules write to every topic of the cluster: name those that are"
                + " meant, for example orders.*, mail");
      } else if (TOPIC.matcher(entry).matches()) {
        entries.add(entry);
      } else {
        problems.add(
            "\""
                + entry
                + "\" cannot be a topic name: letters, digits, . _ - and * for any of them, with"
                + " commas between the names, for example orders.*, mail");
      }
    }
    return new AllowList(entries);
  }

  /**
   * Reads ids of schedules with commas between them: {@code acme/*, reports/daily}.
   *
   * @param problems receives a sentence for each entry that cannot be an id
   */
  public static AllowList ids(String text, List<String> problems) {
    List<String> entries = new ArrayList<>();
    for (String entry : split(text)) {
      if (ID.matcher(entry).matches()) {
        entries.add(entry);
      } else {
        problems.add(
            "\""
                + entry
                + "\" cannot be a schedule id: letters, digits, . _ ~ : / @ - and * for any of"
                + " them, with commas between the ids, for example acme/*, or * for all");
      }
    }
    return new AllowList(entries);
  }

  private static List<String> split(String text) {
    return Stream.of(text.split(",", -1))
        .map(String::strip)
        .filter(entry -> !entry.isEmpty())
        .toList();
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Costs a comparison with each entry. */
  public boolean allows(String name) {
    for (String entry : entries) {
      if (matches(entry, name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Steps through both and remembers the last {@code *}: if the rest does not match, that star
   * takes one more character. Costs at most the product of the lengths.
   */
  private static boolean matches(String entry, String name) {
    int e = 0;
    int t = 0;
    int star = -1;
    int taken = 0;
    while (t < name.length()) {
      if (e < entry.length() && entry.charAt(e) == '*') {
        star = e++;
        taken = t;
      } else if (e < entry.length() && entry.charAt(e) == name.charAt(t)) {
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

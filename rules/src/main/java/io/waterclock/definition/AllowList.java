package io.waterclock.definition;

import io.waterclock.schemas.text.StarPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
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
  private static final Pattern TOPIC = Pattern.compile("(?!\\*+$)[A-Za-z0-9._*-]{1,249}");
  private static final Pattern ALL = Pattern.compile("\\*+");
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._~:/@*-]{1,255}");

  public AllowList {
    entries = List.copyOf(entries);
  }

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
    return read(
        text,
        TOPIC,
        problems,
        entry ->
            ALL.matcher(entry).matches()
                ? " would let schedules write to every topic of the cluster: name those that are"
                    + " meant, for example orders.*, mail"
                : " cannot be a topic name: letters, digits, . _ - and * for any of them, with"
                    + " commas between the names, for example orders.*, mail");
  }

  /**
   * Reads ids of schedules with commas between them: {@code acme/*, reports/daily}.
   *
   * @param problems receives a sentence for each entry that cannot be an id
   */
  public static AllowList ids(String text, List<String> problems) {
    return read(
        text,
        ID,
        problems,
        entry ->
            " cannot be a schedule id: letters, digits, . _ ~ : / @ - and * for any of them, with"
                + " commas between the ids, for example acme/*, or * for all");
  }

  private static AllowList read(
      String text, Pattern rule, List<String> problems, UnaryOperator<String> problem) {
    List<String> entries = new ArrayList<>();
    for (String entry : split(text)) {
      if (rule.matcher(entry).matches()) {
        entries.add(entry);
      } else {
        problems.add('"' + entry + '"' + problem.apply(entry));
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

  /** Costs the lengths of the name and of the entries. */
  public boolean allows(String name) {
    for (String entry : entries) {
      if (entry.equals(name) || StarPattern.of(entry).matches(name)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    return entries.stream().collect(Collectors.joining(", "));
  }
}

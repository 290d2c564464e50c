package io.waterclock.occurrences;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A recurrence rule as its parts: the model that {@link RRuleReference} expands.
 *
 * @param numbers lists of numbers by the name of their part, those given only
 * @param weekdays as written in BYDAY, such as MO or -1FR; empty if it is not given
 * @param weekStart such as MO
 */
record RRuleSpec(
    String frequency,
    int interval,
    Map<String, List<Integer>> numbers,
    List<String> weekdays,
    String weekStart,
    int count,
    String until) {

  boolean has(String part) {
    return part.equals("BYDAY") ? !weekdays.isEmpty() : numbers.containsKey(part);
  }

  boolean allows(String part, int value) {
    return !has(part) || list(part).contains(value);
  }

  /** The numbers of a part; none where it is not given. */
  List<Integer> list(String part) {
    return numbers.getOrDefault(part, List.of());
  }

  String text() {
    StringBuilder text = new StringBuilder("FREQ=" + frequency);
    if (interval > 1) {
      text.append(";INTERVAL=").append(interval);
    }
    new TreeMap<>(numbers)
        .forEach((part, list) -> text.append(';').append(part).append('=').append(joined(list)));
    if (!weekdays.isEmpty()) {
      text.append(";BYDAY=").append(joined(weekdays));
    }
    if (!weekStart.equals("MO")) {
      text.append(";WKST=").append(weekStart);
    }
    if (count > 0) {
      text.append(";COUNT=").append(count);
    }
    if (!until.isEmpty()) {
      text.append(";UNTIL=").append(until);
    }
    return text.toString();
  }

  private static String joined(List<?> values) {
    return String.join(",", values.stream().map(Object::toString).toList());
  }
}

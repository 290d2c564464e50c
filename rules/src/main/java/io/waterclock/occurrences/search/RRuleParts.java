package io.waterclock.occurrences.search;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A parsed recurrence rule.
 *
 * @param numbers the BY parts that are lists of numbers; none of the lists is empty
 * @param weekdays BYDAY; empty where it is not given
 * @param weekStart WKST; Sunday is 0
 */
record RRuleParts(
    Frequency frequency,
    int interval,
    OptionalInt count,
    Optional<Until> until,
    Map<RRulePart, List<Integer>> numbers,
    List<Weekday> weekdays,
    int weekStart) {

  /**
   * An element of BYDAY.
   *
   * @param n which one of its month or year, negative from the end; 0 for every one
   * @param weekday Sunday is 0
   */
  record Weekday(int n, int weekday) {}

  boolean has(RRulePart part) {
    return part == RRulePart.BYDAY ? !weekdays.isEmpty() : numbers.containsKey(part);
  }

  /** The numbers of a part, none where it is not given. */
  List<Integer> numbers(RRulePart part) {
    return numbers.getOrDefault(part, List.of());
  }

  /** The weekdays of BYDAY without a number, as bits; bit 0 is Sunday. */
  long everyWeekday() {
    return weekdays.stream()
        .filter(day -> day.n() == 0)
        .mapToLong(day -> 1L << day.weekday())
        .reduce(0, (a, b) -> a | b);
  }

  /** The numbers of a part as bits, all where it is not given. Only for parts without negatives. */
  long bits(RRulePart part, long all) {
    return has(part)
        ? numbers(part).stream().mapToLong(n -> 1L << n).reduce(0, (a, b) -> a | b)
        : all;
  }
}

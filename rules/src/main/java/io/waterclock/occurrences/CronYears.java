package io.waterclock.occurrences;

import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.text.Quoted;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The years of an expression, as one range: a field of years becomes a start and an end.
 *
 * @param first inclusive
 * @param last inclusive
 */
record CronYears(OptionalInt first, OptionalInt last) {

  static final CronYears ALL = new CronYears(OptionalInt.empty(), OptionalInt.empty());

  private static final int EARLIEST = 1970;
  private static final int LATEST = 2199;
  private static final Pattern ELEMENT =
      Pattern.compile("(?:\\*|(\\d{4})(?:-(\\d{4}))?)(?:/(\\d{1,3}))?");

  /**
   * Reads a field of years: 1970 to 2199.
   *
   * @throws InvalidTriggerException if it is not understood, or is not one range of years
   */
  static CronYears parse(String field) {
    BitSet years = new BitSet(LATEST + 1);
    boolean open = false;
    for (String element : field.split(",", -1)) {
      Matcher read = ELEMENT.matcher(element);
      if (!read.matches()) {
        throw CronProblem.of("year: " + Quoted.of(element) + " is not understood");
      }
      int from = read.group(1) == null ? EARLIEST : Integer.parseInt(read.group(1));
      boolean isOne = read.group(2) == null && read.group(3) == null && read.group(1) != null;
      int through = isOne ? from : read.group(2) == null ? LATEST : Integer.parseInt(read.group(2));
      int step = read.group(3) == null ? 1 : Integer.parseInt(read.group(3));
      if (from < EARLIEST || through > LATEST || through < from || step < 1) {
        throw CronProblem.of(
            "year: " + Quoted.of(element) + " is no range from " + EARLIEST + " to " + LATEST);
      }
      open |= read.group(2) == null && !isOne;
      for (int year = from; year <= through; year += step) {
        years.set(year);
      }
    }
    return range(years, open, field);
  }

  private static CronYears range(BitSet years, boolean open, String field) {
    int first = years.nextSetBit(0);
    int last = years.length() - 1;
    if (years.cardinality() != last - first + 1) {
      throw CronProblem.of(
          "year: "
              + Quoted.of(field)
              + " has no equal, because it is not one range of years; define one schedule for"
              + " each range, with start_at and end_at");
    }
    return new CronYears(
        first == EARLIEST ? OptionalInt.empty() : OptionalInt.of(first),
        open && last == LATEST ? OptionalInt.empty() : OptionalInt.of(last));
  }

  /** The occurrences of these years in a zone. */
  Trigger bound(Trigger trigger, ZoneId zone) {
    return trigger.within(begin(first, 0, zone), begin(last, 1, zone));
  }

  private static Optional<Instant> begin(OptionalInt year, int later, ZoneId zone) {
    return year.isEmpty()
        ? Optional.empty()
        : Optional.of(LocalDate.of(year.getAsInt() + later, 1, 1).atStartOfDay(zone).toInstant());
  }
}

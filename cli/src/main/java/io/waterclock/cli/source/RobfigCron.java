package io.waterclock.cli.source;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The arithmetic of robfig/cron version 3, written anew from its rules and independent of our
 * engine: it looks at each minute of each day. A time that the clock skips does not occur, one that
 * it shows twice occurs twice. Kubernetes has no library that Java can call.
 *
 * <p>A nextAfter costs up to 1,440 steps for each day that matches, and one for each other day.
 */
final class RobfigCron implements SourceOccurrences {
  private static final Map<String, String> ALIASES =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");
  private static final List<String> MONTHS =
      List.of(
          "", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");
  private static final int MOST_DAYS = 41 * 366;

  private final ZoneId zone;
  private final Field minutes;
  private final Field hours;
  private final Field daysOfMonth;
  private final Field months;
  private final Field daysOfWeek;

  private RobfigCron(List<String> fields, ZoneId zone) {
    this.zone = zone;
    this.minutes = Field.of(fields.get(0), 0, 59, List.of());
    this.hours = Field.of(fields.get(1), 0, 23, List.of());
    this.daysOfMonth = Field.of(fields.get(2), 1, 31, List.of());
    this.months = Field.of(fields.get(3), 1, 12, MONTHS);
    this.daysOfWeek = Field.of(fields.get(4), 0, 6, DAYS);
  }

  /**
   * @throws EngineFailure if robfig/cron refuses the text
   */
  static RobfigCron of(String text, ZoneId zone) {
    List<String> fields =
        Arrays.asList(ALIASES.getOrDefault(text.strip(), text.strip()).split("\\s+"));
    if (fields.size() != 5) {
      throw refused(text);
    }
    return new RobfigCron(fields, zone);
  }

  /**
   * The values of a field.
   *
   * @param isStar whether it restricts nothing
   */
  private record Field(BitSet values, boolean isStar) {
    static Field of(String text, int min, int max, List<String> names) {
      BitSet values = new BitSet();
      boolean isStar = false;
      for (String element : text.split(",")) {
        isStar |= add(element, min, max, names, values);
      }
      return new Field(values, isStar);
    }

    /** Returns whether the element is a star that restricts nothing. */
    private static boolean add(
        String element, int min, int max, List<String> names, BitSet values) {
      String[] stepped = element.split("/", -1);
      String[] range = stepped[0].split("-", -1);
      boolean isAll = range[0].equals("*") || range[0].equals("?");
      if (stepped.length > 2 || range.length > 2) {
        throw refused(element);
      }
      int step = stepped.length == 2 ? number(stepped[1], List.of()) : 1;
      int first = isAll ? min : number(range[0], names);
      int last = isAll || (range.length == 1 && stepped.length == 2) ? max : first;
      last = !isAll && range.length == 2 ? number(range[1], names) : last;
      if (first < min || last > max || first > last || step < 1) {
        throw refused(element);
      }
      for (int value = first; value <= last; value += step) {
        values.set(value);
      }
      return isAll && step == 1;
    }

    private static int number(String text, List<String> names) {
      int named = text.isEmpty() ? -1 : names.indexOf(text.toLowerCase(Locale.ROOT));
      try {
        return named < 0 ? Integer.parseInt(text) : named;
      } catch (NumberFormatException e) {
        throw new EngineFailure("robfig/cron refuses \"" + text + "\"", e);
      }
    }
  }

  private static EngineFailure refused(String text) {
    return new EngineFailure(
        "robfig/cron refuses \"" + text + "\"", new IllegalArgumentException(text));
  }

  @Override
  public Optional<Instant> nextAfter(Instant t) {
    LocalDate day = t.atZone(zone).toLocalDate().minusDays(1);
    for (int i = 0; i < MOST_DAYS; i++) {
      Optional<Instant> found =
          matches(day) ? Optional.ofNullable(timesOf(day).higher(t)) : Optional.empty();
      if (found.isPresent()) {
        return found;
      }
      day = day.plusDays(1);
    }
    return Optional.empty();
  }

  private boolean matches(LocalDate day) {
    boolean ofMonth = daysOfMonth.values.get(day.getDayOfMonth());
    boolean ofWeek =
        daysOfWeek.values.get(day.getDayOfWeek().getValue() % DayOfWeek.values().length);
    boolean both = daysOfMonth.isStar || daysOfWeek.isStar;
    return months.values.get(day.getMonthValue()) && (both ? ofMonth && ofWeek : ofMonth || ofWeek);
  }

  /** The instants at which the wall clock shows a time of this day that matches. */
  private NavigableSet<Instant> timesOf(LocalDate day) {
    NavigableSet<Instant> times = new TreeSet<>();
    for (int hour = hours.values.nextSetBit(0);
        hour >= 0;
        hour = hours.values.nextSetBit(hour + 1)) {
      for (int minute = minutes.values.nextSetBit(0);
          minute >= 0;
          minute = minutes.values.nextSetBit(minute + 1)) {
        LocalDateTime time = day.atTime(hour, minute);
        for (ZoneOffset offset : zone.getRules().getValidOffsets(time)) {
          times.add(time.toInstant(offset));
        }
      }
    }
    return times;
  }
}

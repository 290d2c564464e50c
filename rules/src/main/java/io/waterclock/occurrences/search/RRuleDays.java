package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Civil;
import io.waterclock.occurrences.core.Days;
import io.waterclock.occurrences.core.EveryDay;
import java.util.ArrayList;
import java.util.List;

/**
 * The days that a recurrence rule names: those that match every given part, and the anchor's month,
 * day or weekday if the parts do not determine the day.
 *
 * @param anchorDay the epoch day of the anchor on the wall clock
 */
record RRuleDays(RRuleParts parts, int anchorDay) {

  Days days() {
    List<YearCalendar.Rule> rules = new ArrayList<>(given());
    rules.addAll(fromAnchor());
    return rules.stream()
        .reduce(YearCalendar.Rule::and)
        .<Days>map(YearCalendar::new)
        .orElse(EveryDay.INSTANCE);
  }

  private List<YearCalendar.Rule> given() {
    List<YearCalendar.Rule> rules = new ArrayList<>();
    if (parts.has(RRulePart.BYMONTH)) {
      long months = parts.bits(RRulePart.BYMONTH, 0);
      rules.add((year, day) -> (months >> Civil.month(year.date(day)) & 1) != 0);
    }
    if (parts.has(RRulePart.BYWEEKNO)) {
      Numbers weeks = Numbers.of(parts.numbers(RRulePart.BYWEEKNO));
      int start = parts.weekStart();
      rules.add((year, day) -> weeks.contains(year.week(day, start), year.weekFromEnd(day, start)));
    }
    if (parts.has(RRulePart.BYYEARDAY)) {
      Numbers days = Numbers.of(parts.numbers(RRulePart.BYYEARDAY));
      rules.add((year, day) -> days.contains(day + 1, day - year.length()));
    }
    if (parts.has(RRulePart.BYMONTHDAY)) {
      Numbers days = Numbers.of(parts.numbers(RRulePart.BYMONTHDAY));
      rules.add(
          (year, day) -> {
            int date = year.date(day);
            return days.contains(Civil.day(date), Civil.day(date) - lengthOfMonth(date) - 1);
          });
    }
    if (parts.has(RRulePart.BYDAY)) {
      rules.add(weekdays());
    }
    return rules;
  }

  private List<YearCalendar.Rule> fromAnchor() {
    int date = Civil.date(anchorDay);
    YearCalendar.Rule sameDate = (year, day) -> Civil.day(year.date(day)) == Civil.day(date);
    YearCalendar.Rule sameMonth = (year, day) -> Civil.month(year.date(day)) == Civil.month(date);
    int weekday = Civil.dayOfWeek(anchorDay);
    YearCalendar.Rule sameWeekday = (year, day) -> year.weekday(day) == weekday;
    boolean given =
        parts.has(RRulePart.BYYEARDAY)
            || parts.has(RRulePart.BYMONTHDAY)
            || parts.has(RRulePart.BYDAY);
    if (given) {
      return List.of();
    }
    return switch (parts.frequency()) {
      case YEARLY ->
          parts.has(RRulePart.BYWEEKNO)
              ? List.of(sameWeekday)
              : parts.has(RRulePart.BYMONTH) ? List.of(sameDate) : List.of(sameMonth, sameDate);
      case MONTHLY -> List.of(sameDate);
      case WEEKLY -> List.of(sameWeekday);
      default -> List.of();
    };
  }

  /** BYDAY: counts within the month if the rule has months, otherwise within the year. */
  private YearCalendar.Rule weekdays() {
    long everyOne = parts.everyWeekday();
    boolean inMonth = parts.frequency() == Frequency.MONTHLY || parts.has(RRulePart.BYMONTH);
    return (year, day) -> {
      int weekday = year.weekday(day);
      if ((everyOne >> weekday & 1) != 0) {
        return true;
      }
      int date = year.date(day);
      int before = inMonth ? Civil.day(date) - 1 : day;
      int after = (inMonth ? lengthOfMonth(date) : year.length()) - 1 - before;
      for (RRuleParts.Weekday one : parts.weekdays()) {
        int n = one.n() > 0 ? before / 7 + 1 : -(after / 7) - 1;
        if (one.weekday() == weekday && one.n() == n) {
          return true;
        }
      }
      return false;
    };
  }

  private static int lengthOfMonth(int date) {
    return Civil.length(Civil.year(date), Civil.month(date));
  }
}

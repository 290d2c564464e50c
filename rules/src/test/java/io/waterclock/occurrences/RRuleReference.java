package io.waterclock.occurrences;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.time.temporal.WeekFields;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Recurrence rules by the letter of RFC 5545, expanded period by period from the anchor with
 * java.time: slow, plain, and sharing no code with the engine.
 */
final class RRuleReference {

  private static final List<String> WEEKDAYS = List.of("MO", "TU", "WE", "TH", "FR", "SA", "SU");

  private final RRuleSpec spec;
  private final ZoneId zone;
  private final Instant anchor;
  private final LocalDateTime start;
  private final DayOfWeek weekStart;

  RRuleReference(RRuleSpec spec, Instant anchor, ZoneId zone) {
    this.spec = spec;
    this.zone = zone;
    this.anchor = anchor;
    this.start = LocalDateTime.ofInstant(anchor.truncatedTo(ChronoUnit.SECONDS), zone);
    this.weekStart = weekday(spec.weekStart());
  }

  /** All occurrences up to an instant, which must not be far from the anchor. */
  NavigableSet<Instant> through(Instant end) {
    TreeSet<Instant> all = new TreeSet<>();
    boolean exact = List.of("SECONDLY", "MINUTELY", "HOURLY").contains(spec.frequency());
    if (exact) {
      exactPeriods(end, all);
    } else {
      wallClockPeriods(end, all);
    }
    all.removeIf(at -> at.isBefore(anchor) || at.isAfter(end) || isAfterUntil(at));
    while (spec.count() > 0 && all.size() > spec.count()) {
      all.pollLast();
    }
    return all;
  }

  private boolean isAfterUntil(Instant at) {
    String until = spec.until();
    if (until.isEmpty()) {
      return false;
    }
    LocalDate date = LocalDate.parse(until.substring(0, 8), DateTimeFormatter.BASIC_ISO_DATE);
    if (until.length() == 8) {
      return LocalDateTime.ofInstant(at, zone).toLocalDate().isAfter(date);
    }
    LocalTime time =
        LocalTime.of(
            Integer.parseInt(until.substring(9, 11)),
            Integer.parseInt(until.substring(11, 13)),
            Integer.parseInt(until.substring(13, 15)));
    Instant last =
        until.endsWith("Z")
            ? date.atTime(time).toInstant(ZoneOffset.UTC)
            : date.atTime(time).atZone(zone).toInstant();
    return at.isAfter(last);
  }

  // ---- days and longer -------------------------------------------------------------------------

  private void wallClockPeriods(Instant end, Set<Instant> all) {
    LocalDate lastDay = LocalDateTime.ofInstant(end, zone).toLocalDate().plusDays(2);
    LocalDate first = firstDayOfPeriod(start.toLocalDate());
    for (int k = 0; !plus(first, k).isAfter(lastDay); k += spec.interval()) {
      List<LocalDateTime> set = new ArrayList<>();
      LocalDate next = plus(first, k + 1);
      for (LocalDate day = plus(first, k); day.isBefore(next); day = day.plusDays(1)) {
        if (matches(day)) {
          for (LocalTime time : times()) {
            set.add(day.atTime(time));
          }
        }
      }
      chosen(set).forEach(local -> Reference.instantOf(zone.getRules(), local).ifPresent(all::add));
    }
  }

  private LocalDate firstDayOfPeriod(LocalDate day) {
    return switch (spec.frequency()) {
      case "YEARLY" -> day.withDayOfYear(1);
      case "MONTHLY" -> day.withDayOfMonth(1);
      case "WEEKLY" -> day.with(TemporalAdjusters.previousOrSame(weekStart));
      default -> day;
    };
  }

  private LocalDate plus(LocalDate first, int periods) {
    return switch (spec.frequency()) {
      case "YEARLY" -> first.plusYears(periods);
      case "MONTHLY" -> first.plusMonths(periods);
      case "WEEKLY" -> first.plusWeeks(periods);
      default -> first.plusDays(periods);
    };
  }

  private List<LocalTime> times() {
    List<LocalTime> times = new ArrayList<>();
    for (int hour : orElse("BYHOUR", start.getHour())) {
      for (int minute : orElse("BYMINUTE", start.getMinute())) {
        for (int second : orElse("BYSECOND", start.getSecond())) {
          times.add(LocalTime.of(hour, minute, second));
        }
      }
    }
    return times.stream().sorted().distinct().toList();
  }

  private List<Integer> orElse(String part, int fromAnchor) {
    return spec.has(part) ? spec.list(part) : List.of(fromAnchor);
  }

  private boolean matches(LocalDate day) {
    boolean noDay = !spec.has("BYYEARDAY") && !spec.has("BYMONTHDAY") && !spec.has("BYDAY");
    boolean fromAnchor =
        !noDay
            || switch (spec.frequency()) {
              case "YEARLY" ->
                  spec.has("BYWEEKNO")
                      ? day.getDayOfWeek() == start.getDayOfWeek()
                      : day.getDayOfMonth() == start.getDayOfMonth()
                          && (spec.has("BYMONTH") || day.getMonth() == start.getMonth());
              case "MONTHLY" -> day.getDayOfMonth() == start.getDayOfMonth();
              case "WEEKLY" -> day.getDayOfWeek() == start.getDayOfWeek();
              default -> true;
            };
    return fromAnchor
        && spec.allows("BYMONTH", day.getMonthValue())
        && eitherEnd("BYYEARDAY", day.getDayOfYear(), day.lengthOfYear())
        && eitherEnd("BYMONTHDAY", day.getDayOfMonth(), day.lengthOfMonth())
        && week(day)
        && weekday(day);
  }

  private boolean eitherEnd(String part, int n, int size) {
    return !spec.has(part) || spec.list(part).contains(n) || spec.list(part).contains(n - size - 1);
  }

  private boolean week(LocalDate day) {
    WeekFields weeks = WeekFields.of(weekStart, 4);
    int last = (int) weeks.weekOfWeekBasedYear().rangeRefinedBy(day).getMaximum();
    return eitherEnd("BYWEEKNO", day.get(weeks.weekOfWeekBasedYear()), last);
  }

  private boolean weekday(LocalDate day) {
    if (!spec.has("BYDAY")) {
      return true;
    }
    int before = 0;
    while (samePeriod(day, day.minusWeeks(before + 1))) {
      before++;
    }
    int after = 0;
    while (samePeriod(day, day.plusWeeks(after + 1))) {
      after++;
    }
    for (String written : spec.weekdays()) {
      int at = written.length() - 2;
      boolean sameDay = weekday(written.substring(at)) == day.getDayOfWeek();
      int nth = at == 0 ? 0 : Integer.parseInt(written.substring(0, at));
      if (sameDay && (nth == 0 || nth == before + 1 || nth == -after - 1)) {
        return true;
      }
    }
    return false;
  }

  /** The month or year in which an n-th weekday is counted. */
  private boolean samePeriod(LocalDate a, LocalDate b) {
    boolean inMonth = spec.frequency().equals("MONTHLY") || spec.has("BYMONTH");
    return inMonth ? YearMonth.from(a).equals(YearMonth.from(b)) : a.getYear() == b.getYear();
  }

  private static DayOfWeek weekday(String name) {
    return DayOfWeek.of(WEEKDAYS.indexOf(name) + 1);
  }

  // ---- hours and shorter -----------------------------------------------------------------------

  private void exactPeriods(Instant end, Set<Instant> all) {
    Instant second = anchor.truncatedTo(ChronoUnit.SECONDS);
    int unit =
        switch (spec.frequency()) {
          case "HOURLY" -> 3600;
          case "MINUTELY" -> 60;
          default -> 1;
        };
    boolean expands = (unit > 1 && spec.has("BYSECOND")) || (unit == 3600 && spec.has("BYMINUTE"));
    Instant first =
        expands ? second.minusSeconds(start.toLocalTime().toSecondOfDay() % unit) : second;
    long step = (long) unit * spec.interval();
    for (Instant at = first; !at.isAfter(end); at = at.plusSeconds(step)) {
      List<Instant> set = new ArrayList<>();
      for (int i = 0; i < (expands ? unit : 1); i++) {
        Instant candidate = at.plusSeconds(i);
        LocalDateTime shown = LocalDateTime.ofInstant(candidate, zone);
        boolean inSeconds =
            expands
                ? orElse("BYSECOND", start.getSecond()).contains(shown.getSecond())
                : spec.allows("BYSECOND", shown.getSecond());
        boolean inMinutes =
            (expands && unit == 3600)
                ? orElse("BYMINUTE", start.getMinute()).contains(shown.getMinute())
                : spec.allows("BYMINUTE", shown.getMinute());
        if (inSeconds
            && inMinutes
            && spec.allows("BYHOUR", shown.getHour())
            && matches(shown.toLocalDate())) {
          set.add(candidate);
        }
      }
      all.addAll(chosen(set));
    }
  }

  private <T> List<T> chosen(List<T> set) {
    return IntStream.range(0, set.size())
        .filter(i -> eitherEnd("BYSETPOS", i + 1, set.size()))
        .mapToObj(set::get)
        .toList();
  }
}

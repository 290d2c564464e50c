package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Words;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/** A recurrence rule in English, from the parts that the search uses. */
public record RRuleWords(RRuleParts parts, LocalDateTime anchor) {

  private static final List<RRulePart> DAYS =
      List.of(RRulePart.BYWEEKNO, RRulePart.BYYEARDAY, RRulePart.BYMONTHDAY, RRulePart.BYDAY);

  /** The words for a rule that {@link RRuleRange#read} accepts, from a time on the wall clock. */
  public static String of(String rule, LocalDateTime anchor) {
    return new RRuleWords(RRuleReader.read(rule), anchor).words();
  }

  private String words() {
    String every = "every " + Words.counted(parts.interval(), parts.frequency().unit());
    String start = ", from " + TimeWords.of(anchor.truncatedTo(ChronoUnit.SECONDS)) + " on";
    return every + months() + days() + times() + positions() + start + end();
  }

  private String months() {
    return parts.has(RRulePart.BYMONTH)
        ? " in " + Words.list(parts.bits(RRulePart.BYMONTH, 0), Words::month)
        : "";
  }

  private String days() {
    List<String> given =
        DAYS.stream()
            .filter(parts::has)
            .map(this::days)
            .collect(Collectors.toCollection(ArrayList::new));
    if (given.isEmpty()
        || given.equals(List.of(parts.has(RRulePart.BYWEEKNO) ? days(RRulePart.BYWEEKNO) : ""))) {
      implied().ifPresent(given::add);
    }
    return given.isEmpty() ? "" : " on " + String.join(" if that is also ", given);
  }

  /** What the anchor adds. */
  private Optional<String> implied() {
    String weekday = Words.weekday(anchor.getDayOfWeek().getValue() % 7);
    String date = "the " + Words.ordinal(anchor.getDayOfMonth());
    return Optional.ofNullable(
        switch (parts.frequency()) {
          case YEARLY ->
              parts.has(RRulePart.BYWEEKNO)
                  ? weekday
                  : parts.has(RRulePart.BYMONTH)
                      ? date
                      : date + " of " + Words.month(anchor.getMonthValue());
          case MONTHLY -> date;
          case WEEKLY -> weekday;
          default -> null;
        });
  }

  private String days(RRulePart part) {
    return switch (part) {
      case BYWEEKNO ->
          "days of "
              + numbers(part, n -> "week " + n, n -> "the " + fromEnd(n) + " week")
              + " of the year"
              + weekStart();
      case BYYEARDAY ->
          numbers(part, n -> "day " + n, n -> "the " + fromEnd(n) + " day") + " of the year";
      case BYMONTHDAY ->
          numbers(part, n -> "the " + Words.ordinal(n), n -> "the " + fromEnd(n) + " day")
              + " of the month";
      default -> weekdays();
    };
  }

  private String weekdays() {
    boolean ofYear = parts.frequency() == Frequency.YEARLY && !parts.has(RRulePart.BYMONTH);
    List<String> each = new ArrayList<>();
    if (parts.everyWeekday() != 0) {
      each.add(Words.weekdays(parts.everyWeekday()));
    }
    for (RRuleParts.Weekday day : parts.weekdays()) {
      if (day.n() != 0) {
        String nth = day.n() > 0 ? Words.ordinal(day.n()) : fromEnd(-day.n());
        each.add(
            "the "
                + nth
                + " "
                + Words.weekday(day.weekday())
                + (ofYear ? " of the year" : " of the month"));
      }
    }
    return Words.and(each)
        + (parts.interval() > 1 && parts.frequency() == Frequency.WEEKLY ? weekStart() : "");
  }

  private String weekStart() {
    return " (weeks begin on " + Words.weekday(parts.weekStart()) + ")";
  }

  private String times() {
    if (!parts.frequency().isExact()) {
      return " " + TimeWords.of(RRuleSearch.times(parts, anchor.toLocalTime().toSecondOfDay()));
    }
    List<String> given = new ArrayList<>();
    clock(given, RRulePart.BYHOUR, "hour");
    clock(given, RRulePart.BYMINUTE, "minute");
    clock(given, RRulePart.BYSECOND, "second");
    return given.isEmpty() ? "" : " when the clock shows " + Words.and(given);
  }

  private void clock(List<String> given, RRulePart part, String unit) {
    if (parts.has(part)) {
      long bits = parts.bits(part, 0);
      given.add(
          unit + (Long.bitCount(bits) > 1 ? "s " : " ") + Words.list(bits, Integer::toString));
    }
  }

  private String positions() {
    return parts.has(RRulePart.BYSETPOS)
        ? ", of these only "
            + numbers(RRulePart.BYSETPOS, n -> "the " + Words.ordinal(n), n -> "the " + fromEnd(n))
            + " of each "
            + parts.frequency().unit()
        : "";
  }

  private String end() {
    if (parts.count().isPresent()) {
      int count = parts.count().getAsInt();
      return count == 1 ? ", once" : ", " + count + " times";
    }
    return parts.until().map(until -> ", until " + until(until)).orElse("");
  }

  private static String until(Until until) {
    return until.utc()
        ? until.local().toInstant(ZoneOffset.UTC).toString()
        : until.local().toString().replace('T', ' ');
  }

  private String numbers(RRulePart part, IntFunction<String> ahead, IntFunction<String> behind) {
    return Words.and(
        parts.numbers(part).stream()
            .sorted()
            .map(n -> n > 0 ? ahead.apply(n) : behind.apply(-n))
            .toList());
  }

  private static String fromEnd(int n) {
    return n == 1 ? "last" : Words.ordinal(n) + " to last";
  }
}

package io.waterclock.cli.source;

import io.waterclock.cli.source.MovingList.Draft;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cron string of Temporal, which compiles it to a calendar: a day must match both day fields, as
 * in Spring. Five fields begin with minutes, six end with years, seven begin with seconds and end
 * with years. {@code @every 1h/5m} counts from the epoch. A zone may stand before, a comment
 * behind.
 */
final class TemporalCron {
  private static final Pattern COMMENTED = Pattern.compile("([^#]*)#(.*)");
  private static final Pattern EVERY =
      Pattern.compile("@every\\s+((?:\\d{1,9}[smhd]){1,9})(?:/((?:\\d{1,9}[smhd]){1,9}))?");
  private static final Pattern PART_OF_DURATION = Pattern.compile("(\\d+)([smhd])");
  private static final Pattern YEARS = Pattern.compile("(\\d{4})(?:-(\\d{4}))?");
  private static final Pattern STEP_OF_WEEKDAYS =
      Pattern.compile("(\\*|[0-6]|[A-Za-z]{3})/(\\d{1,9})");
  private static final Map<String, Duration> UNITS =
      Map.of(
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));
  private static final int DAY_OF_WEEK = 5;
  private static final int YEAR = 6;

  private TemporalCron() {}

  /**
   * @throws BrokenSourceException if the text has no equal
   */
  static Draft draft(String text) {
    Draft draft = Draft.empty();
    String rest = text.strip();
    Matcher commented = COMMENTED.matcher(rest);
    if (commented.matches()) {
      rest = commented.group(1).strip();
      draft.form().put("description", commented.group(2).strip());
    }
    rest = draft.takeZone(rest).orElse(rest);
    Matcher every = EVERY.matcher(rest);
    if (every.matches()) {
      every(every, draft);
    } else if (rest.toLowerCase(Locale.ROOT).startsWith("@every")) {
      throw new BrokenSourceException(
          "its interval is not understood: \"" + rest + "\"; e.g. \"@every 1h30m/5m\"");
    } else if (rest.startsWith("@")) {
      draft.form().put("cron", rest).put("dialect", "spring");
    } else {
      fields(rest, draft);
    }
    return draft;
  }

  private static void every(Matcher every, Draft draft) {
    Duration phase =
        Optional.ofNullable(every.group(2)).map(TemporalCron::duration).orElse(Duration.ZERO);
    draft.form().put("every", duration(String.valueOf(every.group(1))).toString());
    draft.form().put("anchor", Instant.EPOCH.plus(phase).toString());
  }

  private static Duration duration(String text) {
    return PART_OF_DURATION
        .matcher(text)
        .results()
        .map(
            part ->
                UNITS
                    .getOrDefault(part.group(2), Duration.ZERO)
                    .multipliedBy(Long.parseLong(part.group(1))))
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static void fields(String text, Draft draft) {
    List<String> fields = new ArrayList<>(List.of(text.split("\\s+")));
    int given = fields.size();
    if (given < 5 || given > 7) {
      throw new BrokenSourceException(
          "it has %d fields; Temporal reads five, six with years, or seven with seconds and years"
              .formatted(given));
    }
    if (given < 7) {
      fields.add(0, "0");
    }
    if (given > 5) {
      years(fields.remove(YEAR), draft);
    }
    fields.set(DAY_OF_WEEK, weekdays(fields.get(DAY_OF_WEEK)));
    draft.form().put("cron", String.join(" ", fields)).put("dialect", "spring");
  }

  /** Temporal's week begins on Sunday, that of Spring's steps on Monday. */
  private static String weekdays(String field) {
    StringJoiner days = new StringJoiner(",");
    for (String element : field.split(",", -1)) {
      Matcher step = STEP_OF_WEEKDAYS.matcher(element);
      days.add(
          step.matches()
              ? step.replaceFirst(element.startsWith("*") ? "0-6/$2" : "$1-6/$2")
              : element);
    }
    return days.toString();
  }

  private static void years(String field, Draft draft) {
    Matcher years = YEARS.matcher(field);
    if (years.matches()) {
      int first = Integer.parseInt(years.group(1));
      bound(first, Optional.ofNullable(years.group(2)).map(Integer::parseInt).orElse(first), draft);
    } else if (!field.equals("*")) {
      throw new BrokenSourceException(
          "its years are not one range; define one schedule for each, with start_at and end_at");
    }
  }

  /** Bounds a schedule by years, both inclusive. */
  static void bound(int first, int last, Draft draft) {
    draft.form().put("start_at", first + "-01-01T00:00:00");
    draft.form().put("end_at", Math.max(first, last) + 1 + "-01-01T00:00:00");
  }
}

package io.waterclock.occurrences.search;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The last moment at which a recurrence rule may occur, inclusive.
 *
 * @param local the time as written; the last second of the day for a date
 * @param utc whether it is an instant, else it is read on the wall clock
 * @param date whether it is a date: then it lasts until the next day begins, however often its last
 *     hour is shown
 */
record Until(LocalDateTime local, boolean utc, boolean date) {

  private static final Pattern FORM = Pattern.compile("([0-9]{8})(?:T([0-9]{6})(Z?))?");
  private static final DateTimeFormatter DATE = strict("uuuuMMdd");
  private static final DateTimeFormatter TIME = strict("HHmmss");
  private static final LocalTime LAST_SECOND = LocalTime.of(23, 59, 59);

  /**
   * @throws DateTimeException if the text is no date that exists
   */
  static Until parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new DateTimeException("no date");
    }
    boolean date = form.group(2) == null;
    LocalTime time = date ? LAST_SECOND : LocalTime.parse(form.group(2), TIME);
    boolean utc = "Z".equals(form.group(3));
    return new Until(LocalDate.parse(form.group(1), DATE).atTime(time), utc, date);
  }

  /** The last second at which the rule may occur in a zone. */
  long lastSecond(ZoneTimeline zone) {
    long second = local.toEpochSecond(ZoneOffset.UTC);
    if (utc) {
      return second;
    }
    return date ? zone.instantOfLocal(second + 1) - 1 : zone.instantOfLocal(second);
  }

  private static DateTimeFormatter strict(String pattern) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ROOT)
        .withResolverStyle(ResolverStyle.STRICT);
  }
}

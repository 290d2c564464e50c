package io.waterclock.occurrences;

import io.waterclock.occurrences.core.ClockRule;
import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.Horizon;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.search.CronSearch;
import io.waterclock.occurrences.search.TimesOfDay;
import io.waterclock.schemas.text.Quoted;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * A cron expression, read on the wall clock of a zone.
 *
 * <p>Five fields (minute, hour, day of month, month, day of week), six with seconds first, or an
 * alias such as {@code @daily}. Names, lists, ranges (22-2 wraps round), steps, {@code ?}, {@code
 * L}, {@code L-n}, {@code LW}, {@code L-nW}, {@code nW}, {@code d#n}, {@code dL}; Sunday is 0 or 7.
 *
 * <ul>
 *   <li>Days (the rule of Vixie cron): if both day fields are restricted, either may match; if one
 *       begins with a star, both must match.
 *   <li>Clock changes (the rule of Vixie cron and cronie): an expression whose second, minute or
 *       hour field begins with a star occurs whenever the wall clock shows a match: never in a gap,
 *       at both passes of an overlap. Any other occurs once at the end of a gap of up to three
 *       hours into which its times fall, and only at the first pass of an overlap. A time in a
 *       longer gap does not occur.
 * </ul>
 *
 * <p>Immutable; safe for use by several threads. A neighbour costs some tens of nanoseconds. A
 * count or an n-th occurrence costs a few nanoseconds for each month of the range.
 */
public final class Cron implements Trigger {

  private final String expression;
  private final CronDialect dialect;
  private final ZoneId zone;
  private final CronSearch search;
  private final Effort effort;

  private Cron(
      String expression, CronDialect dialect, ZoneId zone, CronSearch search, Effort effort) {
    this.expression = expression;
    this.dialect = dialect;
    this.zone = zone;
    this.search = search;
    this.effort = effort;
  }

  /**
   * Reads an expression of at most 1,024 characters, with or without space around it. Costs some
   * microseconds. The first call in a JVM costs a few milliseconds, the first in a zone some more.
   *
   * @throws InvalidTriggerException if a field is wrong, with the problems of all fields, or if it
   *     names no day that exists (30 February)
   */
  public static Cron parse(String expression, ZoneId zone) {
    String text = expression.strip();
    try {
      return of(text, CronDialect.WATERCLOCK, CronText.of(text), zone);
    } catch (InvalidTriggerException e) {
      boolean needsNoDialect = e.neverOccurs() || e.problem().contains("dialect");
      throw e.asTyped(text).and(needsNoDialect ? "" : dialectsOf(text));
    }
  }

  /** Names the schedulers that read a text that is not ours. */
  private static String dialectsOf(String text) {
    StringBuilder hint = new StringBuilder();
    for (CronDialect dialect : CronDialect.values()) {
      if (dialect != CronDialect.WATERCLOCK && isValid(text, dialect)) {
        hint.append(hint.isEmpty() ? "; " : ", ").append(dialect.title());
        hint.append(" reads it: add \"dialect\":\"").append(dialect.symbol()).append('"');
      }
    }
    return hint.toString();
  }

  private static boolean isValid(String text, CronDialect dialect) {
    try {
      parse(text, dialect, "", ZoneOffset.UTC);
      return true;
    } catch (InvalidTriggerException e) {
      return false;
    }
  }

  /**
   * Reads an expression of a dialect: a {@link Cron}, within bounds if the expression names years.
   *
   * @throws InvalidTriggerException if the expression is wrong, names no day that exists, or has no
   *     equal
   */
  public static Trigger parse(String expression, CronDialect dialect, ZoneId zone) {
    String typed = expression.strip();
    if (dialect == CronDialect.WATERCLOCK) {
      return parse(typed, zone);
    }
    try {
      CronText text = CronTranslator.read(typed, dialect);
      return text.years().bound(of(typed, dialect, text, zone), zone);
    } catch (InvalidTriggerException e) {
      throw CronProblem.in(dialect, e).asTyped(typed);
    }
  }

  /**
   * As above, for a schedule: in the dialect of Jenkins the H of an expression gets its values from
   * the id, and the trigger has these values in its place.
   */
  public static Trigger parse(String expression, CronDialect dialect, String id, ZoneId zone) {
    return parse(ofId(expression, dialect, id), dialect, zone);
  }

  /**
   * The expression with the values that a schedule's id gives it.
   *
   * @throws InvalidTriggerException if an H of Jenkins is out of range
   */
  public static String ofId(String expression, CronDialect dialect, String id) {
    if (dialect != CronDialect.JENKINS) {
      return expression;
    }
    try {
      return JenkinsCron.spread(expression, id);
    } catch (InvalidTriggerException e) {
      throw CronProblem.in(dialect, e).asTyped(expression.strip());
    }
  }

  private static Cron of(String expression, CronDialect dialect, CronText text, ZoneId zone) {
    CronReader reader = new CronReader(text);
    long seconds = reader.values(CronField.SECOND);
    long minutes = reader.values(CronField.MINUTE);
    long hours = reader.values(CronField.HOUR);
    DaysOfMonth ofMonth = reader.daysOfMonth();
    long months = reader.values(CronField.MONTH);
    DaysOfWeek ofWeek = reader.daysOfWeek();
    reader.requireNoProblem();
    DayCalendar days = new DayCalendar(months, ofMonth, ofWeek, text.needsBothDays());
    if (days.isEmpty()) {
      throw CronProblem.neverOccurs(Quoted.of(expression) + " names no day of any year");
    }
    TimesOfDay times = new TimesOfDay(seconds, minutes, hours);
    boolean everyPass =
        text.isStar(CronField.SECOND)
            || text.isStar(CronField.MINUTE)
            || text.isStar(CronField.HOUR);
    CronSearch search = CronSearch.of(days, times, zone, everyPass);
    return new Cron(expression, dialect, zone, search, Effort.unlimited());
  }

  @Override
  public Cron metered(Effort meter) {
    return new Cron(expression, dialect, zone, search, meter);
  }

  /** As it was written, in its dialect, without space around it. */
  public String expression() {
    return expression;
  }

  public CronDialect dialect() {
    return dialect;
  }

  CronText text() {
    return CronTranslator.read(expression, dialect);
  }

  /** The same expression on the wall clock of another zone. */
  Cron in(ZoneId other) {
    return of(expression, dialect, text(), other);
  }

  public ZoneId zone() {
    return zone;
  }

  ClockRule clockRule() {
    return search.clockRule();
  }

  @Override
  public Count count(Instant after, Instant through, long limit) {
    return search.count(Horizon.clampSecond(after), Horizon.clampSecond(through), limit, effort);
  }

  @Override
  public Optional<Instant> nthAfter(Instant t, long n) {
    return n < 1 ? Optional.empty() : inHorizon(search.nthNext(Horizon.clampSecond(t), n, effort));
  }

  @Override
  public Optional<Instant> nthAtOrBefore(Instant t, long n) {
    return nthAtOrBefore(t, n, Instant.MIN);
  }

  @Override
  public Optional<Instant> nthAtOrBefore(Instant t, long n, Instant notBefore) {
    long first = notBefore.getEpochSecond();
    return n < 1
        ? Optional.empty()
        : inHorizon(search.nthPrevious(Horizon.clampSecond(t), n, first, effort))
            .filter(at -> !at.isBefore(notBefore));
  }

  private static Optional<Instant> inHorizon(long second) {
    return second < Horizon.FIRST_SECOND || second > Horizon.LAST_SECOND
        ? Optional.empty()
        : Optional.of(Instant.ofEpochSecond(second));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Cron that
        && expression.equals(that.expression)
        && dialect == that.dialect
        && zone.equals(that.zone);
  }

  @Override
  public int hashCode() {
    return 31 * expression.hashCode() + zone.hashCode();
  }

  @Override
  public String toString() {
    String written = dialect == CronDialect.WATERCLOCK ? "" : dialect + " ";
    return "Cron[" + written + expression + " in " + zone + "]";
  }
}

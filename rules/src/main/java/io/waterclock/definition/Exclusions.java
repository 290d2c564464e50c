package io.waterclock.definition;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.Words;
import io.waterclock.occurrences.search.WallClock;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The occurrences of one schedule that its calendars exclude, by the dates that the wall clock of
 * its zone shows: those that are not in its {@link OpenDays}. Spends a step for each look-up of a
 * date in a calendar. Otherwise immutable. Only the thread of the meter may use it.
 */
public final class Exclusions {
  /**
   * The limit of the search for a date that is not excluded. An occurrence without such a date is
   * missed.
   */
  static final int FARTHEST_MOVE_DAYS = 366;

  private final WallClock clock;
  private final List<Calendars.History> except;
  private final List<Calendars.History> only;
  private final OptionalInt businessDay;
  private final boolean moves;
  private final Effort effort;

  private Exclusions(Schedule schedule, ZoneId zone, Calendars calendars, Effort effort) {
    Integer ordinal = schedule.getBusinessDay();
    this.clock = WallClock.of(zone);
    this.except = schedule.getExcept().stream().map(calendars::history).toList();
    this.only = schedule.getOnly().stream().map(calendars::history).toList();
    this.businessDay = ordinal == null ? OptionalInt.empty() : OptionalInt.of(ordinal);
    this.moves = moves(schedule);
    this.effort = effort;
  }

  /**
   * The exclusions of the calendars that a schedule names; empty if it names none. An unknown
   * calendar has no dates.
   */
  public static Optional<Exclusions> of(
      Schedule schedule, ZoneId zone, Calendars calendars, Effort effort) {
    return namesCalendars(schedule)
        ? Optional.of(new Exclusions(schedule, zone, calendars, effort))
        : Optional.empty();
  }

  public static boolean namesCalendars(Schedule schedule) {
    return !schedule.getExcept().isEmpty() || !schedule.getOnly().isEmpty();
  }

  /** The calendars that a schedule names, once each. */
  public static List<String> calendars(Schedule schedule) {
    return schedule.getOnly().isEmpty()
        ? List.copyOf(schedule.getExcept())
        : Stream.concat(schedule.getExcept().stream(), schedule.getOnly().stream())
            .distinct()
            .toList();
  }

  /** True if a calendar may make an occurrence of a schedule due later. */
  public static boolean moves(Schedule schedule) {
    return schedule.getOnExcluded() == OnExcluded.NEXT_WORKING_DAY && namesCalendars(schedule);
  }

  /** A business day of the month for a person: {@code the last business day of the month}. */
  public static String words(int businessDay) {
    String which = businessDay == -1 ? "last" : Words.ordinal(Math.abs(businessDay));
    return "the %s business day of the month".formatted(businessDay < -1 ? which + " last" : which);
  }

  /** True if an excluded occurrence may become due later. */
  public boolean moves() {
    return moves;
  }

  public boolean excludes(Instant at) {
    return !days(at).contains(clock.day(at));
  }

  /**
   * The end, exclusive, of a period from {@code at} in which every instant is excluded like {@code
   * at}, by the same versions, without a clock change. The period may be shorter than possible.
   */
  public Instant alikeUntil(Instant at) {
    OpenDays days = days(at);
    long day = clock.day(at);
    long limit = day + FARTHEST_MOVE_DAYS;
    long change =
        days.contains(day) ? days.firstOtherFrom(day + 1, limit) : days.firstFrom(day + 1, limit);
    Instant until = clock.evenlyBefore(Math.min(change, limit + 1), at);
    effort.spend(except.size() + only.size());
    return earliestEnd(only, at, earliestEnd(except, at, until));
  }

  private static Instant earliestEnd(
      List<Calendars.History> calendars, Instant at, Instant earliest) {
    Instant until = earliest;
    for (Calendars.History calendar : calendars) {
      Instant through = calendar.judgesThrough(at);
      if (through.isBefore(until)) {
        until = through.plusMillis(1);
      }
    }
    return until;
  }

  /**
   * The instant to which an excluded instant moves: the same wall-clock time on the next date that
   * is not excluded.
   *
   * @param before exclusive: the next occurrence; it replaces an occurrence that would move to it
   *     or past it
   */
  public Optional<Instant> movedTo(Instant at, Optional<Instant> before) {
    if (!moves) {
      return Optional.empty();
    }
    OpenDays days = days(at);
    long day = clock.day(at);
    long limit = day + FARTHEST_MOVE_DAYS;
    for (long to = days.firstFrom(day + 1, limit);
        to <= limit;
        to = days.firstFrom(to + 1, limit)) {
      Optional<Instant> moved = clock.sameTimeOn(to, at);
      if (moved.isPresent()) {
        return moved.filter(instant -> before.isEmpty() || instant.isBefore(before.get()));
      }
    }
    return Optional.empty();
  }

  private OpenDays days(Instant at) {
    return new OpenDays(inForce(except, at), inForce(only, at), businessDay, effort);
  }

  private static List<CalendarDays> inForce(List<Calendars.History> calendars, Instant at) {
    return switch (calendars.size()) {
      case 0 -> List.of();
      case 1 -> List.of(calendars.get(0).at(at));
      default -> calendars.stream().map(calendar -> calendar.at(at)).toList();
    };
  }
}

package io.waterclock.definition;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.search.WallClock;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * The occurrences of one schedule that its calendars exclude, by the dates that the wall clock of
 * its zone shows. A date is excluded when any of the calendars excludes it. Spends a step for each
 * look-up of a date in a calendar. Otherwise immutable. Only the thread of the meter may use it.
 */
public final class Exclusions {
  /**
   * The limit of the search for a date that is not excluded. An occurrence without such a date is
   * missed.
   */
  static final int FARTHEST_MOVE_DAYS = 366;

  private final WallClock clock;
  private final List<Calendars.History> calendars;
  private final boolean moves;
  private final Effort effort;

  private Exclusions(Schedule schedule, ZoneId zone, Calendars calendars, Effort effort) {
    this.clock = WallClock.of(zone);
    this.calendars = schedule.getExcept().stream().map(calendars::history).toList();
    this.moves = schedule.getOnExcluded() == OnExcluded.NEXT_WORKING_DAY;
    this.effort = effort;
  }

  /**
   * The exclusions of the calendars that a schedule names; empty if it names none. An unknown
   * calendar excludes nothing.
   *
   * @param effort from which its steps are spent
   */
  public static Optional<Exclusions> of(
      Schedule schedule, ZoneId zone, Calendars calendars, Effort effort) {
    return schedule.getExcept().isEmpty()
        ? Optional.empty()
        : Optional.of(new Exclusions(schedule, zone, calendars, effort));
  }

  /** True if an excluded occurrence may become due later. */
  public boolean moves() {
    return moves;
  }

  public boolean excludes(Instant at) {
    return isExcluded(clock.day(at), at);
  }

  /**
   * The end, exclusive, of a period from {@code at} in which every instant is excluded like {@code
   * at}, by the same versions, without a clock change. The period may be shorter than possible.
   */
  public Instant alikeUntil(Instant at) {
    long day = clock.day(at);
    long limit = day + FARTHEST_MOVE_DAYS;
    long change = isExcluded(day, at) ? workingDayAfter(day, at) : excludedDayAfter(day, at, limit);
    Instant until = clock.evenlyBefore(Math.min(change, limit + 1), at);
    effort.spend(calendars.size());
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
    long day = clock.day(at);
    long limit = day + FARTHEST_MOVE_DAYS;
    for (long to = workingDayAfter(day, at); to <= limit; to = workingDayAfter(to, at)) {
      Optional<Instant> moved = clock.sameTimeOn(to, at);
      if (moved.isPresent()) {
        return moved.filter(instant -> before.isEmpty() || instant.isBefore(before.get()));
      }
    }
    return Optional.empty();
  }

  private boolean isExcluded(long day, Instant at) {
    effort.spend(calendars.size());
    for (Calendars.History calendar : calendars) {
      if (calendar.at(at).contains(day)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The first date after {@code day} that is not excluded; a day beyond the farthest if none is.
   */
  private long workingDayAfter(long day, Instant at) {
    long limit = day + FARTHEST_MOVE_DAYS;
    long next = day + 1;
    boolean excluded = true;
    while (excluded && next <= limit) {
      excluded = false;
      effort.spend(calendars.size());
      for (Calendars.History calendar : calendars) {
        ExcludedDays days = calendar.at(at);
        if (days.contains(next)) {
          excluded = true;
          next = days.lastOfRun(next) + 1;
        }
      }
    }
    return next;
  }

  private long excludedDayAfter(long day, Instant at, long limit) {
    long first = limit + 1;
    effort.spend(calendars.size());
    for (Calendars.History calendar : calendars) {
      first = Math.min(first, calendar.at(at).firstFrom(day + 1, limit));
    }
    return first;
  }
}

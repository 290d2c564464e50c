package io.waterclock.occurrences;

import io.waterclock.occurrences.search.IntervalUnit;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;

/**
 * The rules of docs/time.md, found by walking through time day by day, hour by hour, minute by
 * minute and second by second with java.time: slow, plain, and sharing no code with the engine.
 */
final class Reference {

  static final Duration HORIZON = Duration.ofDays(400);
  private static final Duration LONGEST_GAP = Duration.ofHours(3);

  private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000);

  private Reference() {}

  static Optional<Instant> next(WallClockSpec spec, ZoneId zone, Instant t) {
    return spec.interval() ? nextShown(spec, zone, t) : nextFixed(spec, zone, t);
  }

  /** Walks through instants, looking at what the clock shows. */
  private static Optional<Instant> nextShown(WallClockSpec spec, ZoneId zone, Instant t) {
    ZoneRules rules = zone.getRules();
    Instant at = t.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
    Instant end = at.plus(HORIZON);
    while (at.isBefore(end)) {
      LocalDateTime shown = LocalDateTime.ofInstant(at, zone);
      LocalDateTime candidate = step(spec, shown);
      if (candidate.equals(shown)) {
        return Optional.of(at);
      }
      Instant moved = at.plus(Duration.between(shown, candidate));
      ZoneOffsetTransition change = rules.nextTransition(at);
      at = change != null && change.getInstant().isBefore(moved) ? change.getInstant() : moved;
    }
    return Optional.empty();
  }

  /** Walks through wall-clock times, looking at where each falls. */
  private static Optional<Instant> nextFixed(WallClockSpec spec, ZoneId zone, Instant t) {
    ZoneRules rules = zone.getRules();
    LocalDateTime local = firstNotYetPassed(rules, t);
    LocalDateTime end = local.plus(HORIZON);
    while (local.isBefore(end)) {
      LocalDateTime candidate = step(spec, local);
      if (candidate.equals(local)) {
        Optional<Instant> found = instantOf(rules, local).filter(instant -> instant.isAfter(t));
        if (found.isPresent()) {
          return found;
        }
        candidate = local.plusSeconds(1);
      }
      local = candidate;
    }
    return Optional.empty();
  }

  /** This time if it matches, otherwise the start of the next second, minute, hour or day. */
  private static LocalDateTime step(WallClockSpec spec, LocalDateTime at) {
    if (!spec.days().test(at.toLocalDate())) {
      return at.toLocalDate().plusDays(1).atStartOfDay();
    }
    if (!spec.hours().contains(at.getHour())) {
      return at.truncatedTo(ChronoUnit.HOURS).plusHours(1);
    }
    if (!spec.minutes().contains(at.getMinute())) {
      return at.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
    }
    return spec.seconds().contains(at.getSecond()) ? at : at.plusSeconds(1);
  }

  private static LocalDateTime firstNotYetPassed(ZoneRules rules, Instant t) {
    Instant second = t.truncatedTo(ChronoUnit.SECONDS);
    LocalDateTime shown = LocalDateTime.ofInstant(second, rules.getOffset(second));
    ZoneOffsetTransition change = rules.previousTransition(second.plusSeconds(1));
    return change != null && change.isOverlap() && shown.isBefore(change.getDateTimeBefore())
        ? change.getDateTimeBefore()
        : shown.plusSeconds(1);
  }

  /** At the end of a gap of up to three hours, at the first pass of an overlap. */
  static Optional<Instant> instantOf(ZoneRules rules, LocalDateTime local) {
    ZoneOffsetTransition change = rules.getTransition(local);
    if (change != null && change.isGap()) {
      return change.getDuration().compareTo(LONGEST_GAP) <= 0
          ? Optional.of(change.getInstant())
          : Optional.empty();
    }
    return Optional.of(local.toInstant(rules.getOffset(local)));
  }

  /** The first point of a calendar grid after {@code t}, by walking; at most {@code steps}. */
  static Optional<Instant> nextOnGrid(
      Instant anchor, long n, IntervalUnit unit, ZoneId zone, Instant t, int steps) {
    LocalDateTime start = LocalDateTime.ofInstant(anchor, zone);
    for (int k = 0; k <= steps; k++) {
      Optional<Instant> point = point(anchor, start, k * n, unit, zone.getRules());
      if (point.isPresent() && point.get().isAfter(t)) {
        return point;
      }
    }
    return Optional.empty();
  }

  /** The first point of a grid of durations after {@code t}, by division in whole nanoseconds. */
  static Instant nextOnExactGrid(Instant anchor, Duration step, Instant t) {
    if (t.isBefore(anchor)) {
      return anchor;
    }
    BigInteger steps = nanos(Duration.between(anchor, t)).divide(nanos(step)).add(BigInteger.ONE);
    BigInteger[] distance = nanos(step).multiply(steps).divideAndRemainder(NANOS_PER_SECOND);
    return anchor.plusSeconds(distance[0].longValueExact()).plusNanos(distance[1].longValueExact());
  }

  private static BigInteger nanos(Duration duration) {
    return BigInteger.valueOf(duration.getSeconds())
        .multiply(NANOS_PER_SECOND)
        .add(BigInteger.valueOf(duration.getNano()));
  }

  private static Optional<Instant> point(
      Instant anchor, LocalDateTime start, long units, IntervalUnit unit, ZoneRules rules) {
    if (units == 0) {
      return Optional.of(anchor);
    }
    return switch (unit) {
      case MILLISECOND, SECOND, MINUTE, HOUR ->
          throw new IllegalArgumentException("exact: " + unit);
      case DAY -> instantOf(rules, start.plusDays(units));
      case WEEK -> instantOf(rules, start.plusWeeks(units));
      case MONTH -> instantOf(rules, start.plusMonths(units));
      case YEAR -> instantOf(rules, start.plusYears(units));
    };
  }
}

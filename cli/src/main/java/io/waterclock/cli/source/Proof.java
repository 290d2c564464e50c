package io.waterclock.cli.source;

import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.Zones;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Our occurrences next to those of another scheduler's own library.
 *
 * @param agreed how many occurrences both have
 * @param differences all others up to the last instant compared, ascending; at most {@value
 *     #MOST_DIFFERENCES}
 * @param through the last instant compared
 */
public record Proof(long agreed, List<Difference> differences, Instant through) {
  private static final int MOST_DIFFERENCES = 10_000;

  /** Where the day fields of an expression with seconds are. */
  private static final int DAY_OF_MONTH = 3;

  private static final int DAY_OF_WEEK = 5;

  /** A library that finds nothing in this time is stopped. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Quartz searches as far as the year a hundred years from now. */
  private static final Duration LEAST_OF_QUARTZ = Duration.ofDays(99 * 365);

  private static final Pattern LONG_BEFORE_LAST = Pattern.compile("L-(28|29|30)");
  private static final Pattern STEP_OR_SUNDAY_RANGE = Pattern.compile("/|(7|SUN)-");
  private static final Pattern STAR_WITH_STEP = Pattern.compile("\\*/.*");

  public Proof {
    differences = List.copyOf(differences);
  }

  /**
   * Whether both sides have an occurrence in common, and a known rule explains every difference.
   */
  public boolean holds() {
    return agreed > 0 && isExplained();
  }

  /** Whether a known rule explains every difference. */
  boolean isExplained() {
    return differences.stream().noneMatch(one -> one.reason() == Reason.UNKNOWN);
  }

  /**
   * Compares a schedule with its source, each within its own bounds.
   *
   * @param from exclusive
   * @param count how many occurrences of the source
   * @param loader of the other scheduler's library
   * @throws EngineFailure if the library is missing, refuses the text, or throws
   */
  public static Proof of(MovedSchedule moved, Instant from, int count, ClassLoader loader) {
    SourceTrigger source = moved.source().orElseThrow();
    Schedule definition = moved.definition();
    ZoneId zone = Zones.parse(definition.getTimezone());
    Optional<Instant> start = Optional.ofNullable(definition.getStartAt());
    Optional<Instant> end = Optional.ofNullable(definition.getEndAt());
    Trigger ours =
        Triggers.define(moved.id(), definition, zone, Triggers.resolve(definition, zone, from))
            .within(start, end);
    return of(ours, source, from, count, loader);
  }

  /** The same for a trigger alone. */
  public static Proof of(
      Trigger ours, SourceTrigger source, Instant from, int count, ClassLoader loader) {
    return new Comparison(ours, source, source.occurrences(loader), from.plus(LEAST_OF_QUARTZ))
        .run(from, count);
  }

  /**
   * An occurrence of one side only.
   *
   * @param ours whether it is ours; else the other scheduler's
   * @param reason the known rule that explains it
   */
  public record Difference(Instant at, boolean ours, Reason reason) {}

  /** Why two schedulers differ. */
  public enum Reason {
    CLOCK_CHANGE("a clock change, for which each scheduler has its own rule"),

    /** Quartz misses a day to which W moves forward, and finds one time of a day of W only. */
    QUARTZ_WORKDAY("Quartz can miss a day of W, and fires once on it whatever times are named"),

    /** Quartz searches no further than a hundred years ahead. */
    QUARTZ_END("Quartz stops a hundred years from now"),

    /** Spring skips a Sunday at the end of a month, and finds 30W in a February of 29 days. */
    SPRING_WORKDAY("Spring moves W in another way at the end of a month"),

    /** Spring counts L-30 back from a shorter month into the one before. */
    SPRING_LAST("Spring counts L-28 and more back into the month before"),

    SPRING_END("Spring stops searching"),

    /** cron-utils matches either day field where one begins with a star; cron matches both. */
    CRON_UTILS_STAR("cron-utils reads */n in a day field in another way than cron"),

    CRON_UTILS_WEEK("cron-utils reads steps and ranges from Sunday in another way than Spring"),

    /** cron-utils moves the days of W to other days than Spring, or fails on them. */
    CRON_UTILS_WORKDAY("cron-utils reads W in another way than Spring"),

    /** cron-utils looks ahead for a limited number of years. */
    CRON_UTILS_END("cron-utils stops searching some hundred years from now"),

    UNKNOWN("unexplained");

    private final String words;

    Reason(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  private static final class Comparison {
    private final Trigger ours;
    private final SourceTrigger source;
    private final SourceOccurrences theirs;
    private final Instant searchedByQuartz;
    private final List<Difference> differences = new ArrayList<>();

    Comparison(
        Trigger ours, SourceTrigger source, SourceOccurrences theirs, Instant searchedByQuartz) {
      this.ours = ours;
      this.source = source;
      this.theirs = theirs;
      this.searchedByQuartz = searchedByQuartz;
    }

    Proof run(Instant from, int count) {
      Instant through = from;
      Optional<Instant> our = ours.nextAfter(from);
      Optional<Instant> their = theirs.nextAfter(from);
      long agreed = 0;
      long end = System.nanoTime() + PATIENCE.toNanos();
      for (long seen = 0;
          seen < count
              && (our.isPresent() || their.isPresent())
              && differences.size() < MOST_DIFFERENCES
              && System.nanoTime() < end;
          seen++) {
        boolean isOurs = their.isEmpty() || (our.isPresent() && !our.get().isAfter(their.get()));
        boolean isTheirs = our.isEmpty() || (their.isPresent() && !their.get().isAfter(our.get()));
        through = (isOurs ? our : their).orElseThrow();
        if (isOurs && isTheirs) {
          agreed++;
        } else {
          differences.add(new Difference(through, isOurs, reason(through, isOurs, their)));
        }
        our = isOurs ? ours.nextAfter(through) : our;
        their = isTheirs ? theirs.nextAfter(through) : their;
      }
      return new Proof(agreed, differences, through);
    }

    private Reason reason(Instant at, boolean isOurs, Optional<Instant> their) {
      if (isAtClockChange(at)) {
        return Reason.CLOCK_CHANGE;
      }
      boolean isEnd = isOurs && their.isEmpty();
      return switch (source.engine()) {
        case QUARTZ ->
            isOurs && field(DAY_OF_MONTH).contains("W")
                ? Reason.QUARTZ_WORKDAY
                : isEnd && at.isAfter(searchedByQuartz) ? Reason.QUARTZ_END : Reason.UNKNOWN;
        case SPRING -> inSpring(isEnd);
        case DB_SCHEDULER ->
            STEP_OR_SUNDAY_RANGE.matcher(field(DAY_OF_WEEK)).find()
                ? Reason.CRON_UTILS_WEEK
                : field(DAY_OF_MONTH).contains("W")
                    ? Reason.CRON_UTILS_WORKDAY
                    : isEnd ? Reason.CRON_UTILS_END : Reason.UNKNOWN;
        case CRON_UTILS ->
            !isOurs
                    && (STAR_WITH_STEP.matcher(field(DAY_OF_MONTH - 1)).matches()
                        || STAR_WITH_STEP.matcher(field(DAY_OF_WEEK - 1)).matches())
                ? Reason.CRON_UTILS_STAR
                : Reason.UNKNOWN;
        case QUARTZ_INTERVAL, JOBRUNR, JOBRUNR_INTERVAL, ROBFIG -> Reason.UNKNOWN;
      };
    }

    private Reason inSpring(boolean isEnd) {
      if (LONG_BEFORE_LAST.matcher(field(DAY_OF_MONTH)).find()) {
        return Reason.SPRING_LAST;
      }
      return field(DAY_OF_MONTH).contains("W")
          ? Reason.SPRING_WORKDAY
          : isEnd ? Reason.SPRING_END : Reason.UNKNOWN;
    }

    /** A field of the source's expression, from 0; empty if it has fewer. */
    private String field(int index) {
      String[] fields = source.rule().text().strip().toUpperCase(Locale.ROOT).split("\\s+");
      return index < fields.length ? fields[index] : "";
    }

    /** At the end of a gap, in the day that it cuts, or within both passes of an overlap. */
    private boolean isAtClockChange(Instant at) {
      ZoneId zone = source.rule().zone();
      ZoneOffsetTransition before = zone.getRules().previousTransition(at.plusMillis(1));
      ZoneOffsetTransition after = zone.getRules().nextTransition(at);
      return (before != null && touches(before, at)) || (after != null && touches(after, at));
    }

    private static boolean touches(ZoneOffsetTransition change, Instant at) {
      Duration length = change.getDuration().abs();
      Instant changed = change.getInstant();
      if (change.isGap()) {
        return !at.isBefore(changed) && at.isBefore(changed.plus(length));
      }
      Instant first = change.getDateTimeAfter().toInstant(change.getOffsetBefore());
      Instant last = change.getDateTimeBefore().toInstant(change.getOffsetAfter());
      return at.equals(changed) || (!at.isBefore(first) && at.isBefore(last));
    }
  }
}

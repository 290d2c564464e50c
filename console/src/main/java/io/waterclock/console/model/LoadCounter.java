package io.waterclock.console.model;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.definition.Occurrence;
import io.waterclock.occurrences.core.Effort;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Counts occurrences by minute.
 *
 * <p>Cost: a few steps for each occurrence, up to {@value #MOST} occurrences a schedule: one of
 * every minute takes a millisecond or so. A schedule with more is counted for as many as that, and
 * its later ones are taken to be as dense. Not thread-safe.
 */
final class LoadCounter {
  /** One a minute for the whole range. */
  static final int MOST = LoadAhead.MINUTES;

  private static final long MINUTE_MS = 60_000;

  private final Instant from;
  private final Instant to;
  private final double[] minutes = new double[LoadAhead.MINUTES];
  private long schedules;

  LoadCounter(Instant now) {
    from = now.truncatedTo(ChronoUnit.MINUTES);
    to = from.plus(LoadAhead.RANGE);
  }

  /**
   * Adds the occurrences of a schedule.
   *
   * @param times how many schedules are like it
   */
  void add(KnownSchedule known, Upcoming upcoming, long times, Effort effort) {
    schedules += times;
    Iterator<Occurrence> each = upcoming.following(known, from.minusMillis(1), effort).iterator();
    int counted = 0;
    Instant last = from;
    while (each.hasNext() && counted < MOST) {
      last = each.next().due();
      if (!last.isBefore(to)) {
        return;
      }
      minutes[minute(last)] += times;
      counted++;
    }
    if (counted == MOST) {
      extend(minute(last), times);
    }
  }

  /**
   * Adds the occurrences of many schedules, each spread evenly over the time by which jitter may
   * delay it: on average, that is what the jitter of many ids does.
   *
   * @param jitter zero for none; capped before the next occurrence
   */
  void add(KnownSchedule known, Upcoming upcoming, long times, Duration jitter, Effort effort) {
    if (jitter.isZero()) {
      add(known, upcoming, times, effort);
      return;
    }
    schedules += times;
    Iterator<Occurrence> each = upcoming.following(known, from.minus(jitter), effort).iterator();
    Optional<Instant> last = Optional.empty();
    for (int counted = 0; each.hasNext() && counted < MOST; counted++) {
      Instant at = each.next().due();
      last.ifPresent(before -> spread(before, shorter(jitter, before, at), times));
      last = Optional.of(at);
      if (!at.isBefore(to)) {
        return;
      }
    }
    last.ifPresent(before -> spread(before, jitter, times));
  }

  private static Duration shorter(Duration jitter, Instant at, Instant next) {
    Duration gap = Duration.between(at, next);
    return gap.compareTo(jitter) < 0 ? gap : jitter;
  }

  private void spread(Instant at, Duration width, long times) {
    long startMs = Duration.between(from, at).toMillis();
    long endMs = startMs + Math.max(1, width.toMillis());
    double perMs = (double) times / (endMs - startMs);
    for (long ms = Math.max(0, startMs); ms < endMs && ms < MINUTE_MS * minutes.length; ) {
      long next = Math.min(endMs, (ms / MINUTE_MS + 1) * MINUTE_MS);
      minutes[(int) (ms / MINUTE_MS)] += perMs * (next - ms);
      ms = next;
    }
  }

  /** As many a minute as in the counted part. */
  private void extend(int lastCounted, long times) {
    long each = MOST / Math.max(1, lastCounted) * times;
    for (int minute = lastCounted + 1; minute < minutes.length; minute++) {
      minutes[minute] += each;
    }
  }

  private int minute(Instant at) {
    return (int) Math.min(LoadAhead.MINUTES - 1, Duration.between(from, at).toMinutes());
  }

  /**
   * Adds what another one has counted, which was a part of what it stands for.
   *
   * @param all how many schedules the other one stands for
   */
  void addSample(LoadCounter sample, long all) {
    schedules += all;
    if (sample.schedules == 0) {
      return;
    }
    double scale = (double) all / sample.schedules;
    for (int minute = 0; minute < minutes.length; minute++) {
      minutes[minute] += sample.minutes[minute] * scale;
    }
  }

  void addAll(LoadCounter other) {
    for (int minute = 0; minute < minutes.length; minute++) {
      minutes[minute] += other.minutes[minute];
    }
    schedules += other.schedules;
  }

  /** Whole numbers; what rounding takes from a minute it gives to the next ones. */
  LoadAhead result(boolean isEstimate, List<LoadAhead.Group> groups) {
    List<Long> whole = new ArrayList<>(minutes.length);
    double rest = 0;
    for (double minute : minutes) {
      long rounded = minute == 0 ? 0 : Math.round(minute + rest);
      rest = minute == 0 ? rest : minute + rest - rounded;
      whole.add(rounded);
    }
    return new LoadAhead(from, whole, schedules, isEstimate, groups);
  }
}

package io.waterclock.console.model;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.definition.Occurrence;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Iterator;

/**
 * Counts occurrences by minute.
 *
 * <p>Cost: a step for each occurrence, up to {@value #MOST} a schedule: one of every minute takes a
 * millisecond or so. A schedule with more is counted for as many as that, and its later ones are
 * taken to be as dense. Not thread-safe.
 */
final class LoadCounter {
  /** One a minute for the whole range. */
  static final int MOST = LoadAhead.MINUTES;

  private final Instant from;
  private final Instant to;
  private final long[] minutes = new long[LoadAhead.MINUTES];
  private long schedules;
  private long steps;

  LoadCounter(Instant now) {
    from = now.truncatedTo(ChronoUnit.MINUTES);
    to = from.plus(LoadAhead.RANGE);
  }

  /**
   * Adds the occurrences of a schedule.
   *
   * @param times how many schedules are like it
   */
  void add(KnownSchedule known, Upcoming upcoming, long times) {
    schedules += times;
    Iterator<Occurrence> each = upcoming.following(known, from.minusMillis(1));
    int counted = 0;
    Instant last = from;
    while (each.hasNext() && counted < MOST) {
      last = each.next().due();
      if (!last.isBefore(to)) {
        return;
      }
      minutes[minute(last)] += times;
      counted++;
      steps++;
    }
    if (counted == MOST) {
      extend(minute(last), times);
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

  /** How many occurrences it has counted one by one. */
  long steps() {
    return steps;
  }

  /**
   * Adds what another one has counted, which was a part of what it stands for.
   *
   * @param all how many schedules the other one stands for
   */
  void addSample(LoadCounter sample, long all) {
    if (sample.schedules == 0) {
      return;
    }
    double scale = (double) all / sample.schedules;
    for (int minute = 0; minute < minutes.length; minute++) {
      minutes[minute] += Math.round(sample.minutes[minute] * scale);
    }
    schedules += all;
  }

  LoadAhead result(boolean isEstimate) {
    return new LoadAhead(from, Arrays.stream(minutes).boxed().toList(), schedules, isEstimate);
  }
}

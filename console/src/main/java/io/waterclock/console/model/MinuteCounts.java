package io.waterclock.console.model;

import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.IntCountsHistogram;
import org.jspecify.annotations.Nullable;

/**
 * What happened in each of the last minutes: fires, missed occurrences by reason, outcomes by
 * state, and a histogram of lateness. Older records count nowhere. Not thread-safe.
 */
final class MinuteCounts {
  private static final long MINUTE_MS = 60_000;
  private static final int DIGITS = 2;

  private final Minute[] minutes;

  private static final class Minute {
    long number = Long.MIN_VALUE;
    long fires;
    final Map<MissedReason, Long> missed = new EnumMap<>(MissedReason.class);
    final Map<OutcomeState, Long> outcomes = new EnumMap<>(OutcomeState.class);
    @Nullable IntCountsHistogram lateness;

    void begin(long newNumber) {
      number = newNumber;
      fires = 0;
      missed.clear();
      outcomes.clear();
      lateness = null;
    }
  }

  /**
   * @param length how many minutes to keep, at least 1
   */
  MinuteCounts(int length) {
    minutes = new Minute[length];
    for (int i = 0; i < length; i++) {
      minutes[i] = new Minute();
    }
  }

  /** A fire; its lateness counts if it was due by the trigger. */
  void fired(Instant at, Duration late, boolean byTrigger) {
    Minute minute = minute(at);
    if (minute == null) {
      return;
    }
    minute.fires++;
    if (byTrigger) {
      if (minute.lateness == null) {
        minute.lateness = new IntCountsHistogram(DIGITS);
      }
      minute.lateness.recordValue(Math.max(0, late.toMillis()));
    }
  }

  void missed(Instant at, MissedReason reason, long count) {
    Minute minute = minute(at);
    if (minute != null) {
      minute.missed.merge(reason, count, Long::sum);
    }
  }

  void reported(Instant at, OutcomeState state) {
    Minute minute = minute(at);
    if (minute != null) {
      minute.outcomes.merge(state, 1L, Long::sum);
    }
  }

  /** The minute of an instant; null if a later one has taken its place. */
  private @Nullable Minute minute(Instant at) {
    long number = Math.floorDiv(at.toEpochMilli(), MINUTE_MS);
    Minute minute = minutes[(int) Math.floorMod(number, (long) minutes.length)];
    if (minute.number > number) {
      return null;
    }
    if (minute.number < number) {
      minute.begin(number);
    }
    return minute;
  }

  /**
   * The last minutes, oldest first; the last one is the minute of {@code now}, which is not over.
   *
   * @param most at most this many
   */
  List<Overview.Minute> last(int most, Instant now) {
    long latest = Math.floorDiv(now.toEpochMilli(), MINUTE_MS);
    List<Overview.Minute> found = new ArrayList<>();
    for (long number = latest - Math.min(most, minutes.length) + 1; number <= latest; number++) {
      Minute minute = minutes[(int) Math.floorMod(number, (long) minutes.length)];
      Instant at = Instant.ofEpochMilli(number * MINUTE_MS);
      found.add(view(at, minute.number == number ? minute : new Minute()));
    }
    return found;
  }

  private static Overview.Minute view(Instant at, Minute minute) {
    Optional<IntCountsHistogram> lateness = Optional.ofNullable(minute.lateness);
    return new Overview.Minute(
        at,
        minute.fires,
        Map.copyOf(minute.missed),
        Map.copyOf(minute.outcomes),
        lateness.map(all -> all.getValueAtPercentile(50)),
        lateness.map(all -> all.getValueAtPercentile(99)));
  }
}

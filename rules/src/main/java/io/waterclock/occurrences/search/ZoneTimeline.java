package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Civil;
import io.waterclock.occurrences.core.ClockRule;
import io.waterclock.occurrences.core.Horizon;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneOffsetTransitionRule;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * A zone's clock changes, laid out for looking up offsets without allocating.
 *
 * <p>Idea: segments of constant offset divide the time. The past segments are listed one by one.
 * The rules for the future repeat with the Gregorian calendar every 400 years, so one such cycle is
 * listed, and later instants are folded back into it. Each second lies in a bucket of 2^24 seconds
 * (194 days) that names the segment at its start, and few changes fall into one bucket.
 *
 * <p>Cost: a look-up is a shift, two array reads and one or two comparisons. A zone is laid out
 * once, in about a millisecond and 15 KB.
 *
 * <p>Example: Europe/Berlin, 2026-03-29T01:00Z. The segment that begins there has the offset +2 h
 * and its predecessor +1 h: its first local second is 03:00, and it inherits the wall-clock times
 * from 02:00 on, which the jump has skipped.
 *
 * <p>Immutable. Seconds are epoch seconds; local seconds are epoch seconds plus the offset.
 */
final class ZoneTimeline {

  private static final long MAX_OFFSET = 18 * 3600;
  private static final int BUCKET_BITS = 24;
  private static final long FAR = 1L << 60;
  private static final ConcurrentHashMap<ZoneId, ZoneTimeline> REGIONS = new ConcurrentHashMap<>();

  /** Segment i is starts[i] to below starts[i + 1]: one entry more than there are segments. */
  private final long[] starts;

  private final int[] offsets;

  /** The segment at which the 400 years begin that repeat for ever. */
  private final int cycle;

  private final long firstBucket;
  private final short[] buckets;

  private ZoneTimeline(long[] starts, int[] offsets, int cycle) {
    this.starts = starts;
    this.offsets = offsets;
    this.cycle = cycle;
    this.firstBucket = starts[1] >> BUCKET_BITS;
    this.buckets = buckets(starts, firstBucket);
  }

  /** The timeline of a zone. Those of regions are kept; there are some 600. */
  static ZoneTimeline of(ZoneId zone) {
    ZoneRules rules = zone.getRules();
    if (rules.isFixedOffset()) {
      int offset = rules.getOffset(Instant.EPOCH).getTotalSeconds();
      return new ZoneTimeline(new long[] {-FAR, FAR}, new int[] {offset}, 0);
    }
    return REGIONS.computeIfAbsent(zone, region -> read(rules));
  }

  private static ZoneTimeline read(ZoneRules rules) {
    List<ZoneOffsetTransition> listed = rules.getTransitions();
    int lastListedYear = listed.get(listed.size() - 1).getDateTimeBefore().getYear();
    int firstYear = lastListedYear + 2;
    Segments segments = new Segments(listed.get(0).getOffsetBefore().getTotalSeconds());
    listed.forEach(segments::add);
    segments.addYears(rules.getTransitionRules(), lastListedYear, firstYear);
    int cycle = segments.cut(startOfYear(firstYear));
    segments.addYears(rules.getTransitionRules(), firstYear, firstYear + 400);
    segments.cut(startOfYear(firstYear) + Civil.SECONDS_PER_CYCLE);
    return segments.timeline(cycle);
  }

  private static long startOfYear(int year) {
    return Civil.firstDay(year, 1) * Civil.SECONDS_PER_DAY;
  }

  /** Segments in the making, oldest first. */
  private static final class Segments {
    private final List<Long> starts = new ArrayList<>();
    private final List<Integer> offsets = new ArrayList<>();

    Segments(int firstOffset) {
      add(-FAR, firstOffset);
    }

    void add(ZoneOffsetTransition change) {
      add(change.toEpochSecond(), change.getOffsetAfter().getTotalSeconds());
    }

    /** What the rules for the future say about some years, where nothing is listed for them. */
    void addYears(List<ZoneOffsetTransitionRule> rules, int from, int to) {
      for (int year = from; year < to; year++) {
        for (ZoneOffsetTransitionRule rule : rules) {
          ZoneOffsetTransition change = rule.createTransition(year);
          if (change.toEpochSecond() > starts.get(starts.size() - 1)) {
            add(change);
          }
        }
      }
    }

    /** Begins a segment at which no clock changes, and returns its number. */
    int cut(long second) {
      add(second, offsets.get(offsets.size() - 1));
      return starts.size() - 1;
    }

    private void add(long start, int offset) {
      starts.add(start);
      offsets.add(offset);
    }

    /** Without the offset of the last cut, which only ends the segment before it. */
    ZoneTimeline timeline(int cycle) {
      return new ZoneTimeline(
          starts.stream().mapToLong(Long::longValue).toArray(),
          offsets.stream().mapToInt(Integer::intValue).limit(offsets.size() - 1).toArray(),
          cycle);
    }
  }

  private static short[] buckets(long[] starts, long firstBucket) {
    int segments = starts.length - 1;
    short[] buckets = new short[(int) ((starts[segments] >> BUCKET_BITS) - firstBucket) + 1];
    int segment = 0;
    for (int i = 0; i < buckets.length; i++) {
      while (segment + 1 < segments && starts[segment + 1] <= (firstBucket + i) << BUCKET_BITS) {
        segment++;
      }
      buckets[i] = (short) segment;
    }
    return buckets;
  }

  /**
   * The whole cycles, in seconds, to subtract from an instant so that it lies within the segments.
   */
  long fold(long second) {
    long start = starts[cycle];
    return second < starts[starts.length - 1]
        ? 0
        : (second - start) / Civil.SECONDS_PER_CYCLE * Civil.SECONDS_PER_CYCLE;
  }

  /** The segment of a folded instant. */
  int segment(long second) {
    if (second < starts[1]) {
      return 0;
    }
    int segment = buckets[(int) ((second >> BUCKET_BITS) - firstBucket)];
    while (second >= starts[segment + 1]) {
      segment++;
    }
    return segment;
  }

  /** The segment after this one; where it wraps to the start of the cycle, fold by one more. */
  int following(int segment) {
    return segment + 2 < starts.length ? segment + 1 : cycle;
  }

  int cycle() {
    return cycle;
  }

  int lastSegment() {
    return offsets.length - 1;
  }

  long start(int segment) {
    return starts[segment];
  }

  /** Of -1: before all time. */
  long end(int segment) {
    return starts[segment + 1];
  }

  int offset(int segment) {
    return offsets[segment];
  }

  /** The first local second that the clock shows in a segment. */
  long firstShown(int segment) {
    return starts[segment] + offsets[segment];
  }

  /**
   * The first local second that belongs to a segment for a job at a fixed time: one skipped by a
   * jump of up to three hours belongs to the segment after it, one shown twice to the segment
   * before.
   */
  long firstOwned(int segment) {
    if (segment == 0) {
      return firstShown(0);
    }
    return isLongGap(segment) ? firstShown(segment) : firstSkipped(segment);
  }

  /**
   * The instant of a wall-clock time in milliseconds: at the first pass of an overlap, and at the
   * end of a gap of any length.
   */
  long instantOfLocalMs(long localMs) {
    long local = Math.floorDiv(localMs, 1000);
    long fold = fold(local - MAX_OFFSET);
    local -= fold;
    int segment = segment(local - MAX_OFFSET);
    while (local >= end(segment) + offset(segment)) {
      int following = following(segment);
      if (following <= segment) {
        local -= Civil.SECONDS_PER_CYCLE;
        fold += Civil.SECONDS_PER_CYCLE;
      }
      segment = following;
    }
    long second = local - offset(segment);
    return second < start(segment)
        ? (start(segment) + fold) * 1000
        : (second + fold) * 1000 + Math.floorMod(localMs, 1000);
  }

  /** The instant of a wall-clock second, likewise. */
  long instantOfLocal(long local) {
    return Math.floorDiv(instantOfLocalMs(local * 1000), 1000L);
  }

  /**
   * The first future wall-clock second for a job at a fixed time, after an instant. A skipped time
   * is past at the end of the gap, a repeated time after its first pass.
   */
  long firstLocalAfter(long second) {
    long fold = fold(second);
    int segment = segment(second - fold);
    return fold + Math.max(second - fold + 1 + offset(segment), firstOwned(segment));
  }

  /** The wall-clock second of an instant. */
  long local(long second) {
    return second + offset(segment(second - fold(second)));
  }

  /** The first wall-clock second that the jump at the start of a segment skips. */
  long firstSkipped(int segment) {
    return starts[segment] + offsets[segment - 1];
  }

  /** The wall-clock time of an instant in milliseconds. */
  long localMs(long ms) {
    long second = Math.floorDiv(ms, 1000);
    return ms + offset(segment(second - fold(second))) * 1000L;
  }

  /** Exclusive: where the segment of an instant in milliseconds ends, or the horizon. */
  long nextChangeMs(long ms) {
    long second = Math.floorDiv(ms, 1000);
    long fold = fold(second);
    return Math.min(end(segment(second - fold)) + fold, Horizon.LAST_SECOND + 1) * 1000;
  }

  /** Whether a wall-clock time in milliseconds, found at this instant, lies in a long jump. */
  boolean isLeftOut(long localMs, long ms) {
    long second = Math.floorDiv(ms, 1000);
    return localMs(ms) != localMs && isLongGap(segment(second - fold(second)));
  }

  /** The jumps of more than three hours, as segments that begin with one, oldest first. */
  int[] longGaps() {
    return IntStream.range(1, offsets.length).filter(this::isLongGap).toArray();
  }

  private boolean isLongGap(int segment) {
    return offsets[segment] - offsets[segment - 1] > ClockRule.LONGEST_GAP;
  }
}

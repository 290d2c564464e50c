package io.waterclock.judge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** When each partition had a scheduler that decides, with a right clock. */
public final class Health {
  private final Map<Integer, Long> since = new HashMap<>();
  private final Map<Integer, List<Interval>> intervals = new HashMap<>();

  private record Interval(long fromMs, long toMs) {}

  /** From now on exactly these partitions are decided. */
  public void decided(Set<Integer> partitions, long nowMs) {
    since
        .entrySet()
        .removeIf(
            entry -> {
              if (partitions.contains(entry.getKey())) {
                return false;
              }
              intervals
                  .computeIfAbsent(entry.getKey(), any -> new ArrayList<>())
                  .add(new Interval(entry.getValue(), nowMs));
              return true;
            });
    partitions.forEach(partition -> since.putIfAbsent(partition, nowMs));
  }

  /** True if the partition was decided all the time. */
  public boolean covers(int partition, long fromMs, long toMs) {
    return all(partition)
        .anyMatch(interval -> interval.fromMs() <= fromMs && interval.toMs() >= toMs);
  }

  /** True if the partition was decided at some time between two instants. */
  public boolean touches(int partition, long fromMs, long toMs) {
    return all(partition)
        .anyMatch(interval -> interval.fromMs() <= toMs && interval.toMs() >= fromMs);
  }

  /** True if the partition was decided without a break, for so long, between two instants. */
  public boolean coversSome(int partition, long fromMs, long toMs, long lengthMs) {
    OptionalLong covered = coveredFrom(partition, fromMs, lengthMs);
    return covered.isPresent() && covered.getAsLong() <= toMs;
  }

  /** The first instant at which the partition was decided without a break for so long. */
  public OptionalLong coveredFrom(int partition, long fromMs, long lengthMs) {
    return all(partition)
        .filter(interval -> interval.toMs() - lengthMs >= Math.max(interval.fromMs(), fromMs))
        .mapToLong(interval -> Math.max(interval.fromMs(), fromMs) + lengthMs)
        .min();
  }

  /**
   * Since when the partition was decided without a break, at an instant.
   *
   * @param gapMs a shorter break does not count
   */
  public OptionalLong began(int partition, long atMs, long gapMs) {
    List<Interval> all =
        all(partition)
            .filter(interval -> interval.fromMs() <= atMs)
            .sorted(Comparator.comparingLong(Interval::fromMs).reversed())
            .toList();
    if (all.isEmpty() || all.get(0).toMs() < atMs) {
      return OptionalLong.empty();
    }
    long began = all.get(0).fromMs();
    for (Interval interval : all) {
      if (interval.toMs() + gapMs < began) {
        break;
      }
      began = interval.fromMs();
    }
    return OptionalLong.of(began);
  }

  private Stream<Interval> all(int partition) {
    Stream<Interval> open =
        Stream.ofNullable(since.get(partition)).map(from -> new Interval(from, Long.MAX_VALUE));
    return Stream.concat(intervals.getOrDefault(partition, List.of()).stream(), open);
  }
}

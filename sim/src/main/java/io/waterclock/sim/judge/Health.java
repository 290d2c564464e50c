package io.waterclock.sim.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
    Long open = since.get(partition);
    if (open != null && open <= fromMs) {
      return true;
    }
    return intervals.getOrDefault(partition, List.of()).stream()
        .anyMatch(interval -> interval.fromMs() <= fromMs && interval.toMs() >= toMs);
  }

  /** True if the partition was decided at some time between two instants. */
  public boolean touches(int partition, long fromMs, long toMs) {
    Long open = since.get(partition);
    return (open != null && open <= toMs)
        || intervals.getOrDefault(partition, List.of()).stream()
            .anyMatch(interval -> interval.fromMs() <= toMs && interval.toMs() >= fromMs);
  }

  /** True if the partition was decided without a break, for so long, between two instants. */
  public boolean coversSome(int partition, long fromMs, long toMs, long lengthMs) {
    Long open = since.get(partition);
    return (open != null && toMs - Math.max(open, fromMs) >= lengthMs)
        || intervals.getOrDefault(partition, List.of()).stream()
            .anyMatch(
                interval ->
                    Math.min(interval.toMs(), toMs) - Math.max(interval.fromMs(), fromMs)
                        >= lengthMs);
  }
}

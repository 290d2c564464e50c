package io.waterclock.bench.chaos;

import io.waterclock.bench.chaos.plan.FaultKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;

/**
 * Measures, for each heal, how long the partitions that did not fire at that moment took to fire
 * again. A partition counts as affected if its last fire was seen more than 1.5 s before the heal:
 * each has a schedule that fires every second. Thread-safe.
 */
final class Comebacks {
  private static final long SILENT_MS = 1_500;

  /** A heal, and the partitions that have not fired since. */
  private record Waiting(FaultKind kind, long healedMs, List<Integer> partitions) {}

  private final long[] lastMs;
  private final List<Waiting> waiting = new ArrayList<>();
  private final Map<FaultKind, Histogram> times = new EnumMap<>(FaultKind.class);

  Comebacks(int partitions) {
    this.lastMs = new long[partitions];
  }

  synchronized void fired(int partition, long nowMs) {
    if (partition >= lastMs.length) {
      return; // it was added during the run: its schedules fired in another one before
    }
    lastMs[partition] = nowMs;
    for (Waiting one : waiting) {
      if (one.partitions().remove((Integer) partition)) {
        times
            .computeIfAbsent(one.kind(), kind -> new Histogram(3))
            .recordValue(Math.max(0, nowMs - one.healedMs()));
      }
    }
    waiting.removeIf(one -> one.partitions().isEmpty());
  }

  synchronized void healed(FaultKind kind, long nowMs) {
    List<Integer> silent = new ArrayList<>();
    for (int partition = 0; partition < lastMs.length; partition++) {
      if (nowMs - lastMs[partition] > SILENT_MS) {
        silent.add(partition);
      }
    }
    if (!silent.isEmpty()) {
      waiting.add(new Waiting(kind, nowMs, silent));
    }
  }

  synchronized boolean haveAllFired() {
    return LongStream.of(lastMs).allMatch(last -> last > 0);
  }

  /** Milliseconds, of each affected partition. */
  synchronized Map<FaultKind, Histogram> times() {
    return new EnumMap<>(times);
  }
}

package io.waterclock.topology.intake;

import java.util.EnumMap;
import java.util.Map;

/** The counts of a task of the intake since its assignment, committed or not. Not thread-safe. */
public final class IntakeCounts {
  private final Map<LaterOutcome, Long> records = new EnumMap<>(LaterOutcome.class);

  void count(LaterOutcome outcome) {
    records.merge(outcome, 1L, Long::sum);
  }

  public long records(LaterOutcome outcome) {
    return records.getOrDefault(outcome, 0L);
  }
}

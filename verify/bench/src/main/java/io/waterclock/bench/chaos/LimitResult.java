package io.waterclock.bench.chaos;

import io.waterclock.judge.Finding;
import java.util.List;

/** What became of fires that waited for limits: how many records there were, and what is wrong. */
record LimitResult(int limits, int waiting, int started, List<Finding> findings) {
  @Override
  public String toString() {
    return "limits: %d records of limits, %d of what waits, %d started; %d findings"
        .formatted(limits, waiting, started, findings.size());
  }
}

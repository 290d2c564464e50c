package io.waterclock.bench.chaos;

import java.util.List;

/** What became of records that were to be delivered later. */
record LaterResult(int sent, long cancelled, int arrived, List<String> findings) {
  @Override
  public String toString() {
    return "later: %d records sent, %d of them cancelled in time; %d arrived; %d findings"
        .formatted(sent, cancelled, arrived, findings.size());
  }
}

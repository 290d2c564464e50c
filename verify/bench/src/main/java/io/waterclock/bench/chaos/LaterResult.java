package io.waterclock.bench.chaos;

import java.util.List;

/** What became of records that were to be delivered later. */
record LaterResult(int sent, long stopped, int moved, int arrived, List<String> findings) {
  @Override
  public String toString() {
    return ("later: %d records sent, %d of them under names that waited; %d cancelled or moved in"
            + " time; %d arrived; %d findings")
        .formatted(sent, moved, stopped, arrived, findings.size());
  }
}

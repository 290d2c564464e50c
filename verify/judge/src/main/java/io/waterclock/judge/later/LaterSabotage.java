package io.waterclock.judge.later;

import io.waterclock.judge.Entry;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * A fault that is planted between the target of delayed records and its judge, so that the judge is
 * seen to find it.
 */
public enum LaterSabotage {
  /** A record does not arrive. */
  LOSE,
  /** A record arrives twice. */
  DOUBLE,
  /** A record arrives with other bytes. */
  ALTER,
  /** A record arrives that was cancelled long before. */
  REVIVE;

  /**
   * Plants the fault.
   *
   * @return false if there is no place for it
   */
  public boolean plantIn(List<Entry<byte[]>> arrived, DelayedRecords sent) {
    OptionalInt place =
        IntStream.range(0, arrived.size())
            .filter(n -> sent.isExpected(DelayedRecords.value(arrived.get(n))))
            .findFirst();
    if (place.isEmpty()) {
      return false;
    }
    int n = place.getAsInt();
    Entry<byte[]> one = arrived.get(n);
    switch (this) {
      case LOSE -> arrived.remove(n);
      case DOUBLE -> arrived.add(one);
      case ALTER ->
          arrived.set(
              n,
              new Entry<>(
                  one.topic(),
                  one.partition(),
                  one.offset(),
                  one.key() + "0",
                  one.value(),
                  one.headers(),
                  one.timestampMs(),
                  one.appendedMs(),
                  one.visibleMs()));
      case REVIVE -> sent.cancelled(DelayedRecords.value(one), 0);
    }
    return true;
  }
}

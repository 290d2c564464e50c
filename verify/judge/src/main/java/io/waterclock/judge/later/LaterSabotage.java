package io.waterclock.judge.later;

import io.waterclock.judge.Entry;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  /** A record arrives that was cancelled by a tombstone long before. */
  REVIVE,
  /** A record arrives although the scheduler had answered its cancellation. */
  IGNORE,
  /** A record arrives although it was moved, beside the one that moved it. */
  STAY,
  /** Two records of one line and one instant arrive in the wrong order. */
  SWAP;

  /**
   * Plants the fault.
   *
   * @return false if there is no place for it
   */
  public boolean plantIn(List<Entry<byte[]>> arrived, DelayedRecords sent) {
    if (this == STAY) {
      return stay(arrived, sent);
    }
    if (this == SWAP) {
      return swap(arrived, sent);
    }
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
      case ALTER -> arrived.set(n, with(one, one.key() + "0", DelayedRecords.value(one)));
      case IGNORE -> sent.answered(DelayedRecords.value(one), 0);
      default -> sent.cancelled(DelayedRecords.value(one), 0);
    }
    return true;
  }

  /** The earlier record of a name arrives just before the one that has moved it. */
  private static boolean stay(List<Entry<byte[]>> arrived, DelayedRecords sent) {
    Map<String, String> moves = sent.heldMoves();
    OptionalInt place =
        IntStream.range(0, arrived.size())
            .filter(n -> moves.containsKey(DelayedRecords.value(arrived.get(n))))
            .findFirst();
    place.ifPresent(
        n -> {
          Entry<byte[]> mover = arrived.get(n);
          DelayedRecords.Sent earlier =
              Optional.ofNullable(moves.get(DelayedRecords.value(mover)))
                  .flatMap(sent::sent)
                  .orElseThrow();
          arrived.add(n, with(mover, earlier.key(), earlier.value()));
        });
    return place.isPresent();
  }

  private static boolean swap(List<Entry<byte[]>> arrived, DelayedRecords sent) {
    Map<String, Integer> places = new HashMap<>();
    for (int n = 0; n < arrived.size(); n++) {
      Optional<DelayedRecords.Sent> record = sent.sent(DelayedRecords.value(arrived.get(n)));
      if (record.isPresent()) {
        Integer before = places.put(record.get().line() + "@" + record.get().dueMs(), n);
        if (before != null) {
          Entry<byte[]> one = arrived.set(before, arrived.get(n));
          arrived.set(n, one);
          return true;
        }
      }
    }
    return false;
  }

  private static Entry<byte[]> with(Entry<byte[]> one, String key, String value) {
    Map<String, String> headers = new HashMap<>(one.headers());
    headers.put("own", value);
    return new Entry<>(
        one.topic(),
        one.partition(),
        one.offset(),
        key,
        Optional.of(value.getBytes(StandardCharsets.UTF_8)),
        headers,
        one.timestampMs(),
        one.appendedMs(),
        one.visibleMs());
  }
}

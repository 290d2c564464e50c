package io.waterclock.judge.limits;

import io.waterclock.judge.Entry;
import io.waterclock.schemas.avro.Fire;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A fault of the limiter that is planted between the topics and the judge of limits, so that the
 * judge is seen to find it.
 */
public enum LimitSabotage {
  /** More run at a time, and more start in a second, than a limit allows. */
  CROWD,
  /** A fire starts twice. */
  RESTART,
  /** The fires of a limit that start late start never: its places are lost. */
  STARVE;

  /** Plants the fault; empty if the history has no place for it. */
  public Optional<LimitHistory> plantIn(LimitHistory history) {
    List<Entry<String>> limits = new ArrayList<>(history.limits());
    List<Entry<Fire>> fires = new ArrayList<>(history.fires());
    if (fires.isEmpty()) {
      return Optional.empty();
    }
    switch (this) {
      case CROWD ->
          limits.replaceAll(
              limit ->
                  limit.with(
                      limit
                          .value()
                          .map(
                              json ->
                                  json.replaceAll("(max_running|per_second)\":\\d", "$1\":1"))));
      case RESTART -> fires.add(fires.get(fires.size() / 2));
      case STARVE -> {
        int middle = fires.size() / 2;
        long fromMs =
            fires.stream()
                .mapToLong(Entry::timestampMs)
                .sorted()
                .skip(middle)
                .findFirst()
                .getAsLong();
        fires.removeIf(fire -> fire.timestampMs() > fromMs);
      }
    }
    return Optional.of(
        new LimitHistory(
            history.partitions(),
            history.waiting(),
            limits,
            fires,
            history.missed(),
            history.reports(),
            history.alerts(),
            history.changes()));
  }
}

package io.waterclock.topology.scheduler.admit;

import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.store.CommandStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/**
 * Forgets commands that were executed longer ago than the commands topic keeps records, a slice at
 * a time: one pass over them in each interval.
 */
final class ForgetCommands {
  /** The shortest retention of the commands topic. */
  private static final Duration REMEMBERED = Duration.ofDays(7);

  private static final int SLICE = 1_000;

  private final CommandStore store;
  private final Duration interval;
  private Optional<Bytes> last = Optional.empty();
  private Instant nextPassAt = Instant.EPOCH;

  ForgetCommands(CommandStore store, Duration interval) {
    this.store = store;
    this.interval = interval;
  }

  /** What is to be forgotten of the next slice; empty while it is not time. */
  List<Effect> run(Instant now) {
    if (now.isBefore(nextPassAt)) {
      return List.of();
    }
    List<CommandStore.Row> rows = store.rowsAfter(last, SLICE);
    Instant through = now.minus(REMEMBERED);
    List<CommandStore.Row> old =
        rows.stream().filter(row -> row.command().latest().isBefore(through)).toList();
    if (rows.size() < SLICE) {
      last = Optional.empty();
      nextPassAt = now.plus(interval);
    } else {
      last = Optional.of(rows.get(rows.size() - 1).key());
    }
    return old.isEmpty() ? List.of() : List.of(new Effect.ForgetCommands(old, newest(old)));
  }

  private Instant newest(List<CommandStore.Row> forgotten) {
    return forgotten.stream()
        .map(row -> row.command().writtenAt())
        .reduce(store.forgottenThrough(), (a, b) -> a.isBefore(b) ? b : a);
  }
}

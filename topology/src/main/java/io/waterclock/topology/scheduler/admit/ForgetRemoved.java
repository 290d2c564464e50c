package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Forgets removed schedules, a slice at a time: one pass over them in each interval.
 *
 * <p>A removed schedule is remembered as long as the topic is sure to keep its tombstone. If there
 * are too many, they are forgotten earlier, but never within the configured retention. A stray that
 * is read later than that is refused, and not mistaken for a new schedule.
 */
final class ForgetRemoved {
  static final int MANY = 1_000;
  private static final int SLICE = 1_000;

  private final StrayStore store;
  private final Settings.Retention retention;
  private final int most;
  private final Duration interval;
  private Optional<ScheduleId> last = Optional.empty();
  private Instant nextPassAt = Instant.EPOCH;
  private int seen;
  private boolean many;

  /**
   * @param most how many are remembered that were removed longer ago than the retention
   */
  ForgetRemoved(StrayStore store, Settings.Retention retention, int most, Duration interval) {
    this.store = store;
    this.retention = retention;
    this.most = most;
    this.interval = interval;
  }

  /** What is to be forgotten of the next slice; empty while it is not time. */
  List<Effect> run(Instant now) {
    if (now.isBefore(nextPassAt)) {
      return List.of();
    }
    List<StrayStore.Row> rows = store.rowsAfter(last, SLICE);
    Instant through =
        now.minus(
            many && retention.removed().compareTo(retention.tombstones()) < 0
                ? retention.removed()
                : retention.tombstones());
    List<StrayStore.Row> old =
        rows.stream().filter(row -> row.removed().removedAt().isBefore(through)).toList();
    seen += rows.size() - old.size();
    if (rows.size() < SLICE) {
      many = seen > most;
      seen = 0;
      last = Optional.empty();
      nextPassAt = now.plus(interval);
    } else {
      last = Optional.of(rows.get(rows.size() - 1).id());
    }
    return old.isEmpty() ? List.of() : List.of(new Effect.ForgetRemoved(old, and(old)));
  }

  private StrayStore.Forgotten and(List<StrayStore.Row> forgotten) {
    StrayStore.Forgotten all =
        store.forgotten().orElse(new StrayStore.Forgotten(Instant.MIN, Instant.MIN));
    for (StrayStore.Row row : forgotten) {
      all = all.and(row.removed());
    }
    return all;
  }
}

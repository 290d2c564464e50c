package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Forgets schedules that are gone, a slice at a time: passes what is remembered once in an
 * interval.
 *
 * <p>What was removed is remembered as long as the topic is sure to keep its tombstone. Where that
 * would be many, they are forgotten earlier, though never within a retention that is configured: a
 * stray that is read so much later than the rest is refused, not mistaken for a new schedule.
 */
public final class ForgetRemoved {
  public static final int MANY = 1_000;
  private static final int SLICE = 1_000;

  private final StrayStore store;
  private final Applier applier;
  private final Duration atLeast;
  private final Duration atMost;
  private final Duration interval;
  private final int most;
  private final Runnable before;
  private Optional<ScheduleId> last = Optional.empty();
  private Instant nextPassAt = Instant.EPOCH;
  private int seen;
  private boolean many;

  /**
   * @param atLeast how long a removed schedule is remembered however many there are
   * @param atMost how long it is remembered where there are few
   * @param most how many are remembered that were removed longer ago than {@code atLeast}
   * @param before is run before any are forgotten
   */
  public ForgetRemoved(
      StrayStore store,
      Applier applier,
      Duration atLeast,
      Duration atMost,
      Duration interval,
      int most,
      Runnable before) {
    this.store = store;
    this.applier = applier;
    this.atLeast = atLeast;
    this.atMost = atMost;
    this.interval = interval;
    this.most = most;
    this.before = before;
  }

  /** Looks at a slice if it is time. */
  public void run(Instant now) {
    if (now.isBefore(nextPassAt)) {
      return;
    }
    List<StrayStore.Row> rows = store.rowsAfter(last, SLICE);
    Instant through = now.minus(many && atLeast.compareTo(atMost) < 0 ? atLeast : atMost);
    List<StrayStore.Row> old =
        rows.stream().filter(row -> row.removed().removedAt().isBefore(through)).toList();
    if (!old.isEmpty()) {
      before.run();
      applier.forgetRemoved(old, and(old));
    }
    seen += rows.size() - old.size();
    if (rows.size() < SLICE) {
      many = seen > most;
      seen = 0;
      last = Optional.empty();
      nextPassAt = now.plus(interval);
    } else {
      last = Optional.of(rows.get(rows.size() - 1).id());
    }
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

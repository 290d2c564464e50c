package io.waterclock.topology.scheduler.admit;

import io.waterclock.decide.model.EarlierLives;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.store.RemovedSchedule;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Compares a stray with the last write of its schedule: the newer by timestamp wins. A delete is a
 * write, too.
 *
 * @param forgottenThrough gives, inclusive, up to when the topic may have lost deletes that no task
 *     has read; empty after a shorter outage
 */
record LastWrites(StrayStore store, Supplier<Optional<Instant>> forgottenThrough) {
  /** The result of the comparison. */
  enum Order {
    /** The stray is newer than the last known write. */
    NEWER,
    /** The last write is as new or newer. */
    OVERTAKEN,
    /** The task may have forgotten a newer delete. */
    FORGOTTEN
  }

  /** The timestamp of the last write of a schedule; empty when none is known. */
  static Optional<Instant> of(Optional<ScheduleState> state, Optional<RemovedSchedule> removed) {
    return state
        .map(known -> known.current().writtenAt())
        .or(() -> removed.map(RemovedSchedule::writtenAt));
  }

  /** The memory of a removed schedule. */
  Optional<RemovedSchedule> removed(ScheduleId id) {
    return store.removed(id);
  }

  /**
   * The occurrences that earlier lives of a removed schedule have decided. For a forgotten schedule
   * the bound is the latest one of all forgotten schedules; a newer definition needs no bound.
   *
   * @param removed the memory of the schedule
   * @param writtenAt the timestamp of its definition
   */
  Optional<EarlierLives> earlier(Optional<RemovedSchedule> removed, Instant writtenAt) {
    return removed.isPresent()
        ? removed.map(RemovedSchedule::decided)
        : store
            .forgotten()
            .map(StrayStore.Forgotten::decidedThrough)
            .filter(writtenAt::isBefore)
            .map(EarlierLives::endedAt);
  }

  /** Compares a stray that arrives in its home task. In a tie the record at home wins. */
  Order compare(ScheduleId id, Optional<ScheduleState> state, Instant writtenAt) {
    Optional<Instant> last = of(state, removed(id));
    if (last.filter(at -> !writtenAt.isAfter(at)).isPresent()) {
      return Order.OVERTAKEN;
    }
    Optional<Instant> forgotten =
        last.isPresent()
            ? Optional.empty()
            : store.forgotten().map(StrayStore.Forgotten::writtenThrough);
    return Stream.of(forgotten, forgottenThrough.get())
            .flatMap(Optional::stream)
            .anyMatch(through -> !writtenAt.isAfter(through))
        ? Order.FORGOTTEN
        : Order.NEWER;
  }
}

package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.model.EarlierLives;
import io.waterclock.topology.scheduler.model.ScheduleState;
import io.waterclock.topology.scheduler.store.RemovedSchedule;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.time.Instant;
import java.util.Optional;

/**
 * Compares what a stray says with the last word on its schedule: the newer by timestamp wins. A
 * delete is a word, too.
 */
final class LastWrites {
  /** What becomes of a stray. */
  enum Judgement {
    /** It is newer than everything that is known of its schedule. */
    NEWER,
    /** Something else is as new or newer. */
    OLDER,
    /** A delete that was newer may have been forgotten. */
    FORGOTTEN
  }

  private final StrayStore store;

  LastWrites(StrayStore store) {
    this.store = store;
  }

  /** When the last word on a schedule was written; empty when nothing is known of it. */
  Optional<Instant> of(ScheduleId id, Optional<ScheduleState> state) {
    return state
        .map(known -> known.current().writtenAt())
        .or(() -> store.removed(id).map(RemovedSchedule::writtenAt));
  }

  /** What is remembered of a schedule that is gone. */
  Optional<RemovedSchedule> removed(ScheduleId id) {
    return store.removed(id);
  }

  /**
   * What earlier lives of a schedule that does not exist have decided. Of one that is not
   * remembered it is only known that it decided no more than any other that is forgotten; a word
   * that is newer than that needs no bound.
   *
   * @param writtenAt the timestamp of its definition
   */
  Optional<EarlierLives> earlier(ScheduleId id, Instant writtenAt) {
    Optional<RemovedSchedule> removed = store.removed(id);
    return removed.isPresent()
        ? removed.map(RemovedSchedule::decided)
        : store
            .forgotten()
            .map(StrayStore.Forgotten::decidedThrough)
            .filter(writtenAt::isBefore)
            .map(EarlierLives::endedAt);
  }

  Judgement judge(ScheduleId id, Optional<ScheduleState> state, Instant writtenAt) {
    Optional<Instant> last = of(id, state);
    if (last.isPresent()) {
      return writtenAt.isAfter(last.get()) ? Judgement.NEWER : Judgement.OLDER;
    }
    return store.forgotten().filter(gone -> !writtenAt.isAfter(gone.writtenThrough())).isPresent()
        ? Judgement.FORGOTTEN
        : Judgement.NEWER;
  }
}

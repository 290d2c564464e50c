package io.waterclock.topology.scheduler.task;

import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.apply.DecisionEncoder;
import io.waterclock.topology.scheduler.apply.MovingSchedules;
import io.waterclock.topology.scheduler.apply.PartitionState;
import io.waterclock.topology.scheduler.apply.Placement;
import io.waterclock.topology.scheduler.apply.QueueIndex;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.store.DueIndex;
import io.waterclock.topology.scheduler.store.DueQueue;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.QueueHorizon;
import io.waterclock.topology.scheduler.store.States;
import io.waterclock.topology.scheduler.store.StoredPosition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Fills the queue from the stores, a slice at a time, so that the other tasks of the thread go on.
 *
 * <p>A task begins with the schedules that have progress of their own, and then looks at the
 * entries of the index in the order of their due instants; a {@link Tick} decides what is due
 * before the entries that are still to come. Later the loader keeps half a horizon ahead, and looks
 * again at the entries that the position has passed: schedules that are due after the end of the
 * horizon leave the queue, and entries that mean nothing are deleted.
 *
 * <p>Without an index it reads all definitions first, and writes one. Records that arrive meanwhile
 * queue their schedules; to queue a schedule twice changes nothing.
 */
final class QueueLoader {
  private static final int SLICE = 128;

  /** Below a millisecond: work ahead of time delays what is due meanwhile. */
  private static final int SLICE_AHEAD = 64;

  private static final int BUILD_SLICE = 1_024;

  /** A slice of entries ends with definitions of so many bytes. */
  private static final long ENOUGH_BYTES = 4L << 20;

  /** How many slices may delay a tick whose occurrences they have to find. */
  private static final int MOST_BEFORE_TICK = 16;

  private enum Phase {
    /** Reads all definitions, since there is no index. */
    BUILD,
    /** Reads the schedules that have progress of their own. */
    OUT_OF_STEP,
    /** Looks at entries up to the end of the horizon. */
    LOAD,
    /** Looks at entries that the position has passed some time ago. */
    SWEEP,
    /** Waits until half of the horizon is over. */
    REST
  }

  /** The watchdog removes what has fired last, and its entry: most entries are gone by then. */
  private static final long SWEEP_AFTER_MS = 10_000;

  private static final DueIndex.Entry FIRST = DueIndex.Entry.before(DueIndex.ALWAYS);

  private final PartitionState partition;
  private final Applier applier;
  private final Placement placement;
  private final Counts counts;
  private final DecisionEncoder encoder;
  private final States states;
  private final ProgressStore progress;
  private final MovingSchedules moving;
  private final DueQueue queue;
  private final TickBudget budget;
  private final Consumer<ScheduleId> retrying;
  private final QueueHorizon horizon;
  private final QueueIndex index;
  private final long lengthMs;
  private final long sweepAfterMs;
  private final boolean builds;
  private Phase phase;
  private Optional<ScheduleId> last = Optional.empty();
  private DueIndex.Entry loaded = FIRST;
  private DueIndex.Entry swept = FIRST;
  private boolean hasBegun;

  /**
   * @param retrying receives the schedules that are FAULTED, for the watchdog to try again
   */
  QueueLoader(TaskContext task, TickBudget budget, Consumer<ScheduleId> retrying, Instant now) {
    this.partition = task.partition();
    this.applier = task.applier();
    this.placement = task.partition().placement();
    this.counts = task.partition().counts();
    this.encoder = task.encoder();
    this.states = task.partition().states();
    this.progress = task.partition().stores().progress();
    this.moving = task.partition().placement().queues().moving();
    this.queue = task.partition().placement().queues().due();
    this.budget = budget;
    this.retrying = retrying;
    this.horizon = task.partition().placement().queues().horizon();
    this.index = new QueueIndex(task.partition().placement().queues());
    this.lengthMs = Math.max(2, task.settings().pace().horizon().toMillis());
    this.sweepAfterMs = Math.min(SWEEP_AFTER_MS, lengthMs / 2);
    this.builds =
        !horizon.isUsable(
            task.partition().stores().progress().position().map(StoredPosition::position));
    if (builds) {
      horizon.index().clear();
    }
    this.phase = builds ? Phase.BUILD : Phase.OUT_OF_STEP;
    horizon.extend(now.toEpochMilli() + lengthMs);
  }

  /** True when it has to read all definitions, or did so. */
  boolean builds() {
    return builds;
  }

  /**
   * True when the task may decide: the schedules whose due instants no index knows are in the
   * queue.
   */
  boolean isReady() {
    return phase != Phase.BUILD
        && phase != Phase.OUT_OF_STEP
        && horizon.loadedMs() > DueIndex.ALWAYS;
  }

  /**
   * True from when the queue has all schedules of the first horizon: each of the others waits in
   * the index for exactly its next occurrence.
   */
  boolean hasBegun() {
    return hasBegun;
  }

  /** Works until ready or until the budget of a tick is spent. */
  void prepare(Instant now) {
    budget.start();
    do {
      step(now);
    } while (!isReady() && !budget.isSpentNow());
  }

  /** Looks at the entries that are due by now, or at some of them. */
  void loadDue(Instant now) {
    for (int i = 0; i < MOST_BEFORE_TICK && horizon.loadedMs() <= now.toEpochMilli(); i++) {
      if (phase != Phase.LOAD) {
        extend(now);
      }
      step(now);
    }
  }

  /** Works ahead: a slice of each phase at most. */
  void run(Instant now) {
    if (phase == Phase.REST && horizon.endMs() - now.toEpochMilli() < lengthMs / 2) {
      extend(now);
    }
    Phase before;
    do {
      before = phase;
      step(SLICE_AHEAD, now);
    } while (phase != before && phase != Phase.REST);
  }

  /** When an entry must be looked at, epoch milliseconds; in the past while some wait for it. */
  long nextWorkMs() {
    return phase == Phase.REST ? horizon.nextMs() : DueIndex.ALWAYS;
  }

  private void extend(Instant now) {
    horizon.extend(now.toEpochMilli() + lengthMs);
    phase = Phase.LOAD;
  }

  private void step(Instant now) {
    step(SLICE, now);
  }

  private void step(int slice, Instant now) {
    switch (phase) {
      case BUILD -> build(now);
      case OUT_OF_STEP -> loadOutOfStep(now);
      case LOAD -> load(slice, now);
      case SWEEP -> sweep(slice, now);
      case REST -> {
        // nothing to do
      }
    }
  }

  private void build(Instant now) {
    States.Slice slice = states.slice(last, BUILD_SLICE);
    List<DueIndex.Entry> entries = new ArrayList<>(slice.rows().size());
    boolean isWhole = true;
    for (States.Row row : slice.rows()) {
      ScheduleState state = states.load(row, placement.position());
      counts.met(state);
      note(state);
      Optional<Optional<Pending>> found = next(state, now);
      if (found.isEmpty()) { // it is FAULTED now, and may recover
        entries.add(new DueIndex.Entry(DueIndex.ALWAYS, row.id().utf8()));
      } else {
        Optional<Pending> next = found.get();
        index.entry(state, next).ifPresent(entries::add);
        if (row.hasProgress() || next.isEmpty() || !index.mayLeaveQueue(state, next.get())) {
          placement.place(state, next, row.hasProgress());
        }
      }
      last = Optional.of(row.id());
      if (budget.isSpentEarly()) {
        isWhole = false;
        break;
      }
    }
    index.build(entries);
    if (isWhole && slice.isLast()) {
      counts.allMet();
      horizon.built(placement.position());
      loaded(horizon.endMs());
    }
  }

  private void loadOutOfStep(Instant now) {
    List<ScheduleId> ids = progress.idsAfter(last, SLICE);
    for (ScheduleId id : ids) {
      look(id, now);
      last = Optional.of(id);
      if (budget.isSpentEarly()) {
        return;
      }
    }
    if (ids.size() < SLICE) {
      progress.droppedIds().forEach(id -> look(id, now));
      phase = Phase.LOAD;
    }
  }

  private void load(int slice, Instant now) {
    List<DueIndex.Entry> entries = horizon.index().range(loaded, horizon.endMs(), slice);
    if (look(entries, now, entry -> loaded = entry) && entries.size() < slice) {
      loaded(horizon.endMs());
    } else {
      horizon.loaded(loaded);
    }
  }

  private void loaded(long beforeMs) {
    loaded = DueIndex.Entry.before(beforeMs);
    horizon.loaded(beforeMs);
    swept = FIRST;
    hasBegun = true;
    phase = Phase.SWEEP;
  }

  private void sweep(int slice, Instant now) {
    long positionMs = Math.max(DueIndex.ALWAYS + sweepAfterMs, placement.position().dueMs());
    long passedMs = Math.min(positionMs - sweepAfterMs, horizon.loadedMs());
    List<DueIndex.Entry> entries = horizon.index().range(swept, passedMs, slice);
    if (look(entries, now, entry -> swept = entry) && entries.size() < slice) {
      horizon.findNext();
      phase = Phase.REST;
    }
  }

  /**
   * @return false when the budget was spent before the last entry, or the definitions are large
   */
  private boolean look(List<DueIndex.Entry> entries, Instant now, Consumer<DueIndex.Entry> looked) {
    states.expectAscending(true);
    try {
      long bytes = 0;
      for (DueIndex.Entry entry : entries) {
        bytes += look(entry, now);
        looked.accept(entry);
        if (bytes >= ENOUGH_BYTES || budget.isSpentEarly()) {
          return false;
        }
      }
    } finally {
      states.expectAscending(false);
    }
    return true;
  }

  /** Returns how large the definition is that it has read. */
  private int look(DueIndex.Entry entry, Instant now) {
    Optional<DueQueue.Entry> queued = queue.find(entry.id());
    if (queued.isPresent()) {
      index.evict(entry, queued.get());
      return 0;
    }
    ScheduleId id = ScheduleId.ofUtf8(entry.id());
    if (placement.hasOwnProgress(id)) {
      return 0; // it was looked at when the task began, and waits for nothing
    }
    Optional<ScheduleState> found = states.load(id, placement.position(), false);
    if (found.isEmpty()) {
      index.delete(entry);
      return 0;
    }
    ScheduleState state = found.get();
    note(state);
    next(state, now).ifPresent(next -> look(entry, state, next));
    return state.current().snapshot().body().length;
  }

  private void look(DueIndex.Entry entry, ScheduleState state, Optional<Pending> next) {
    if (next.isEmpty()) {
      index.deleteOver(entry);
    } else if (index.mayLeaveQueue(state, next.get())) {
      index.move(entry, next.get().due().toEpochMilli());
    } else {
      placement.place(state, next, false);
    }
  }

  /** Loads a schedule with progress of its own. */
  private void look(ScheduleId id, Instant now) {
    partition
        .load(id)
        .ifPresent(
            state -> {
              note(state);
              boolean ownProgress = placement.hasOwnProgress(id);
              next(state, now).ifPresent(next -> placement.place(state, next, ownProgress));
            });
  }

  private void note(ScheduleState state) {
    moving.note(state);
    if (state.fault().isPresent()) {
      retrying.accept(state.id());
    }
  }

  /** Queues a schedule again after a change of a calendar that its due instants depend on. */
  void requeue(ScheduleId id, Instant now) {
    partition
        .load(id)
        .ifPresent(state -> next(state, now).ifPresent(next -> applier.requeue(state, next)));
  }

  /** What a schedule waits for; faults the schedule if that cannot be computed. */
  private Optional<Optional<Pending>> next(ScheduleState state, Instant now) {
    try {
      return Optional.of(encoder.decider().pending(state));
    } catch (RuntimeException e) {
      applier.apply(Optional.of(state), encoder.faulted(state, e, now));
      return Optional.empty();
    }
  }
}

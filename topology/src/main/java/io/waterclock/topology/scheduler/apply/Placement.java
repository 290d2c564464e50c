package io.waterclock.topology.scheduler.apply;

import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.definition.Occurrence;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.store.DueQueue;
import io.waterclock.topology.scheduler.store.Position;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.States;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * Where each schedule stands: in the queue or in its index on disk, and in step with the position
 * of the partition or out of it.
 *
 * <p>Idea: the position says how far all schedules in step are decided. A schedule is <em>in
 * step</em> when its first undecided occurrence is the one that follows from the position; it needs
 * no record of its own. It stands in the live lane of the queue, or in the index alone while its
 * occurrence is far. What the position has passed stands in the catch-up lane.
 *
 * <p>Cost: a look into the queue, in memory; {@link #isInStep} and {@link #isQueuedInStep} also
 * search an occurrence or read the index.
 */
public final class Placement {
  private static final Logger LOG = SafeLogger.of(Placement.class);

  private final ProgressStore progress;
  private final States states;
  private final TaskQueues queues;
  private final DueQueue queue;
  private final QueueIndex index;
  private final Timetables tables;
  private final AwaitingRunEnd heldBack = new AwaitingRunEnd();
  private Consumer<ScheduleId> exhausted = id -> {};
  private Position position;
  private long clockMs;

  Placement(
      ProgressStore progress,
      States states,
      TaskQueues queues,
      Timetables tables,
      Position position,
      long clockMs) {
    this.progress = progress;
    this.states = states;
    this.queues = queues;
    this.queue = queues.due();
    this.index = new QueueIndex(queues);
    this.tables = tables;
    this.position = position;
    this.clockMs = clockMs;
  }

  /** Sets the listener for schedules without further occurrences. */
  public void onExhausted(Consumer<ScheduleId> listener) {
    exhausted = listener;
  }

  /** What the task keeps in memory of its schedules. */
  public TaskQueues queues() {
    return queues;
  }

  /** The position up to which schedules in step are decided. */
  public Position position() {
    return position;
  }

  /** Advances the position: everything up to it is decided, except for schedules out of step. */
  public void advance(Position reached) {
    position = position.max(reached);
  }

  /** Notes in the index on disk how far it has all schedules. */
  void stampIndex() {
    queues.horizon().stamp(position);
  }

  /** The time of the last tick or watermark, in epoch milliseconds. */
  long clockMs() {
    return clockMs;
  }

  void clock(Instant now) {
    clockMs = now.toEpochMilli();
  }

  /** The schedules with a due occurrence that waits for the end of a run. */
  public AwaitingRunEnd heldBack() {
    return heldBack;
  }

  /** True when the schedule is out of step: it has a progress record. */
  public boolean hasOwnProgress(ScheduleId id) {
    return progress.contains(id.utf8());
  }

  /**
   * True when the position alone determines what the schedule waits for; of a held schedule, when
   * it has decided nothing since its definition. Then {@link States#load} finds it as it is.
   */
  public boolean isInStep(ScheduleState state, Optional<Pending> pending) {
    if (!state.isPlain() || pending.filter(next -> isLateUnnamed(state.id(), next)).isPresent()) {
      return false;
    }
    if (state.isHeld()) {
      return state.decidedThrough().equals(state.current().ownsAfter());
    }
    try {
      tables.effort().renew();
      var table = tables.of(state.id(), state.current());
      Optional<Occurrence> next = table.nextAfter(position.cursor(table, state.id().utf8()));
      return next.equals(pending.flatMap(Pending::next));
    } catch (EffortSpentException e) {
      return false; // a progress record needs no search
    }
  }

  /**
   * True for a delayed record without a name that was written after its instant: the position may
   * not have reached when it is due, but others for its instant are decided by the instant.
   */
  private static boolean isLateUnnamed(ScheduleId id, Pending pending) {
    return HomePartition.isUnnamed(id.utf8())
        && pending.next().filter(next -> next.due().isAfter(next.at())).isPresent();
  }

  /** True when the queue, or the index alone, holds a schedule in step for what it waits for. */
  public boolean isQueuedInStep(ScheduleId id, Pending pending) {
    return mayBeQueuedInStep(id, pending)
        && (queue.find(id.utf8()).isPresent()
            || index.contains(id.utf8(), pending.due().toEpochMilli()));
  }

  /**
   * As {@link #isQueuedInStep}, but believes that the index has the entry of a schedule that is not
   * in the queue, which saves a look-up on disk.
   */
  public boolean mayBeQueuedInStep(ScheduleId id, Pending pending) {
    long dueMs = pending.due().toEpochMilli();
    Optional<DueQueue.Entry> entry = queue.find(id.utf8());
    if (entry.isEmpty()) {
      return index.isFar(dueMs);
    }
    return entry.get().dueMs() == dueMs
        && entry.get().isLive()
        && !entry.get().hasOwnProgress()
        && !position.covers(dueMs, id.utf8());
  }

  /**
   * Queues a schedule for what it waits for. Stores nothing, except that a dropped entry exists
   * again.
   *
   * @return false when the queue, or the index, already had this entry
   */
  public boolean place(ScheduleState state, Optional<Pending> pending, boolean ownProgress) {
    return place(state, pending, ownProgress, false);
  }

  /**
   * Queues a schedule for what it waits for after a decision.
   *
   * @param isDefined true when its definition is new or has changed: writes its index entry, too
   */
  void decided(ScheduleState state, Optional<Pending> pending, boolean inStep, boolean isDefined) {
    if (isDefined) {
      queues.moving().note(state);
    }
    place(state, pending, !inStep, isDefined);
    if (isDefined) {
      index.defined(state, pending);
    }
    if (state.fault().isPresent()) {
      queues.commanded().remove(state.id());
    }
    if (pending.isEmpty() && state.isPlain() && state.completedAt().isEmpty()) {
      exhausted.accept(state.id());
    }
  }

  /** Moves a schedule in step after its single fire: it needs no record. */
  public void fired(DueQueue.Entry entry, ScheduleId id, Optional<Pending> next) {
    if (next.isPresent()) {
      queue.delay(entry, next.get().due().toEpochMilli());
    } else {
      queue.remove(entry);
      exhausted.accept(id);
    }
  }

  /**
   * Has a due schedule wait in the catch-up lane, so that the position can pass it. Call within a
   * tick, whose end stores the schedule.
   */
  public void postpone(DueQueue.Entry entry, ScheduleState state, Pending pending) {
    states.unsaved().put(state.id(), new States.Unsaved(state, Optional.of(pending)));
    queue.putCatchUp(entry.id(), entry.dueMs(), atMs(pending));
  }

  private static long atMs(Pending pending) {
    return pending.next().map(Occurrence::at).orElseGet(pending::due).toEpochMilli();
  }

  private boolean place(
      ScheduleState state, Optional<Pending> pending, boolean ownProgress, boolean isDefined) {
    byte[] id = state.id().utf8();
    queues.commanded().note(state);
    Optional<DueQueue.Entry> entry = queue.find(id);
    heldBack.note(state.id(), pending.flatMap(Pending::heldSince));
    if (pending.isEmpty()) {
      queue.remove(id);
      return entry.isPresent();
    }
    long dueMs = pending.get().due().toEpochMilli();
    boolean isToCome = state.replayThrough().isEmpty() || dueMs > clockMs;
    boolean live =
        isToCome && !position.covers(dueMs, id) && !isLateUnnamed(state.id(), pending.get());
    if (live && !ownProgress && index.mayLeaveQueue(state, pending.get())) {
      progress.forgetDropped(id);
      if (!isDefined) {
        return index.leaveQueue(id, dueMs);
      }
      index.waitFor(id, dueMs);
      return true;
    }
    boolean same =
        entry
            .filter(
                e ->
                    e.dueMs() == dueMs
                        && e.isLive() == live
                        && e.hasOwnProgress() == (ownProgress || !live))
            .isPresent();
    if (same) {
      return false;
    }
    if (live) {
      queue.putLive(id, dueMs, ownProgress);
      if (!ownProgress) {
        progress.forgetDropped(id);
      }
    } else {
      queue.putCatchUp(id, dueMs, atMs(pending.get()));
    }
    return true;
  }

  /** Forgets a schedule that is removed. */
  void forget(ScheduleId id) {
    queue.remove(id.utf8());
    queues.commanded().remove(id);
    queues.moving().forget(id);
    heldBack.remove(id);
    progress.forgetDropped(id.utf8());
  }

  /**
   * Deletes the entry of a definition that is replaced or removed, if it waits in the index alone
   * or for nothing: then its first occurrence has the entry, unless that has moved. A failure
   * leaves it there.
   */
  void unindex(ScheduleState before) {
    byte[] id = before.id().utf8();
    if (!before.isPlain() || before.isHeld() || queue.find(id).isPresent()) {
      return; // an entry of the past: the loader deletes it
    }
    Optional<Occurrence> next;
    try {
      tables.effort().renew();
      var table = tables.of(before.id(), before.current());
      next =
          table
              .nextAfter(before.decidedThrough())
              .or(() -> table.nextAfter(before.current().ownsAfter()));
    } catch (RuntimeException e) {
      return; // the next decision meets the same failure
    }
    next.ifPresent(at -> index.forget(id, at.due().toEpochMilli()));
  }

  /**
   * Removes the queue entry of a schedule that does not exist.
   *
   * @return false when the schedule exists
   */
  public boolean removeOrphan(ScheduleId id) {
    if (states.load(id, position).isPresent()) {
      return false;
    }
    queue.find(id.utf8()).ifPresent(this::drop);
    return true;
  }

  /** Remembers the queue entry of a schedule in step before it is removed undecided. */
  public void noteDropped(ScheduleId id) {
    queue.find(id.utf8()).ifPresent(entry -> progress.putDropped(entry.id(), entry.dueMs()));
  }

  /**
   * Removes the queue entry of a schedule whose definition is not in the store. A delete removes
   * both, so the store is damaged. Occurrences due from now on stay undecided; if the definition
   * comes back, the schedule catches up with them.
   */
  public void drop(DueQueue.Entry entry) {
    byte[] id = entry.id();
    boolean isKept = progress.contains(id) || progress.putDropped(id, entry.dueMs());
    LOG.warn(
        "Dropped the queue entry of {}, due at {}: its definition is not in the store. {}",
        ScheduleId.ofUtf8(id),
        Instant.ofEpochMilli(entry.dueMs()),
        isKept
            ? "The schedule catches up from there if the definition comes back"
            : "Occurrences due until the definition comes back are lost, as too many were dropped");
    queue.remove(entry);
  }
}

package io.waterclock.topology.scheduler.apply;

import io.waterclock.decide.Decider;
import io.waterclock.decide.Decision;
import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.EarlierLives;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.Occurrence;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.emit.Outgoing;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.store.DueQueue;
import io.waterclock.topology.scheduler.store.Position;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.RemovedSchedule;
import io.waterclock.topology.scheduler.store.States;
import io.waterclock.topology.scheduler.store.StoredPosition;
import io.waterclock.topology.scheduler.store.StoredSchedule;
import io.waterclock.topology.scheduler.store.Stores;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.slf4j.Logger;

/**
 * The only writer: applies decisions and effects to the topics, the stores and the queue.
 *
 * <p>Idea: the position says how far all schedules in step are decided, so an ordinary fire stores
 * nothing. A schedule is <em>in step</em> when its first undecided occurrence is the one that
 * follows from the position; otherwise it has a progress record. A tick collects the schedules that
 * get out of step, and compares them at its end with the position that it has reached: most are in
 * step again by then, and need no record.
 */
public final class Applier {
  private static final Logger LOG = SafeLogger.of(Applier.class);

  private final ProcessorContext<byte[], Object> context;
  private final Stores stores;
  private final ProgressStore progress;
  private final TaskQueues queues;
  private final DueQueue queue;
  private final QueueIndex index;
  private final Decider decider;
  private final States states;
  private final Counts counts;
  private final AwaitingRunEnd heldBack = new AwaitingRunEnd();
  private Position position;
  private Consumer<ScheduleId> exhausted = id -> {};
  private Changes changes = (id, before, after) -> {};
  private long clockMs;
  private boolean inTick;
  private boolean wrote;
  private boolean uncommitted;

  public Applier(
      ProcessorContext<byte[], Object> context,
      Stores stores,
      States states,
      TaskQueues queues,
      Decider decider,
      Counts counts) {
    this.context = context;
    this.stores = stores;
    this.progress = stores.progress();
    this.queues = queues;
    this.queue = queues.due();
    this.index = new QueueIndex(queues);
    this.decider = decider;
    this.states = states;
    this.counts = counts;
    Optional<StoredPosition> stored = progress.position();
    this.position = stored.map(StoredPosition::position).orElse(Position.throughAllAt(0));
    this.clockMs = stored.map(StoredPosition::clockMs).orElse(0L);
  }

  /** The position up to which schedules in step are decided. */
  public Position position() {
    return position;
  }

  /** The schedules with a due occurrence that waits for the end of a run. */
  public AwaitingRunEnd heldBack() {
    return heldBack;
  }

  /** Sets the listener for schedules without further occurrences. */
  public void onExhausted(Consumer<ScheduleId> listener) {
    exhausted = listener;
  }

  /** Receives each change of a schedule's state. */
  @FunctionalInterface
  public interface Changes {
    void changed(ScheduleId id, Optional<ScheduleState> before, Optional<ScheduleState> after);
  }

  /** Sets the listener for changes. */
  public void onChange(Changes listener) {
    changes = listener;
  }

  /** Stores the position of the partition. */
  public void savePosition(Instant now) {
    clockMs = now.toEpochMilli();
    progress.putPosition(position, clockMs);
    queues.horizon().stamp(position);
  }

  /** Carries out an effect. */
  public void apply(Effect effect) {
    if (effect instanceof Effect.Send send) {
      send(send.record());
    } else if (effect instanceof Effect.Decided decided) {
      apply(decided.before(), decided.decision());
    } else if (effect instanceof Effect.RememberRemoved removed) {
      rememberRemoved(removed);
    } else if (effect instanceof Effect.ForgetRemoved forget) {
      forget.rows().forEach(row -> stores.strays().delete(row.id()));
      stores.strays().put(forget.bounds());
    } else if (effect instanceof Effect.RememberCommand remember) {
      stores.commands().put(remember.id(), remember.commandId(), remember.command());
    } else if (effect instanceof Effect.ForgetCommands forget) {
      forget.rows().forEach(stores.commands()::delete);
      stores.commands().put(forget.writtenThrough());
    } else if (effect instanceof Effect.Hold hold) {
      stores.held(hold.until()).put(hold.record());
    } else if (effect instanceof Effect.Release release) {
      stores.held(release.until()).delete(release.seq(), release.size());
    } else if (effect instanceof Effect.Taken taken) {
      stores.strays().put(taken.topic(), taken.taken());
    } else if (effect instanceof Effect.PutCalendar put) {
      stores.calendars().put(put.name(), put.row());
    } else if (effect instanceof Effect.DeleteCalendar delete) {
      stores.calendars().delete(delete.name(), delete.seq());
    } else {
      throw new IllegalArgumentException("no such effect: " + effect);
    }
  }

  private void rememberRemoved(Effect.RememberRemoved removed) {
    Optional<RemovedSchedule> known = stores.strays().removed(removed.id());
    EarlierLives all =
        known.map(RemovedSchedule::decided).map(removed.decided()::and).orElse(removed.decided());
    boolean isLater =
        known.filter(last -> !last.writtenAt().isBefore(removed.writtenAt())).isEmpty();
    if (isLater
        || known.filter(last -> last.through() >= removed.through()).isEmpty()
        || known.filter(last -> last.decided().equals(all)).isEmpty()) {
      stores
          .strays()
          .put(
              removed.id(),
              new RemovedSchedule(
                  isLater ? removed.writtenAt() : known.orElseThrow().writtenAt(),
                  removed.now(),
                  Math.max(removed.through(), known.map(RemovedSchedule::through).orElse(-1L)),
                  all));
    }
  }

  /** Applies a decision. */
  public void apply(Optional<ScheduleState> before, EncodedDecision prepared) {
    emit(prepared);
    settle(before, prepared);
  }

  /**
   * Requests a commit if records were sent since the last request.
   *
   * @return true when it has requested one
   */
  public boolean commit() {
    if (!uncommitted) {
      return false;
    }
    uncommitted = false;
    context.commit();
    return true;
  }

  /** Sends the records of a decision. */
  public void emit(EncodedDecision prepared) {
    prepared.outgoing().forEach(this::send);
    counts.emitted(prepared.id(), prepared.decision(), prepared.at());
  }

  private void send(Outgoing outgoing) {
    context.forward(outgoing.record(), outgoing.sink().node());
    wrote = true;
    uncommitted = true;
  }

  /** Stores the state after a decision, and queues the schedule for its next occurrence. */
  public void settle(Optional<ScheduleState> before, EncodedDecision prepared) {
    ScheduleId id = prepared.id();
    Decision decision = prepared.decision();
    counts.changed(id, before, decision.state());
    changes.changed(id, before, decision.state());
    boolean isDefined =
        decision.state().isPresent()
            && (before.isEmpty() || definitionChanged(before.get(), decision.state().get()));
    if (isDefined || decision.state().isEmpty()) {
      before.ifPresent(this::unindex);
    }
    if (decision.state().isEmpty()) {
      byte[] key = id.utf8();
      states.unsaved().remove(id);
      queue.remove(key);
      queues.commanded().remove(id);
      heldBack.remove(id);
      progress.forgetDropped(key);
      if (before.isPresent()) {
        stores.schedules().delete(key);
        progress.delete(key);
        queues.moving().forget(id);
        Accepted last = before.get().current();
        rememberRemoved(
            new Effect.RememberRemoved(
                id,
                last.writtenAt(),
                Inbound.offsetAt(context.taskId().partition(), last.revision()),
                decision.ended().orElseThrow(),
                prepared.at()));
      }
      return;
    }
    ScheduleState state = decision.state().get();
    if (isDefined) {
      stores.schedules().put(id.utf8(), new StoredSchedule(state.current(), state.completedAt()));
      queues.moving().note(state);
    }
    if (before.isEmpty() && stores.strays().removed(id).isPresent()) {
      stores.strays().delete(id);
    }
    boolean inStep = isInStep(state, decision.next());
    if (inTick && !inStep) {
      states.unsaved().put(id, state);
    } else {
      states.unsaved().remove(id);
      store(state, inStep);
    }
    place(state, decision.next(), !inStep, isDefined);
    if (isDefined) {
      index.defined(state, decision.next());
    }
    if (state.fault().isPresent()) {
      queues.commanded().remove(id);
    }
    if (decision.next().isEmpty() && state.isPlain() && state.completedAt().isEmpty()) {
      exhausted.accept(id);
    }
  }

  /** As {@link #settle}, for the single fire of a schedule in step, which needs no record. */
  public void settleInStep(DueQueue.Entry entry, ScheduleId id, Optional<Occurrence> next) {
    if (next.isPresent()) {
      queue.delay(entry, next.get().due().toEpochMilli());
    } else {
      queue.remove(entry);
      exhausted.accept(id);
    }
  }

  /**
   * Has a due schedule wait in the catch-up lane, so that the position can pass it. Call within a
   * tick.
   */
  public void postpone(DueQueue.Entry entry, ScheduleState state) {
    states.unsaved().put(state.id(), state);
    queue.putCatchUp(entry.id(), entry.dueMs());
  }

  /** Deletes the entry of a definition that waits in the index alone. A failure leaves it there. */
  private void unindex(ScheduleState before) {
    byte[] id = before.id().utf8();
    if (!before.isPlain() || queue.find(id).isPresent()) {
      return; // an entry of the past: the loader deletes it
    }
    Optional<Occurrence> next;
    try {
      next = decider.pending(before);
    } catch (RuntimeException e) {
      return; // the next decision meets the same failure
    }
    index.forget(id, next);
  }

  /**
   * True when the queue, or the index alone, holds a schedule in step for this undecided
   * occurrence.
   */
  public boolean isQueuedInStep(ScheduleId id, Occurrence next) {
    return mayBeQueuedInStep(id, next)
        && (queue.find(id.utf8()).isPresent()
            || index.contains(id.utf8(), next.due().toEpochMilli()));
  }

  /**
   * As {@link #isQueuedInStep}, but believes that the index has the entry of a schedule that is not
   * in the queue, which saves a look-up on disk.
   */
  public boolean mayBeQueuedInStep(ScheduleId id, Occurrence next) {
    long dueMs = next.due().toEpochMilli();
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
   * Queues a schedule for its next occurrence. Stores nothing, except that a dropped entry exists
   * again.
   *
   * @return false when the queue, or the index, already had this entry
   */
  public boolean place(ScheduleState state, Optional<Occurrence> next, boolean ownProgress) {
    return place(state, next, ownProgress, false);
  }

  private boolean place(
      ScheduleState state, Optional<Occurrence> next, boolean ownProgress, boolean isDefined) {
    byte[] id = state.id().utf8();
    queues.commanded().note(state);
    Optional<DueQueue.Entry> entry = queue.find(id);
    heldBack.note(state.id(), next.isEmpty() ? Optional.empty() : decider.heldBackSince(state));
    if (next.isEmpty()) {
      queue.remove(id);
      return entry.isPresent();
    }
    long dueMs = next.get().due().toEpochMilli();
    boolean isToCome = state.replayThrough().isEmpty() || dueMs > clockMs;
    boolean live = isToCome && !position.covers(dueMs, id);
    if (live && !ownProgress && index.mayLeaveQueue(state, next.get())) {
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
      queue.putCatchUp(id, dueMs);
    }
    return true;
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

  /** Queues a schedule again, after a change that affects its due instants. */
  public void requeue(ScheduleState state, Optional<Occurrence> next) {
    if (!rejoin(state, next)) {
      place(state, next, !isInStep(state, next));
    }
  }

  /**
   * Deletes the progress record of a schedule that is in step with the position again.
   *
   * @return false when the schedule has none, or still needs it
   */
  public boolean rejoin(ScheduleState state, Optional<Occurrence> next) {
    if (!hasOwnProgress(state.id()) || !isInStep(state, next)) {
      return false;
    }
    store(state, true);
    place(state, next, false);
    return true;
  }

  /** True when the schedule is out of step: it has a progress record. */
  public boolean hasOwnProgress(ScheduleId id) {
    return progress.contains(id.utf8());
  }

  /**
   * True when the position alone determines the schedule's next occurrence; of a held schedule,
   * when it has decided nothing since its definition. Then {@link States#load} finds it as it is.
   */
  public boolean isInStep(ScheduleState state, Optional<Occurrence> next) {
    if (!state.isPlain()) {
      return false;
    }
    if (state.isHeld()) {
      return state.decidedThrough().equals(state.current().ownsAfter());
    }
    try {
      decider.tables().effort().renew();
      var table = decider.tables().of(state.id(), state.current());
      return table.nextAfter(position.cursor(table, state.id().utf8())).equals(next);
    } catch (EffortSpentException e) {
      return false; // a progress record needs no search
    }
  }

  public void beginTick(Instant now) {
    clockMs = now.toEpochMilli();
    inTick = true;
    wrote = false;
  }

  /** Advances the position: everything up to it is decided, except for schedules out of step. */
  public void advance(Position reached) {
    position = position.max(reached);
  }

  /**
   * Stores the schedules that are still out of step, and the position if the tick decided anything.
   */
  public void endTick() {
    inTick = false;
    if (!wrote && states.unsaved().isEmpty()) {
      return;
    }
    for (ScheduleState state : states.unsaved().values()) {
      Optional<Occurrence> next = decider.pending(state);
      boolean inStep = isInStep(state, next);
      store(state, inStep);
      place(state, next, !inStep);
    }
    states.unsaved().clear();
    progress.putPosition(position, clockMs);
  }

  private void store(ScheduleState state, boolean inStep) {
    byte[] id = state.id().utf8();
    boolean wasDropped = progress.forgetDropped(id);
    if (inStep) {
      if (progress.delete(id) || wasDropped) {
        // from now on the position alone is the progress: both change in one transaction
        progress.putPosition(position, clockMs);
      }
    } else {
      progress.put(state);
    }
  }

  @SuppressWarnings("ReferenceEquality") // an unchanged revision is the same object
  private static boolean definitionChanged(ScheduleState before, ScheduleState after) {
    return before.current() != after.current() || !before.completedAt().equals(after.completedAt());
  }
}

package io.waterclock.topology.scheduler.apply;

import io.waterclock.decide.Decision;
import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.EarlierLives;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.emit.Outgoing;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.RemovedSchedule;
import io.waterclock.topology.scheduler.store.States;
import io.waterclock.topology.scheduler.store.StoredSchedule;
import io.waterclock.topology.scheduler.store.Stores;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * The only writer: applies decisions and effects to the topics, the stores and the queue.
 *
 * <p>Idea: the position says how far all schedules in step are decided, so an ordinary fire stores
 * nothing. A schedule that {@link Placement} finds out of step has a progress record. A tick
 * collects the schedules that get out of step, and compares them at its end with the position that
 * it has reached: most are in step again by then, and need no record.
 */
public final class Applier {
  private final ProcessorContext<byte[], Object> context;
  private final Stores stores;
  private final ProgressStore progress;
  private final States states;
  private final Placement placement;
  private final Counts counts;
  private Changes changes = (id, before, after) -> {};
  private boolean inTick;
  private boolean wrote;
  private boolean uncommitted;

  public Applier(
      ProcessorContext<byte[], Object> context,
      Stores stores,
      States states,
      Placement placement,
      Counts counts) {
    this.context = context;
    this.stores = stores;
    this.progress = stores.progress();
    this.states = states;
    this.placement = placement;
    this.counts = counts;
  }

  /** Receives each change of a schedule's state. */
  @FunctionalInterface
  public interface Changes {
    void changed(ScheduleId id, Optional<ScheduleState> before, Optional<ScheduleState> after);
  }

  public void onChange(Changes listener) {
    changes = listener;
  }

  /** Stores the position of the partition. */
  public void savePosition(Instant now) {
    placement.clock(now);
    putPosition();
    placement.stampIndex();
  }

  /** Carries out effects, in order. */
  public void apply(List<Effect> effects) {
    effects.forEach(this::apply);
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
    for (Outgoing outgoing : prepared.outgoing()) {
      send(outgoing);
      if (outgoing.isNoteToLimiter()) { // of a decision: a withdrawal
        progress.putWithdrawnAt(Instant.ofEpochMilli(outgoing.record().timestamp()));
      }
    }
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
      before.ifPresent(placement::unindex);
    }
    if (decision.state().isEmpty()) {
      byte[] key = id.utf8();
      states.unsaved().remove(id);
      placement.forget(id);
      if (before.isPresent()) {
        stores.schedules().delete(key);
        progress.delete(key);
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
    }
    if (before.isEmpty() && stores.strays().removed(id).isPresent()) {
      stores.strays().delete(id);
    }
    boolean inStep = placement.isInStep(state, decision.pending());
    if (inTick && !inStep) {
      states.unsaved().put(id, new States.Unsaved(state, decision.pending()));
    } else {
      states.unsaved().remove(id);
      store(state, inStep);
    }
    placement.decided(state, decision.pending(), inStep, isDefined);
  }

  /** Queues a schedule again, after a change that affects its due instants. */
  public void requeue(ScheduleState state, Optional<Pending> pending) {
    if (!rejoin(state, pending)) {
      placement.place(state, pending, !placement.isInStep(state, pending));
    }
  }

  /**
   * Deletes the progress record of a schedule that is in step with the position again.
   *
   * @return false when the schedule has none, or still needs it
   */
  public boolean rejoin(ScheduleState state, Optional<Pending> pending) {
    if (!placement.hasOwnProgress(state.id()) || !placement.isInStep(state, pending)) {
      return false;
    }
    store(state, true);
    placement.place(state, pending, false);
    return true;
  }

  public void beginTick(Instant now) {
    placement.clock(now);
    inTick = true;
    wrote = false;
  }

  /**
   * Stores the schedules that are still out of step, and the position if the tick decided anything.
   */
  public void endTick() {
    inTick = false;
    if (!wrote && states.unsaved().isEmpty()) {
      return;
    }
    for (States.Unsaved unsaved : states.unsaved().values()) {
      boolean inStep = placement.isInStep(unsaved.state(), unsaved.pending());
      store(unsaved.state(), inStep);
      placement.place(unsaved.state(), unsaved.pending(), !inStep);
    }
    states.unsaved().clear();
    putPosition();
  }

  private void putPosition() {
    progress.putPosition(placement.position(), placement.clockMs());
  }

  private void store(ScheduleState state, boolean inStep) {
    byte[] id = state.id().utf8();
    boolean wasDropped = progress.forgetDropped(id);
    if (inStep) {
      if (progress.delete(id) || wasDropped) {
        // from now on the position alone is the progress: both change in one transaction
        putPosition();
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

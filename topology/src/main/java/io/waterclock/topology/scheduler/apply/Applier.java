package io.waterclock.topology.scheduler.apply;

import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.schemas.SafeLogger;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.decide.Decider;
import io.waterclock.topology.scheduler.decide.Decision;
import io.waterclock.topology.scheduler.emit.Outgoing;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InputTopic;
import io.waterclock.topology.scheduler.model.Accepted;
import io.waterclock.topology.scheduler.model.EarlierLives;
import io.waterclock.topology.scheduler.model.Occurrence;
import io.waterclock.topology.scheduler.model.ScheduleState;
import io.waterclock.topology.scheduler.store.CalendarStore;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.DueQueue;
import io.waterclock.topology.scheduler.store.ExecutedCommand;
import io.waterclock.topology.scheduler.store.HeldRecordStore;
import io.waterclock.topology.scheduler.store.Position;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.RemovedSchedule;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import io.waterclock.topology.scheduler.store.States;
import io.waterclock.topology.scheduler.store.StoredPosition;
import io.waterclock.topology.scheduler.store.StoredSchedule;
import io.waterclock.topology.scheduler.store.StrayStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.slf4j.Logger;

/**
 * The only writer: carries decisions out to the topics, the stores and the queue.
 *
 * <p>Idea: the position says how far all schedules in step are decided, so an ordinary fire stores
 * nothing. A schedule is <em>in step</em> when its first undecided occurrence is the one that
 * follows from the position; otherwise it has a progress record. During a tick, schedules that get
 * out of step are collected and compared with the position that the tick has reached at its end:
 * most are in step again by then, and nothing is stored for them.
 */
public final class Applier {
  private static final Logger LOG = SafeLogger.of(Applier.class);

  private final ProcessorContext<byte[], Object> context;
  private final ScheduleStore schedules;
  private final ProgressStore progress;
  private final CalendarStore calendars;
  private final MovingSchedules moving;
  private final CommandStore commands;
  private final StrayStore strays;
  private final HeldRecordStore parked;
  private final DueQueue queue;
  private final CommandedLanes extra;
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
      ScheduleStore schedules,
      ProgressStore progress,
      CalendarStore calendars,
      MovingSchedules moving,
      CommandStore commands,
      StrayStore strays,
      HeldRecordStore parked,
      DueQueue queue,
      CommandedLanes extra,
      Decider decider,
      States states,
      Counts counts) {
    this.context = context;
    this.schedules = schedules;
    this.progress = progress;
    this.calendars = calendars;
    this.moving = moving;
    this.commands = commands;
    this.strays = strays;
    this.parked = parked;
    this.queue = queue;
    this.extra = extra;
    this.decider = decider;
    this.states = states;
    this.counts = counts;
    Optional<StoredPosition> stored = progress.position();
    this.position = stored.map(StoredPosition::position).orElse(Position.throughAllAt(0));
    this.clockMs = stored.map(StoredPosition::clockMs).orElse(0L);
  }

  /** Up to where schedules in step are decided. */
  public Position position() {
    return position;
  }

  /** Schedules that wait for the end of a run with something due. */
  public AwaitingRunEnd heldBack() {
    return heldBack;
  }

  /** Names who wants to hear of schedules that have no occurrence left. */
  public void onExhausted(Consumer<ScheduleId> listener) {
    exhausted = listener;
  }

  /** Hears of each schedule whose state is another from now on. */
  @FunctionalInterface
  public interface Changes {
    void changed(ScheduleId id, Optional<ScheduleState> before, Optional<ScheduleState> after);
  }

  /** Names who wants to hear of changes. */
  public void onChange(Changes listener) {
    changes = listener;
  }

  /** Stores how far the partition has come. */
  public void savePosition(Instant now) {
    clockMs = now.toEpochMilli();
    progress.putPosition(position, clockMs);
  }

  /** The versions of calendars that were stored. */
  public CalendarStore calendars() {
    return calendars;
  }

  /** Stores a version of a calendar. */
  public void putCalendar(String name, CalendarStore.Row row) {
    calendars.put(name, row);
  }

  /** Forgets a version of a calendar. */
  public void deleteCalendar(String name, long seq) {
    calendars.delete(name, seq);
  }

  /** Sends a refused calendar to the dead-letter topic, and stores that this is done. */
  public void sendRefused(Outgoing dead, long offset) {
    send(dead);
    counts.rejected(InputTopic.CALENDARS);
    calendars.putReported(offset);
  }

  /** Remembers that a command was executed. */
  public void remember(ScheduleId id, String commandId, ExecutedCommand command) {
    commands.put(id, commandId, command);
  }

  /** Forgets commands that were written up to an instant, inclusive. */
  public void forget(List<CommandStore.Row> rows, Instant writtenThrough) {
    rows.forEach(commands::delete);
    commands.put(writtenThrough);
  }

  /** Keeps a command until its schedule is known, or known not to be there. */
  public void keep(CommandStore.Waiting command) {
    commands.put(command);
  }

  /** The command waits no longer. */
  public void release(long waitingSeq) {
    commands.delete(waitingSeq);
  }

  /** Keeps a record until it can be read. */
  public void park(HeldRecordStore.Row record) {
    parked.put(record);
  }

  /** The record waits no longer. */
  public void unpark(long parkedSeq) {
    parked.delete(parkedSeq);
  }

  /** Stores how far strays of a topic were taken. */
  public void noteTaken(String topic, StrayStore.Taken taken) {
    strays.put(topic, taken);
  }

  /**
   * Remembers when the last word on a schedule that is gone was written, and where it is; an
   * earlier word changes nothing.
   *
   * @param through the offset of the tombstone, or of the definition where there is none
   * @param decided what the life that ended has decided
   */
  public void noteRemoved(
      ScheduleId id, Instant writtenAt, long through, EarlierLives decided, Instant now) {
    Optional<RemovedSchedule> known = strays.removed(id);
    EarlierLives all = known.map(RemovedSchedule::decided).map(decided::and).orElse(decided);
    boolean isLater = known.filter(word -> !word.writtenAt().isBefore(writtenAt)).isEmpty();
    if (isLater
        || known.filter(word -> word.through() >= through).isEmpty()
        || known.filter(word -> word.decided().equals(all)).isEmpty()) {
      strays.put(
          id,
          new RemovedSchedule(
              isLater ? writtenAt : known.orElseThrow().writtenAt(),
              now,
              Math.max(through, known.map(RemovedSchedule::through).orElse(-1L)),
              all));
    }
  }

  /** Forgets schedules that are gone, but for what holds for all that are forgotten. */
  public void forgetRemoved(List<StrayStore.Row> rows, StrayStore.Forgotten forgotten) {
    rows.forEach(row -> strays.delete(row.id()));
    strays.put(forgotten);
  }

  /** Carries a decision out. */
  public void apply(Optional<ScheduleState> before, EncodedDecision prepared) {
    emit(prepared);
    settle(before, prepared);
  }

  /**
   * Asks for a commit if something was sent since the last time.
   *
   * @return true when it has asked
   */
  public boolean commit() {
    if (!uncommitted) {
      return false;
    }
    uncommitted = false;
    context.commit();
    return true;
  }

  /** Sends what was decided. */
  public void emit(EncodedDecision prepared) {
    prepared.outgoing().forEach(this::send);
    counts.emitted(prepared.id(), prepared.decision(), prepared.at());
  }

  public void send(Outgoing outgoing) {
    context.forward(outgoing.record(), outgoing.sink().node());
    wrote = true;
    uncommitted = true;
  }

  /** Stores the state that a decision left, and queues the schedule for what it waits for. */
  public void settle(Optional<ScheduleState> before, EncodedDecision prepared) {
    ScheduleId id = prepared.id();
    Decision decision = prepared.decision();
    counts.changed(id, before, decision.state());
    changes.changed(id, before, decision.state());
    if (decision.state().isEmpty()) {
      byte[] key = id.utf8();
      states.unsaved().remove(id);
      queue.remove(key);
      extra.remove(id);
      heldBack.remove(id);
      progress.forgetDropped(key);
      if (before.isPresent()) {
        schedules.delete(key);
        progress.delete(key);
        moving.forget(id);
        Accepted last = before.get().current();
        noteRemoved(
            id,
            last.writtenAt(),
            Inbound.offsetOf(last.revision()),
            decision.ended().orElseThrow(),
            prepared.at());
      }
      return;
    }
    ScheduleState state = decision.state().get();
    if (before.isEmpty() || definitionChanged(before.get(), state)) {
      schedules.put(id.utf8(), new StoredSchedule(state.current(), state.completedAt()));
      moving.note(state);
    }
    if (before.isEmpty() && strays.removed(id).isPresent()) {
      strays.delete(id);
    }
    boolean inStep = isInStep(state, decision.next());
    if (inTick && !inStep) {
      states.unsaved().put(id, state);
    } else {
      states.unsaved().remove(id);
      store(state, inStep);
    }
    place(state, decision.next(), !inStep);
    if (state.fault().isPresent()) {
      extra.remove(id);
    }
    if (decision.next().isEmpty() && state.isPlain() && state.completedAt().isEmpty()) {
      exhausted.accept(id);
    }
  }

  /** As {@link #settle}, for the one fire of a schedule in step, which has nothing to store. */
  public void settleInStep(DueQueue.Entry entry, ScheduleId id, Optional<Occurrence> next) {
    if (next.isPresent()) {
      queue.delay(entry, next.get().due().toEpochMilli());
    } else {
      queue.remove(entry);
      exhausted.accept(id);
    }
  }

  /** True when the queue has a schedule in step for this occurrence, which is still to come. */
  public boolean isQueuedInStep(ScheduleId id, Occurrence next) {
    long dueMs = next.due().toEpochMilli();
    Optional<DueQueue.Entry> entry = queue.find(id.utf8());
    return entry.isPresent()
        && entry.get().dueMs() == dueMs
        && entry.get().isLive()
        && !entry.get().hasOwnProgress()
        && !position.covers(dueMs, id.utf8());
  }

  /**
   * Queues a schedule for what it waits for; nothing is stored but that it has an entry again.
   *
   * @return false when the queue had it so already
   */
  public boolean place(ScheduleState state, Optional<Occurrence> next, boolean ownProgress) {
    byte[] id = state.id().utf8();
    extra.note(state);
    Optional<DueQueue.Entry> entry = queue.find(id);
    heldBack.note(state.id(), next.isEmpty() ? Optional.empty() : decider.heldBackSince(state));
    if (next.isEmpty()) {
      queue.remove(id);
      return entry.isPresent();
    }
    long dueMs = next.get().due().toEpochMilli();
    boolean isToCome = state.replayThrough().isEmpty() || dueMs > clockMs;
    boolean live = isToCome && !position.covers(dueMs, id);
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
   * Removes the queue entry of a schedule that is gone.
   *
   * @return false when there is such a schedule
   */
  public boolean removeOrphan(ScheduleId id) {
    if (states.load(id, position).isPresent()) {
      return false;
    }
    queue.find(id.utf8()).ifPresent(this::drop);
    return true;
  }

  /** The queue entry of a schedule in step is about to be removed, though it was not decided. */
  public void noteDropped(ScheduleId id) {
    queue.find(id.utf8()).ifPresent(entry -> progress.putDropped(entry.id(), entry.dueMs()));
  }

  /**
   * Removes the queue entry of a schedule whose definition is not in the store. A delete removes
   * both, so the store is damaged. What is due from now on stays undecided, and if the definition
   * is there again one day it is caught up with.
   */
  public void drop(DueQueue.Entry entry) {
    byte[] id = entry.id();
    boolean isKept = progress.contains(id) || progress.putDropped(id, entry.dueMs());
    LOG.warn(
        "Dropped the queue entry of {}, due at {}: its definition is not in the store. {}",
        ScheduleId.ofUtf8(id),
        Instant.ofEpochMilli(entry.dueMs()),
        isKept
            ? "It goes on from there if that is there again"
            : "What is due until that is there again is lost, as too many were dropped");
    queue.remove(entry);
  }

  /** Queues a schedule anew, after something that its due instants depend on has changed. */
  public void requeue(ScheduleState state, Optional<Occurrence> next) {
    if (!rejoin(state, next)) {
      place(state, next, !isInStep(state, next));
    }
  }

  /**
   * Drops the progress record of a schedule that the position has caught up with.
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

  /** True when the schedule is out of step: what is decided of it is stored with it. */
  public boolean hasOwnProgress(ScheduleId id) {
    return progress.contains(id.utf8());
  }

  /** True when the position alone says what the schedule waits for. */
  public boolean isInStep(ScheduleState state, Optional<Occurrence> next) {
    if (!state.isPlain()) {
      return false;
    }
    if (state.isHeld()) {
      return true;
    }
    try {
      decider.tables().effort().renew();
      var table = decider.tables().of(state.id(), state.current());
      return table.nextAfter(position.cursor(table, state.id().utf8())).equals(next);
    } catch (EffortSpentException e) {
      return false; // its own progress says it without a search
    }
  }

  public void beginTick(Instant now) {
    clockMs = now.toEpochMilli();
    inTick = true;
    wrote = false;
  }

  /** Moves the position: everything up to it is decided, but for schedules out of step. */
  public void advance(Position reached) {
    position = position.max(reached);
  }

  /**
   * Stores the schedules that the tick has left out of step, and the position if anything was
   * decided.
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
        // from now on only the position says what is decided: both change in one transaction
        progress.putPosition(position, clockMs);
      }
    } else {
      progress.put(state);
    }
  }

  @SuppressWarnings("ReferenceEquality") // a revision that is kept is kept as the same object
  private static boolean definitionChanged(ScheduleState before, ScheduleState after) {
    return before.current() != after.current() || !before.completedAt().equals(after.completedAt());
  }
}

package io.waterclock.topology.stream;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.decide.Decider;
import io.waterclock.topology.decide.Decision;
import io.waterclock.topology.decide.Event;
import io.waterclock.topology.decide.ScheduleState;
import io.waterclock.topology.state.ProgressStore;
import io.waterclock.topology.state.ScheduleStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Fills the queue from the stores after an assignment, a slice at a time, so that the other tasks
 * of the thread go on. Records that arrive meanwhile queue themselves; meeting them again changes
 * nothing.
 */
final class Rebuild {
  private static final int SLICE = 512;

  private final ScheduleStore schedules;
  private final ProgressStore progress;
  private final States states;
  private final Decider decider;
  private final Applier applier;
  private final TickBudget budget;
  private Optional<ScheduleId> last = Optional.empty();
  private boolean done;
  private long seen;

  Rebuild(
      Settings.Pace pace,
      ScheduleStore schedules,
      ProgressStore progress,
      States states,
      Decider decider,
      Applier applier) {
    this.schedules = schedules;
    this.progress = progress;
    this.states = states;
    this.decider = decider;
    this.applier = applier;
    this.budget = new TickBudget(pace.tickBudget());
  }

  boolean isDone() {
    return done;
  }

  /** How many schedules were found. */
  long seen() {
    return seen;
  }

  /** Works until done or until the budget of a tick is spent. */
  void run(Instant now) {
    budget.start();
    while (!done && !budget.isSpent()) {
      List<ScheduleId> ids = schedules.idsAfter(last, SLICE);
      for (ScheduleId id : ids) {
        enqueue(id, now);
      }
      seen += ids.size();
      done = ids.size() < SLICE;
      if (!ids.isEmpty()) {
        last = Optional.of(ids.get(ids.size() - 1));
      }
    }
  }

  private void enqueue(ScheduleId id, Instant now) {
    Optional<ScheduleState> state = Optional.empty();
    try {
      state = states.load(id, applier.position());
      if (state.isPresent()) {
        applier.place(state.get(), decider.pending(state.get()), progress.contains(id.utf8()));
      }
    } catch (RuntimeException e) {
      if (state.isEmpty()) {
        throw e;
      }
      Event failed = new Event.Failed("computing its next occurrence failed: " + e);
      Decision decision = decider.decide(id, state, failed, now);
      applier.apply(id, state, decision, now);
    }
  }
}

package io.waterclock.topology.scheduler.task;

import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.model.ScheduleState;
import io.waterclock.topology.scheduler.store.States;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Fills the queue from the stores after an assignment, a slice at a time, so that the other tasks
 * of the thread go on. Records that arrive meanwhile queue their schedules; to queue a schedule
 * twice changes nothing.
 */
final class Rebuild {
  private static final int SLICE = 1_024;

  private final TaskContext task;
  private final TickBudget budget;
  private final Consumer<ScheduleId> retrying;
  private Optional<ScheduleId> last = Optional.empty();
  private boolean done;

  /**
   * @param retrying receives the schedules that are FAULTED, for the watchdog to try again
   */
  Rebuild(TaskContext task, TickBudget budget, Consumer<ScheduleId> retrying) {
    this.task = task;
    this.budget = budget;
    this.retrying = retrying;
  }

  boolean isDone() {
    return done;
  }

  /** Works until done or until the budget of a tick is spent. */
  void run(Instant now) {
    budget.start();
    do {
      States.Slice slice = task.states().slice(last, SLICE);
      done = enqueue(slice, now) && slice.isLast();
    } while (!done && !budget.isSpentNow());
    if (done) {
      task.counts().allMet();
    }
  }

  /**
   * @return false when the budget was spent before the end of the slice
   */
  private boolean enqueue(States.Slice slice, Instant now) {
    for (States.Row row : slice.rows()) {
      enqueue(row, now);
      last = Optional.of(row.id());
      if (budget.isSpentEarly()) {
        return false;
      }
    }
    return true;
  }

  private void enqueue(States.Row row, Instant now) {
    ScheduleState state = task.states().load(row, task.applier().position());
    task.queues().moving().note(state);
    task.counts().met(state);
    queue(state, now, next -> task.applier().place(state, next, row.hasProgress()));
    if (state.fault().isPresent()) {
      retrying.accept(row.id());
    }
  }

  /** Queues a schedule again after a change of a calendar that its due instants depend on. */
  void requeue(ScheduleId id, Instant now) {
    task.load(id)
        .ifPresent(state -> queue(state, now, next -> task.applier().requeue(state, next)));
  }

  /** Faults a schedule whose next occurrence cannot be computed. */
  private void queue(ScheduleState state, Instant now, Consumer<Optional<Occurrence>> placing) {
    Optional<Occurrence> next;
    try {
      next = task.decider().pending(state);
    } catch (RuntimeException e) {
      task.applier().apply(Optional.of(state), task.encoder().faulted(state, e, now));
      return;
    }
    placing.accept(next);
  }
}

package io.waterclock.topology.stream;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.decide.Decider;
import io.waterclock.topology.decide.Event;
import io.waterclock.topology.decide.ScheduleState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills the queue from the stores after an assignment, a slice at a time, so that the other tasks
 * of the thread go on. Records that arrive meanwhile queue themselves; meeting them again changes
 * nothing.
 */
final class Rebuild {
  private static final int SLICE = 512;
  private static final Logger LOG = LoggerFactory.getLogger(Rebuild.class);

  private final States states;
  private final Decider decider;
  private final Applier applier;
  private final TickBudget budget;
  private Optional<ScheduleId> last = Optional.empty();
  private boolean done;
  private long seen;

  Rebuild(Settings.Pace pace, States states, Decider decider, Applier applier) {
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
      List<States.Row> rows = states.slice(last, SLICE);
      for (States.Row row : rows) {
        enqueue(row, now);
      }
      seen += rows.size();
      done = rows.size() < SLICE;
      if (!rows.isEmpty()) {
        last = Optional.of(rows.get(rows.size() - 1).id());
      }
    }
  }

  private void enqueue(States.Row row, Instant now) {
    ScheduleState state = states.load(row, applier.position());
    try {
      applier.place(state, decider.pending(state), row.hasProgress());
    } catch (RuntimeException e) {
      LOG.error("Parked {} as FAULTED, the walk will try it again", row.id(), e);
      Event failed = new Event.Failed("computing its next occurrence failed: " + e);
      Optional<ScheduleState> before = Optional.of(state);
      applier.apply(row.id(), before, decider.decide(row.id(), before, failed, now), now);
    }
  }
}

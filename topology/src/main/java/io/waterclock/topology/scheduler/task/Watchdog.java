package io.waterclock.topology.scheduler.task;

import io.waterclock.schemas.SafeLogger;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.WalkProgress;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.apply.DecisionEncoder;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.count.WatchdogAction;
import io.waterclock.topology.scheduler.decide.Decider;
import io.waterclock.topology.scheduler.decide.Decision;
import io.waterclock.topology.scheduler.model.Event;
import io.waterclock.topology.scheduler.model.ScheduleState;
import io.waterclock.topology.scheduler.store.States;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * The watchdog: passes every schedule once in an interval, a slice at a time, and sees to it that
 * each has the queue entry that its state asks for, no more, and that none is left of a schedule
 * that is gone. Records completions, removes what was complete for long enough, tries parked
 * schedules again.
 *
 * <p>Schedules that have just run out of occurrences, or were parked before a start, are told to
 * the walk and looked at soon, without waiting for the pass to come by: fewer of them while a task
 * of the thread catches up, and very few while one has more to fire in time than it can, since to
 * record a completion costs several times as much as a fire and is in less of a hurry.
 */
final class Watchdog {
  private static final Logger LOG = SafeLogger.of(Watchdog.class);
  private static final Duration BETWEEN_SLICES = Duration.ofMillis(100);
  private static final int MIN_SLICE = 10;

  /**
   * To open the stores costs as much as to look at some 70 schedules. At least so many; up to twice
   * as many, so that the partitions of a thread do not go in step.
   */
  private static final int WORTH_OPENING_STORES = 256;

  private static final int MAX_SLICE = 2_000;
  private static final int BUSY_SLICE = 100;
  private static final int MAX_HINTS = 100_000;
  private static final Event REVIEWED = new Event.Reviewed();

  private final States states;
  private final Decider decider;
  private final DecisionEncoder encoder;
  private final Applier applier;
  private final Counts counts;
  private final OrphanSearch orphans;
  private final TickBudget budget;
  private final Duration interval;
  private final ArrayDeque<ScheduleId> hints = new ArrayDeque<>();
  private Optional<WatchdogPass> pass = Optional.empty();
  private Optional<Instant> hurriedSince = Optional.empty();
  private Instant nextSliceAt = Instant.EPOCH;
  private Instant nextPassAt = Instant.EPOCH;
  private boolean seenAll;

  Watchdog(TaskContext task, TickBudget budget) {
    this.states = task.states();
    this.decider = task.decider();
    this.encoder = task.encoder();
    this.applier = task.applier();
    this.orphans = new OrphanSearch(task.queues().due());
    this.counts = task.counts();
    this.budget = budget;
    this.interval = task.settings().pace().watchdogInterval();
  }

  /** The queue was rebuilt: every schedule there was has the entry that it asks for. */
  void rebuilt(Instant startedAt, Instant now) {
    pass = Optional.of(WatchdogPass.rebuild(startedAt, now));
  }

  /** Where it is; empty before the queue is rebuilt. */
  Optional<WalkProgress> progress() {
    return pass.map(WatchdogPass::progress);
  }

  /**
   * Asks for a whole pass that begins now, or when the one under way has ended, and goes as fast as
   * the fires leave room. One that was asked for and has not ended yet will do.
   *
   * @return since when it has been asked for: the first pass that begins at or after this is meant
   */
  Instant hurry(Instant now) {
    Instant since = hurriedSince.orElse(now);
    hurriedSince = Optional.of(since);
    return since;
  }

  /** Asks for a look at a schedule in the next slice. */
  void hint(ScheduleId id) {
    if (hints.size() < MAX_HINTS) {
      hints.add(id);
    }
  }

  /** Walks a slice if it is time. */
  void run(Instant now) {
    if (now.isBefore(nextSliceAt)) {
      return;
    }
    nextSliceAt = now.plus(BETWEEN_SLICES);
    int mostHints = budget.hasRoom() ? MAX_SLICE : budget.keepsUp() ? BUSY_SLICE : MIN_SLICE;
    for (int i = 0; i < mostHints && !hints.isEmpty() && !budget.isSpentEarly(); i++) {
      states.load(hints.remove(), applier.position()).ifPresent(state -> review(state, true, now));
    }
    slice(now);
  }

  private void slice(Instant now) {
    WatchdogPass current = pass.orElseThrow();
    if (current.hasEnded()) {
      if (hurriedSince.isEmpty() && now.isBefore(nextPassAt)) {
        return;
      }
      current = current.next(now, counts.schedules());
      pass = Optional.of(current);
      nextPassAt = now.plus(interval);
      seenAll = false;
      orphans.begin();
    }
    if (!seenAll) {
      see(current, now);
    } else {
      removeOrphans(current, now);
    }
  }

  private void see(WatchdogPass current, Instant now) {
    int size = sliceSize(current, now);
    if (size == 0) {
      return;
    }
    States.Slice slice = states.slice(current.reached(), size);
    List<States.Row> rows = slice.rows();
    // by itself, as the processor then fetches several entries from memory at once
    rows.forEach(row -> orphans.seen(row.id()));
    int seen = 0;
    while (seen < rows.size() && (seen == 0 || !budget.isSpentEarly())) {
      States.Row row = rows.get(seen++);
      ScheduleState state = states.load(row, applier.position());
      if (row.hasProgress() || !waitsInStep(state)) {
        review(state, row.hasProgress(), now);
      }
    }
    counts.checked(seen);
    if (seen > 0) {
      current.reach(rows.get(seen - 1).id(), seen);
    }
    seenAll = slice.isLast() && seen == rows.size();
    if (seenAll) {
      removeOrphans(current, now);
    }
  }

  private void removeOrphans(WatchdogPass current, Instant now) {
    for (ScheduleId id : orphans.next()) {
      if (applier.removeOrphan(id)) {
        current.repaired();
        counts.did(WatchdogAction.ENTRY_REMOVED);
      }
    }
    if (orphans.isDone()) {
      current.end(now);
      if (current.progress().getFaulted() > 0) {
        LOG.info("Tried {} faulted schedules again", current.progress().getFaulted());
      }
      hurriedSince = hurriedSince.filter(current.startedAt()::isBefore);
    }
  }

  /**
   * As many as it takes to be where the pass should be by now, within bounds; none while they are
   * too few to open the stores for.
   */
  private int sliceSize(WatchdogPass current, Instant now) {
    if (hurriedSince.isPresent()) {
      return budget.hasRoom() ? MAX_SLICE : BUSY_SLICE;
    }
    Instant next = now.plus(BETWEEN_SLICES);
    long schedules = counts.schedules();
    long behind = current.behind(next, interval, schedules);
    if (behind < worthwhile(current) && !current.shouldEnd(next, interval, schedules)) {
      return 0;
    }
    return (int) Math.max(MIN_SLICE, Math.min(MAX_SLICE, behind));
  }

  private static int worthwhile(WatchdogPass current) {
    return WORTH_OPENING_STORES + (current.reached().hashCode() & (WORTH_OPENING_STORES - 1));
  }

  /** The ordinary case, told without a decision: the queue has what follows from the position. */
  private boolean waitsInStep(ScheduleState state) {
    try {
      return decider
          .pending(state)
          .filter(next -> applier.isQueuedInStep(state.id(), next))
          .isPresent();
    } catch (RuntimeException e) {
      return false; // a review meets the same failure, and parks the schedule
    }
  }

  private void review(ScheduleState state, boolean mayHaveProgress, Instant now) {
    Optional<ScheduleState> before = Optional.of(state);
    EncodedDecision encoded = encoder.orFault(state, REVIEWED, now);
    Decision decision = encoded.decision();
    if (decision.state().flatMap(ScheduleState::fault).isPresent()) {
      pass.ifPresent(WatchdogPass::faulted);
      counts.did(WatchdogAction.SCHEDULE_RETRIED);
    }
    if (!decision.isQuiet()) {
      applier.apply(before, encoded);
    } else {
      repair(decision, mayHaveProgress);
    }
  }

  private void repair(Decision decision, boolean mayHaveProgress) {
    ScheduleState state = decision.state().orElseThrow();
    if (mayHaveProgress && applier.rejoin(state, decision.next())) {
      return;
    }
    boolean inStep = applier.isInStep(state, decision.next());
    if (decision.next().isEmpty() && inStep) {
      applier.noteDropped(state.id());
    }
    if (applier.place(state, decision.next(), !inStep) && state.fault().isEmpty()) {
      pass.ifPresent(WatchdogPass::repaired);
      if (decision.next().isEmpty()) {
        counts.did(WatchdogAction.ENTRY_REMOVED);
        LOG.warn("Removed the queue entry of {}: it waits for nothing", state.id());
      } else {
        counts.did(WatchdogAction.ENTRY_MADE);
        LOG.warn("Made the queue entry of {}: it waits for {}", state.id(), decision.next().get());
      }
    }
  }
}

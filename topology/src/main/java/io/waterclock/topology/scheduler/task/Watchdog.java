package io.waterclock.topology.scheduler.task;

import io.waterclock.decide.Decision;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.WalkProgress;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.apply.DecisionEncoder;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.PartitionState;
import io.waterclock.topology.scheduler.apply.Placement;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.count.WatchdogAction;
import io.waterclock.topology.scheduler.store.DueQueue;
import io.waterclock.topology.scheduler.store.States;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * The watchdog: checks every schedule once in an interval, a slice at a time. It repairs the queue:
 * each schedule has exactly the entry that its state requires, and a removed schedule has none. It
 * records completions, removes schedules whose retention after completion is over, and tries
 * faulted schedules again.
 *
 * <p>An entry on disk is looked up only in the last passes before it is due, and in each pass that
 * was requested: one look-up costs as much as all other checks of a schedule.
 *
 * <p>Hints name schedules that have just run out of occurrences, or were faulted before a start:
 * the watchdog checks these soon, before the pass reaches them. It checks fewer of them while a
 * task of the thread catches up, and very few while a task is late with live fires, because to
 * record a completion costs several times as much as a fire and is less urgent: a slice has a time,
 * too, since the fires of the thread's other tasks wait for it.
 */
final class Watchdog {
  private static final Logger LOG = SafeLogger.of(Watchdog.class);
  private static final Duration BETWEEN_SLICES = Duration.ofMillis(100);
  private static final int MIN_SLICE = 10;

  /**
   * To open the stores costs as much as to check some 70 schedules. A slice has at least this many
   * schedules, or up to twice as many, so that the partitions of a thread do not run in step.
   */
  private static final int WORTH_OPENING_STORES = 256;

  /** The first pass has an estimate only, and the counts should be whole soon. */
  private static final int MIN_COUNTING_SLICE = 256;

  /** How many intervals before it is due an entry on disk is looked up; a pass may take two. */
  private static final int INTERVALS_AHEAD = 3;

  private static final int MAX_SLICE = 2_000;
  private static final int BUSY_SLICE = 100;
  private static final int MAX_HINTS = 100_000;

  /**
   * The longest time for hints in a tick: all tasks of a thread take theirs one after the other.
   */
  private static final Duration HINTS_TIME = Duration.ofMillis(2);

  /** As above, once in {@link #BETWEEN_SLICES}, while a task has more urgent work. */
  private static final Duration BUSY_TIME = Duration.ofMillis(4);

  /** The longest time for a slice of the pass, after {@link #WORTH_OPENING_STORES} cheap ones. */
  private static final Duration SLICE_TIME = Duration.ofMillis(10);

  private final PartitionState partition;
  private final Applier applier;
  private final Placement placement;
  private final Counts counts;
  private final DecisionEncoder encoder;
  private final States states;
  private final DueQueue queue;
  private final OrphanSearch orphans;
  private final TickBudget budget;
  private final Duration interval;
  private final ArrayDeque<ScheduleId> hints = new ArrayDeque<>();
  private Optional<WatchdogPass> pass = Optional.empty();
  private Optional<Instant> requestedAt = Optional.empty();
  private Instant nextSliceAt = Instant.EPOCH;
  private Instant nextPassAt = Instant.EPOCH;
  private boolean checkedAll;
  private boolean isCounting;

  Watchdog(TaskContext task, TickBudget budget) {
    this.partition = task.partition();
    this.applier = task.applier();
    this.placement = task.partition().placement();
    this.counts = task.partition().counts();
    this.encoder = task.encoder();
    this.states = task.partition().states();
    this.queue = task.partition().placement().queues().due();
    this.orphans = new OrphanSearch(task.partition().placement().queues().due());
    this.budget = budget;
    this.interval = task.settings().pace().watchdogInterval();
  }

  /** Notes that every schedule was read, and has the entry that its state requires. */
  void readAll(Instant startedAt, Instant now) {
    pass = Optional.of(WatchdogPass.ofLoader(startedAt, now));
  }

  /** Begins the first pass of a task, which also counts the schedules. */
  void begin(Instant now) {
    isCounting = true;
    begin(WatchdogPass.first(now, partition.stores().schedules().approximateSize()), now);
  }

  private void begin(WatchdogPass begun, Instant now) {
    pass = Optional.of(begun);
    nextPassAt = now.plus(interval);
    checkedAll = false;
    orphans.begin();
  }

  /** The progress of the latest pass; empty before the task may decide. */
  Optional<WalkProgress> progress() {
    return pass.map(WatchdogPass::progress);
  }

  /**
   * Requests a whole pass that begins now, or after the pass under way, and runs as fast as the
   * fires allow. A request joins an earlier one whose pass has not ended yet.
   *
   * @return the time of the request: the first pass that begins at or after it serves the request
   */
  Instant hurry(Instant now) {
    Instant since = requestedAt.orElse(now);
    requestedAt = Optional.of(since);
    return since;
  }

  /** Requests a check of a schedule before the next slice. */
  void hint(ScheduleId id) {
    if (hints.size() < MAX_HINTS) {
      hints.add(id);
    }
  }

  /**
   * Checks a slice if it is time.
   *
   * @param readThrough inclusive: what was written by then is read
   */
  void run(Instant readThrough, Instant now) {
    boolean isSlice = !now.isBefore(nextSliceAt);
    if (isSlice || hasWork()) {
      checkHints(readThrough, now);
    }
    if (isSlice) {
      nextSliceAt = now.plus(BETWEEN_SLICES);
      slice(readThrough, now);
    }
  }

  /** True while hints wait, and no task has more urgent work: the next run checks some. */
  boolean hasWork() {
    return !hints.isEmpty() && budget.hasRoom();
  }

  private void checkHints(Instant readThrough, Instant now) {
    budget.startSlice(budget.hasRoom() ? HINTS_TIME : BUSY_TIME);
    int most = budget.hasRoom() ? MAX_SLICE : budget.keepsUp() ? BUSY_SLICE : MIN_SLICE;
    for (int i = 0; i < most && !hints.isEmpty() && !budget.isSliceSpent(); i++) {
      partition.load(hints.remove()).ifPresent(state -> review(state, true, readThrough, now));
    }
  }

  private void slice(Instant readThrough, Instant now) {
    WatchdogPass current = pass.orElseThrow();
    if (current.hasEnded()) {
      if (requestedAt.isEmpty() && now.isBefore(nextPassAt)) {
        return;
      }
      current = current.next(now, counts.schedules());
      begin(current, now);
    }
    if (!checkedAll) {
      check(current, readThrough, now);
    } else {
      removeOrphans(current, now);
    }
  }

  private void check(WatchdogPass current, Instant readThrough, Instant now) {
    int size = sliceSize(current, now);
    if (size == 0) {
      return;
    }
    States.Slice slice = states.slice(current.reached(), size);
    List<States.Row> rows = slice.rows();
    // in a loop of its own: the CPU then fetches several entries from memory at once
    rows.forEach(row -> orphans.seen(row.id()));
    Instant trustedAfter =
        requestedAt.isPresent() ? Instant.MAX : now.plus(interval.multipliedBy(INTERVALS_AHEAD));
    int checked = 0;
    budget.startSlice(SLICE_TIME);
    while (checked < rows.size()
        && (checked == 0 || !budget.isSpentEarly())
        && (checked < WORTH_OPENING_STORES || !budget.isSliceSpent())) {
      States.Row row = rows.get(checked++);
      ScheduleState state = states.load(row, placement.position());
      if (isCounting) {
        counts.met(state);
      }
      if (row.hasProgress() || !waitsInStep(state, trustedAfter)) {
        review(state, row.hasProgress(), readThrough, now);
      }
    }
    counts.checked(checked);
    if (checked > 0) {
      current.reach(rows.get(checked - 1).id(), checked);
    }
    checkedAll = slice.isLast() && checked == rows.size();
    if (checkedAll) {
      if (isCounting) {
        isCounting = false;
        counts.allMet();
      }
      removeOrphans(current, now);
    }
  }

  private void removeOrphans(WatchdogPass current, Instant now) {
    for (ScheduleId id : orphans.next()) {
      if (placement.removeOrphan(id)) {
        did(WatchdogAction.ENTRY_REMOVED);
      }
    }
    if (orphans.isDone()) {
      current.end(now);
      Optional<Instant> notServed = requestedAt.filter(current.startedAt()::isBefore);
      if (notServed.equals(requestedAt)) {
        LOG.debug("Watchdog pass of partition {}: {}", partition.number(), current);
      } else {
        LOG.info("Requested watchdog pass of partition {}: {}", partition.number(), current);
      }
      requestedAt = notServed;
    }
  }

  private void did(WatchdogAction action) {
    pass.ifPresent(current -> current.did(action));
    counts.did(action);
  }

  /**
   * As many as the pass is behind its plan, within bounds; none while they are too few to open the
   * stores for.
   */
  private int sliceSize(WatchdogPass current, Instant now) {
    if (requestedAt.isPresent()) {
      return budget.hasRoom() ? MAX_SLICE : BUSY_SLICE;
    }
    Instant next = now.plus(BETWEEN_SLICES);
    long schedules = counts.schedules();
    long behind = current.behind(next, interval, schedules);
    if (isCounting) {
      return (int) Math.max(MIN_COUNTING_SLICE, Math.min(MAX_SLICE, behind));
    }
    if (behind < worthwhile(current) && !current.shouldEnd(next, interval, schedules)) {
      return 0;
    }
    return (int) Math.max(MIN_SLICE, Math.min(MAX_SLICE, behind));
  }

  private static int worthwhile(WatchdogPass current) {
    return WORTH_OPENING_STORES + (current.reached().hashCode() & (WORTH_OPENING_STORES - 1));
  }

  /**
   * True in the common case, without a decision: the queue has the entry that the position gives.
   *
   * @param trustedAfter from then on an entry on disk is not looked up: a later pass does so
   */
  private boolean waitsInStep(ScheduleState state, Instant trustedAfter) {
    try {
      Optional<Pending> next = encoder.decider().pending(state);
      return next.isPresent()
          && (next.get().due().isAfter(trustedAfter)
              ? placement.mayBeQueuedInStep(state.id(), next.get())
              : placement.isQueuedInStep(state.id(), next.get()));
    } catch (RuntimeException e) {
      return false; // a review meets the same failure, and faults the schedule
    }
  }

  private void review(
      ScheduleState state, boolean mayHaveProgress, Instant readThrough, Instant now) {
    Optional<ScheduleState> before = Optional.of(state);
    EncodedDecision encoded = encoder.orFault(state, new Event.Reviewed(readThrough), now);
    Decision decision = encoded.decision();
    if (decision.state().flatMap(ScheduleState::fault).isPresent()) {
      did(WatchdogAction.SCHEDULE_RETRIED);
    }
    if (!decision.isQuiet()) {
      applier.apply(before, encoded);
    } else {
      repair(decision, mayHaveProgress);
    }
  }

  private void repair(Decision decision, boolean mayHaveProgress) {
    ScheduleState state = decision.state().orElseThrow();
    if (mayHaveProgress && applier.rejoin(state, decision.pending())) {
      return;
    }
    boolean inStep = placement.isInStep(state, decision.pending());
    if (decision.pending().isEmpty() && inStep) {
      placement.noteDropped(state.id());
    }
    boolean hadEntry = queue.find(state.id().utf8()).isPresent();
    if (placement.place(state, decision.pending(), !inStep) && state.fault().isEmpty()) {
      if (decision.pending().isEmpty()) {
        did(WatchdogAction.ENTRY_REMOVED);
        LOG.warn("Removed the queue entry of {}: it waits for nothing", state.id());
      } else {
        did(hadEntry ? WatchdogAction.ENTRY_REQUEUED : WatchdogAction.ENTRY_CREATED);
        LOG.warn(
            "{} the queue entry of {}: it waits for {}. What came due since {} may not have fired:"
                + " waterclock audit {} counts it",
            hadEntry ? "Replaced" : "Created",
            state.id(),
            decision.pending().get().due(),
            pass.orElseThrow().previousStartedAt(),
            state.id());
      }
    }
  }
}

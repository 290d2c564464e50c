package io.waterclock.topology.scheduler.task;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.apply.CommandedLanes;
import io.waterclock.topology.scheduler.apply.DecisionEncoder;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.PartitionState;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.count.Lane;
import io.waterclock.topology.scheduler.store.ProgressStore;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Fires the manual fires and backfills of commands, round robin: manual fires right after the live
 * lane, backfills last and at a bounded rate. One whose fires must wait, also for the end of
 * others, is passed over; a round of such ends the turns.
 */
final class CommandedTurns {
  private final PartitionState partition;
  private final CommandedLanes commanded;
  private final Settings.Pace pace;
  private final ProgressStore progress;
  private final DecisionEncoder encoder;
  private final Applier applier;
  private final FireRates rates;

  /** Bounds the fires of a turn in bytes. */
  private final long enoughBytes;

  private final RateLimit rateLimit;

  CommandedTurns(TaskContext task, FireRates rates) {
    this.partition = task.partition();
    this.commanded = task.partition().placement().queues().commanded();
    this.pace = task.settings().pace();
    this.progress = task.partition().stores().progress();
    this.encoder = task.encoder();
    this.applier = task.applier();
    this.rates = rates;
    this.enoughBytes = Math.min(1 << 20, task.settings().limits().fireBytes().large());
    this.rateLimit = new RateLimit(task.settings().pace().backfillRate());
  }

  /** One turn at least. */
  void fireManual(Instant now, TickBudget budget) {
    int passed = 0;
    boolean spent = false;
    while (!spent && passed < Math.min(Tick.MOST_PASSED, commanded.manualSize())) {
      ScheduleId id = commanded.nextManual().orElseThrow();
      if (rates.stillWaits(id, Lane.MANUAL)) {
        passed++;
      } else {
        int fired = turn(id, Lane.MANUAL, this::oldestFires, now);
        passed = fired == 0 ? passed + 1 : 0;
        spent = spend(fired, budget);
      }
    }
  }

  /** One turn at least, if the rate allows it. */
  void backfill(Instant now, TickBudget budget) {
    rateLimit.grow(now);
    int passed = 0;
    boolean spent = false;
    while (!spent
        && rateLimit.left() > 0
        && passed < Math.min(Tick.MOST_PASSED, commanded.backfillsSize())) {
      ScheduleId id = commanded.nextBackfill().orElseThrow();
      if (commanded.isHeld(id, now) || rates.stillWaits(id, Lane.BACKFILL)) {
        passed++;
      } else {
        int limit = Math.min(pace.catchUpChunk(), rateLimit.left());
        int fired = turn(id, Lane.BACKFILL, state -> nextOfBackfill(state, limit), now);
        rateLimit.use(fired);
        passed = fired == 0 ? passed + 1 : 0;
        spent = spend(fired, budget);
      }
    }
  }

  private Event oldestFires(ScheduleState state) {
    int most = pace.catchUpChunk();
    return new Event.ManualDue(progress.fires(state, most, enoughBytes));
  }

  /** As many fires as a turn may have, in number and in bytes. */
  private Event nextOfBackfill(ScheduleState state, int limit) {
    Optional<Accepted> under = progress.underOfBackfill(state);
    long size = under.orElse(state.current()).snapshot().body().length;
    return new Event.BackfillDue((int) Math.max(1, Math.min(limit, enoughBytes / size)), under);
  }

  /** Each fire counts as a decision. */
  private static boolean spend(int fired, TickBudget budget) {
    boolean spent = budget.isSpent();
    for (int i = 1; i < fired && !spent; i++) {
      spent = budget.isSpent();
    }
    return spent;
  }

  /**
   * @return the number of fires
   */
  private int turn(ScheduleId id, Lane lane, Function<ScheduleState, Event> next, Instant now) {
    Optional<ScheduleState> before = partition.load(id);
    if (before.isEmpty()) {
      commanded.remove(id);
      return 0;
    }
    Event event = next.apply(before.get());
    FireRates.Share share = rates.of(id, largest(event, before.get().current()));
    if (rates.mustWait(id, share, lane)) {
      return 0;
    }
    EncodedDecision encoded = encoder.orFault(before.get(), event, now);
    applier.emit(encoded);
    rates.sent(encoded, share);
    applier.settle(before, encoded);
    return encoded.decision().fires().size();
  }

  /** About the size of the largest fire of a turn, in bytes. */
  private static long largest(Event event, Accepted inForce) {
    return event instanceof Event.BackfillDue backfill
        ? backfill.under().orElse(inForce).snapshot().body().length
        : ((Event.ManualDue) event)
            .fires().stream().mapToInt(fire -> fire.size(inForce)).max().orElse(0);
  }
}

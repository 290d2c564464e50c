package io.waterclock.topology.scheduler.task;

import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.apply.DecisionEncoder;
import io.waterclock.topology.scheduler.apply.PartitionState;
import io.waterclock.topology.scheduler.apply.Placement;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.context.DefinedSchedules;
import io.waterclock.topology.scheduler.store.States;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;

/**
 * Makes a partition agree with its topic before it fires, after an outage that outlasts tombstones.
 *
 * <p>The topic keeps a tombstone for {@code delete.retention.ms}. After a longer outage the
 * tombstone may be gone, and with it the only sign that a schedule was deleted. So this class reads
 * the whole partition, and deletes the schedules that it no longer defines, a slice at a time, so
 * that other tasks go on.
 */
final class Reconcile {
  private static final Logger LOG = SafeLogger.of(Reconcile.class);
  private static final int SLICE = 128;

  private final PartitionState partition;
  private final Applier applier;
  private final Placement placement;
  private final DecisionEncoder encoder;
  private final States states;
  private final DefinedSchedules defined;
  private final Duration tombstonesKept;
  private final TickBudget budget;
  private final Optional<Instant> decidedAt;
  private final Set<ScheduleId> admittedMeanwhile = new HashSet<>();
  private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
  private boolean announced;
  private boolean done;
  private Optional<CompletableFuture<Set<ScheduleId>>> reading = Optional.empty();
  private Optional<ScheduleId> last = Optional.empty();
  private long deleted;

  /**
   * @param decidedAt when a task last decided the partition; empty for a new partition
   */
  Reconcile(TaskContext task, TickBudget budget, Optional<Instant> decidedAt) {
    this.partition = task.partition();
    this.applier = task.applier();
    this.placement = task.partition().placement();
    this.encoder = task.encoder();
    this.states = task.partition().states();
    this.defined = task.application().brokers().definedSchedules();
    this.tombstonesKept = task.settings().retention().tombstones();
    this.budget = budget;
    this.decidedAt = decidedAt;
  }

  boolean isDone() {
    return done;
  }

  /**
   * Is done at once after an outage of less than half of the time for which tombstones are kept: a
   * task that has much to read notes no schedule then.
   */
  void skipIfShort(Instant byBrokers) {
    boolean isShort =
        decidedAt.map(at -> at.plus(tombstonesKept.dividedBy(2)).isAfter(byBrokers)).orElse(true);
    if (!done && isShort) {
      finish();
    }
  }

  /** Notes a schedule that the topic has just defined or deleted. */
  void admitted(ScheduleId id) {
    if (!done) {
      admittedMeanwhile.add(id);
    }
  }

  /**
   * Works until done or until the budget of a tick is spent.
   *
   * @param byBrokers now, also if this clock is behind: the topic forgets by it
   */
  void run(Instant now, Instant byBrokers) {
    if (!isNeeded(byBrokers)) {
      finish();
      return;
    }
    if (reading.isEmpty() && !backoff.mayTry(now)) {
      return;
    }
    if (reading.isEmpty()) {
      reading = Optional.of(defined.of(partition.number()));
    }
    CompletableFuture<Set<ScheduleId>> defined = reading.get();
    if (defined.isCompletedExceptionally()) {
      readAgain(defined, now);
    } else if (defined.isDone()) {
      deleteOthers(defined.join(), now);
    }
  }

  private void readAgain(CompletableFuture<Set<ScheduleId>> failed, Instant now) {
    LOG.warn(
        "Reading partition {} failed; the next attempt is in {} s: {}",
        partition.number(),
        backoff.failed(now).toSeconds(),
        failed.handle((ids, cause) -> String.valueOf(cause)).join());
    reading = Optional.empty();
  }

  private void deleteOthers(Set<ScheduleId> defined, Instant now) {
    budget.start();
    do {
      States.Slice slice = states.slice(last, SLICE);
      for (States.Row row : slice.rows()) {
        if (!defined.contains(row.id()) && !admittedMeanwhile.contains(row.id())) {
          delete(row, now);
        }
        last = Optional.of(row.id());
        if (budget.isSpentEarly()) {
          return;
        }
      }
      last = slice.reached(last);
      if (slice.isLast()) {
        LOG.info(
            "Partition {}: deleted {} schedules that the topic no longer defines",
            partition.number(),
            deleted);
        finish();
      }
    } while (!done && !budget.isSpentNow());
  }

  private boolean isNeeded(Instant now) {
    boolean needed = decidedAt.filter(at -> at.plus(tombstonesKept).isBefore(now)).isPresent();
    if (needed && !announced) {
      announced = true;
      LOG.info(
          "Partition {} was last decided at {}, and tombstones are kept for {}: reading the whole"
              + " partition to find the schedules that were deleted",
          partition.number(),
          decidedAt.orElseThrow(),
          tombstonesKept);
    }
    return needed;
  }

  private void finish() {
    done = true;
    admittedMeanwhile.clear();
    reading = Optional.empty();
  }

  private void delete(States.Row row, Instant now) {
    Optional<ScheduleState> before = Optional.of(states.load(row, placement.position()));
    applier.apply(before, encoder.of(row.id(), before, new Event.Deleted(now), now));
    deleted++;
  }
}

package io.waterclock.topology.stream;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.decide.Event;
import io.waterclock.topology.decide.ScheduleState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a partition that nobody has decided for a long time agree with its topic before it fires.
 *
 * <p>A tombstone is kept for a time ({@code delete.retention.ms}); after a longer outage it may be
 * gone, and with it the only word that a schedule was deleted. So the whole partition is read, and
 * what it does not define any more is deleted. A slice at a time, so that other tasks go on.
 */
final class Reconcile {
  private static final Logger LOG = LoggerFactory.getLogger(Reconcile.class);
  private static final int SLICE = 512;

  private final Survivors survivors;
  private final int partition;
  private final States states;
  private final Preparing preparing;
  private final Applier applier;
  private final TickBudget budget;
  private final Set<ScheduleId> metMeanwhile = new HashSet<>();
  private boolean needed;
  private Optional<CompletableFuture<Set<ScheduleId>>> reading = Optional.empty();
  private Optional<ScheduleId> last = Optional.empty();
  private long deleted;

  Reconcile(
      Survivors survivors,
      int partition,
      Settings.Pace pace,
      States states,
      Preparing preparing,
      Applier applier) {
    this.survivors = survivors;
    this.partition = partition;
    this.states = states;
    this.preparing = preparing;
    this.applier = applier;
    this.budget = new TickBudget(pace.tickBudget());
  }

  /**
   * Finds out whether it is needed.
   *
   * @param decidedAt when the partition was last decided; empty when it never was
   */
  void begin(Optional<Instant> decidedAt, Instant now, Duration tombstonesKept) {
    needed = decidedAt.filter(at -> at.plus(tombstonesKept).isBefore(now)).isPresent();
    if (needed) {
      LOG.info(
          "Partition {} was last decided at {}, and tombstones are kept for {}: reading all of it"
              + " to see what was deleted",
          partition,
          decidedAt.orElseThrow(),
          tombstonesKept);
    }
  }

  boolean isDone() {
    return !needed;
  }

  /** A record of this schedule was processed just now: the topic defines or deletes it itself. */
  void met(ScheduleId id) {
    if (needed) {
      metMeanwhile.add(id);
    }
  }

  /** Works until done or until the budget of a tick is spent. */
  void run(Instant now) {
    if (reading.isEmpty()) {
      reading = Optional.of(survivors.of(partition));
    }
    CompletableFuture<Set<ScheduleId>> defined = reading.get();
    if (defined.isCompletedExceptionally()) {
      LOG.warn("Partition {} could not be read; reading it again", partition);
      reading = Optional.empty();
    } else if (defined.isDone()) {
      deleteOthers(defined.join(), now);
    }
  }

  private void deleteOthers(Set<ScheduleId> defined, Instant now) {
    budget.start();
    while (needed && !budget.isSpent()) {
      List<States.Row> rows = states.slice(last, SLICE);
      for (States.Row row : rows) {
        if (!defined.contains(row.id()) && !metMeanwhile.contains(row.id())) {
          delete(row, now);
        }
      }
      if (!rows.isEmpty()) {
        last = Optional.of(rows.get(rows.size() - 1).id());
      }
      needed = rows.size() == SLICE;
    }
    if (!needed) {
      LOG.info("Partition {}: {} schedules were deleted meanwhile", partition, deleted);
      metMeanwhile.clear();
    }
  }

  private void delete(States.Row row, Instant now) {
    Optional<ScheduleState> before = Optional.of(states.load(row, applier.position()));
    applier.apply(before, preparing.of(row.id(), before, new Event.Deleted(now), now));
    deleted++;
  }
}

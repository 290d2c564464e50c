package io.waterclock.client.rules;

import static java.util.Comparator.naturalOrder;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.policy.CatchUpPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The fires of a partition that were emitted while no worker of the group was running, and were
 * older than grace when a worker took over. The schedule's {@code catch_up} decides which of them
 * run, as it does for occurrences that the scheduler missed. Fires that were emitted while workers
 * were running are not backlog: they wait their turn, however long the queue and however often the
 * partition changes its owner.
 *
 * <p>The takeover that ended a downtime defines the backlog, and the backlog stays with the
 * partition until it is finished: each later owner of the partition applies the same rule to it.
 * Worked example: the group comes back at 12:00 and finds offsets 0 to 999; at 12:10 it has
 * finished 0 to 99, the queue ends at 1,400, and the partition goes to another worker. For the new
 * worker, the downtime of 100 to 999 is the time from the last heartbeat to 12:00, and the downtime
 * of 1,000 to 1,399 is the second between the two workers.
 *
 * @param downtimes the downtimes with unfinished fires, in their order
 */
public record Backlog(List<Downtime> downtimes) {
  public static final Backlog NONE = new Backlog(List.of());

  /** They must fit into the metadata of a committed offset. */
  static final int MOST_DOWNTIMES = 16;

  public Backlog {
    downtimes = List.copyOf(downtimes);
  }

  /** What the backlog rule decides about a fire. */
  public enum Fate {
    RUN,
    SKIP,
    /** The newest of these fires runs for all of them. */
    COLLAPSE
  }

  /**
   * The backlog of a worker that takes a partition over.
   *
   * @param own the heartbeat beside the partition's offset; empty for a partition that the topic
   *     has got since the group began: older fires in it belong to a downtime
   * @param ofGroup the heartbeats beside the offsets of all partitions; empty for a new group
   * @param rebalance how long a partition may have no owner while the group is running
   * @param end the partition's current end offset, exclusive
   */
  public static Backlog takenOver(
      Optional<WorkerHeartbeat> own,
      Collection<WorkerHeartbeat> ofGroup,
      Duration rebalance,
      Instant now,
      long end) {
    Optional<Instant> begun = ofGroup.stream().map(WorkerHeartbeat::since).min(naturalOrder());
    Backlog unfinished =
        own.map(WorkerHeartbeat::backlog)
            .map(Backlog::new)
            .or(() -> begun.map(first -> NONE.and(new Downtime(Optional.empty(), first, end))))
            .orElse(NONE);
    Optional<Instant> lastAlive =
        own.map(WorkerHeartbeat::at)
            .or(() -> begun)
            .map(seen -> aliveUntil(seen, ofGroup, rebalance));
    return unfinished.and(new Downtime(lastAlive, now, end));
  }

  /**
   * How long the group ran on after its last heartbeat in a partition, according to the other
   * partitions.
   */
  private static Instant aliveUntil(
      Instant seen, Collection<WorkerHeartbeat> ofGroup, Duration rebalance) {
    Instant until = seen;
    for (WorkerHeartbeat heartbeat :
        ofGroup.stream().sorted(Comparator.comparing(WorkerHeartbeat::since)).toList()) {
      if (!heartbeat.since().isAfter(until.plus(rebalance)) && heartbeat.at().isAfter(until)) {
        until = heartbeat.at();
      }
    }
    return until;
  }

  /** Drops the shortest downtime if there are too many to commit. */
  private Backlog and(Downtime downtime) {
    List<Downtime> all = new ArrayList<>(downtimes);
    all.add(downtime);
    if (all.size() > MOST_DOWNTIMES) {
      all.remove(Collections.min(all, Comparator.comparing(Downtime::length)));
    }
    return new Backlog(all);
  }

  /** The rest of the backlog when everything before an offset is finished. */
  public Backlog from(long offset) {
    return new Backlog(downtimes.stream().filter(downtime -> offset < downtime.end()).toList());
  }

  /** The end offset of the backlog, exclusive; 0 for no backlog. */
  long end() {
    return downtimes.stream().mapToLong(Downtime::end).max().orElse(0);
  }

  /** What the rule decides about a fire at this offset. */
  Fate fate(long offset, Fire fire) {
    if (fire.getCause() != Cause.SCHEDULED
        || downtimes.stream().noneMatch(downtime -> downtime.covers(offset, fire))) {
      return Fate.RUN;
    }
    CatchUpPolicy policy = CatchUpPolicy.of(fire.getSchedule());
    if (policy.firesOneForAll()) {
      return Fate.COLLAPSE;
    }
    return policy.firesMissed() ? Fate.RUN : Fate.SKIP;
  }
}

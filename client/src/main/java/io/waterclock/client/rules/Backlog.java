package io.waterclock.client.rules;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What of a partition fired while nobody of the group was there, and was older than grace when
 * somebody came: the schedule's {@code catch_up} says what of it runs, as it does for what the
 * scheduler missed. What was emitted while workers were there is no backlog, however long the queue
 * and however often the partition goes to another worker: it waits its turn.
 *
 * <p>So a backlog is a fact of the takeover that ended a downtime, and goes with the partition
 * until it is worked off: whoever is given the partition next judges it as it was judged then.
 * Worked example: the group comes back at 12:00 and finds offsets 0 to 999; at 12:10 it has
 * finished 0 to 99, the queue ends at 1,400, and the partition goes to another worker. For that one
 * 100 to 999 are judged by the time from the last sign of life to 12:00, and 1,000 to 1,399 by the
 * second between the two workers.
 *
 * @param downtimes those of which something is not finished, in their order
 */
public record Backlog(List<Downtime> downtimes) {
  /** Nothing. */
  public static final Backlog NONE = new Backlog(List.of());

  /** They have to fit into what a group may commit beside an offset. */
  static final int MOST_DOWNTIMES = 16;

  public Backlog {
    downtimes = List.copyOf(downtimes);
  }

  /** What the backlog rule makes of a fire. */
  public enum Fate {
    /** It runs. */
    RUN,
    /** It is left out. */
    SKIP,
    /** Of these, the newest runs for all. */
    COLLAPSE
  }

  /**
   * What a worker finds that is given a partition.
   *
   * @param own what was said with the partition's offset; empty if that was never committed, or not
   *     by a worker: then all that stands in it is of a downtime
   * @param ofGroup what was said with the offsets of all partitions
   * @param rebalance how long nobody may hold a partition although the group is there
   * @param end exclusive: where the partition ends now
   */
  public static Backlog takenOver(
      Optional<LifeSign> own,
      Collection<LifeSign> ofGroup,
      Duration rebalance,
      Instant now,
      long end) {
    Optional<Instant> lastAlive = own.map(sign -> aliveUntil(sign.at(), ofGroup, rebalance));
    return own.map(LifeSign::backlog).orElse(NONE).and(new Downtime(lastAlive, now, end));
  }

  /** How long the group went on after it was seen in a partition: as its other partitions tell. */
  private static Instant aliveUntil(
      Instant seen, Collection<LifeSign> ofGroup, Duration rebalance) {
    Instant until = seen;
    for (LifeSign sign : ofGroup.stream().sorted(Comparator.comparing(LifeSign::since)).toList()) {
      if (!sign.since().isAfter(until.plus(rebalance)) && sign.at().isAfter(until)) {
        until = sign.at();
      }
    }
    return until;
  }

  /** Too many of them are too much to tell: the shortest matter least. */
  private Backlog and(Downtime downtime) {
    List<Downtime> all = new ArrayList<>(downtimes);
    all.add(downtime);
    if (all.size() > MOST_DOWNTIMES) {
      all.remove(Collections.min(all, Comparator.comparing(Downtime::length)));
    }
    return new Backlog(all);
  }

  /** What is left of it when everything before an offset is finished. */
  public Backlog from(long offset) {
    return new Backlog(downtimes.stream().filter(downtime -> offset < downtime.end()).toList());
  }

  /** Exclusive: where it ends; 0 if it is nothing. */
  long end() {
    return downtimes.stream().mapToLong(Downtime::end).max().orElse(0);
  }

  /** What becomes of a fire at this offset. */
  Fate fate(long offset, Fire fire) {
    if (fire.getCause() != Cause.SCHEDULED
        || downtimes.stream().noneMatch(downtime -> downtime.covers(offset, fire))) {
      return Fate.RUN;
    }
    return switch (fire.getSchedule().getCatchUp()) {
      case SKIP -> Fate.SKIP;
      case COLLAPSE -> Fate.COLLAPSE;
      case REPLAY -> Fate.RUN;
    };
  }
}

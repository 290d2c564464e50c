package io.waterclock.cli.live;

import io.waterclock.schemas.avro.WalkProgress;
import java.time.Instant;
import java.util.Optional;

/**
 * When the watchdog's walk last looked at a schedule. Nothing is written for it: it follows from
 * where the walk is, which goes by ascending ids. Pure.
 */
public final class WatchdogTime {
  private WatchdogTime() {}

  /**
   * The beginning of the last pass that is sure to have seen the schedule: it was looked at then or
   * later, before that pass ended.
   *
   * @param knownSince when the schedule was first accepted; empty: longer ago than is known
   * @param walk of its partition; empty: none is known
   * @return empty when no pass is sure to have seen it yet
   */
  public static Optional<Instant> since(
      String id, Optional<Instant> knownSince, Optional<WalkProgress> walk) {
    return walk.flatMap(progress -> pass(id, progress))
        .filter(began -> knownSince.filter(began::isBefore).isEmpty());
  }

  private static Optional<Instant> pass(String id, WalkProgress walk) {
    boolean seen =
        walk.getEndedAt() != null
            || (walk.getReached() != null && id.compareTo(walk.getReached()) <= 0);
    return Optional.ofNullable(seen ? walk.getStartedAt() : walk.getPreviousStartedAt());
  }
}

package io.waterclock.cli.live;

import io.waterclock.schemas.avro.WalkProgress;
import java.time.Instant;
import java.util.Optional;

/**
 * When the watchdog last checked a schedule. The scheduler stores no time for each schedule: the
 * time follows from the position of the watchdog pass, which checks ids in ascending order. Pure.
 */
public final class WatchdogTime {
  private WatchdogTime() {}

  /**
   * The beginning of the last pass that has certainly checked the schedule: that pass checked it
   * between this instant and its own end.
   *
   * @param knownSince when the schedule was first accepted; empty if the topics no longer hold that
   * @param progress the progress of the watchdog in its partition; empty if none is known
   * @return empty if no pass has certainly checked it yet
   */
  public static Optional<Instant> since(
      String id, Optional<Instant> knownSince, Optional<WalkProgress> progress) {
    return progress
        .flatMap(known -> pass(id, known))
        .filter(began -> knownSince.filter(began::isBefore).isEmpty());
  }

  private static Optional<Instant> pass(String id, WalkProgress progress) {
    boolean seen =
        progress.getEndedAt() != null
            || (progress.getReached() != null && id.compareTo(progress.getReached()) <= 0);
    return Optional.ofNullable(seen ? progress.getStartedAt() : progress.getPreviousStartedAt());
  }
}

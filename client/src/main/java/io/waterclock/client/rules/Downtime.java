package io.waterclock.client.rules;

import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The time during which nobody of the group was there, as far as it concerns one partition.
 *
 * @param lastAlive the group's last sign of life before it, in any partition; empty: there was none
 *     ever
 * @param takenOverAt when a worker was given the partition
 * @param end exclusive: where the partition ended then. What stands behind it was emitted while
 *     workers were there
 */
public record Downtime(Optional<Instant> lastAlive, Instant takenOverAt, long end) {
  /** True for a fire that was emitted meanwhile, and was older than grace at the end of it. */
  boolean covers(long offset, Fire fire) {
    boolean firedMeanwhile = lastAlive.isEmpty() || fire.getFiredAt().isAfter(lastAlive.get());
    return offset < end
        && firedMeanwhile
        && fire.getDue().plusMillis(fire.getSchedule().getGraceMs()).isBefore(takenOverAt);
  }

  Duration length() {
    return lastAlive
        .map(alive -> Duration.between(alive, takenOverAt))
        .orElse(Duration.ofSeconds(Long.MAX_VALUE));
  }
}

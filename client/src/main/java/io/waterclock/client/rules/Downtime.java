package io.waterclock.client.rules;

import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A time during which no worker of the group was running, for one partition.
 *
 * @param lastAlive the group's last heartbeat before it, in any partition; empty: there has never
 *     been one
 * @param takenOverAt when a worker took the partition over
 * @param end the partition's end offset at that time, exclusive. Workers were running when the
 *     later fires were emitted
 */
public record Downtime(Optional<Instant> lastAlive, Instant takenOverAt, long end) {
  /** True for a fire that was emitted during the downtime, and was older than grace at its end. */
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

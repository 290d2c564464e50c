package io.waterclock.sim.judge;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.MissedReason;
import java.time.Instant;
import java.util.Optional;

/**
 * What became of one occurrence, as a fire or as a part of a missed range.
 *
 * @param cause of a fire
 * @param reason of a missed occurrence
 * @param decidedMs by the clock of the scheduler
 * @param appendedMs by the clock of the brokers
 * @param first the earliest occurrence of the same missed range or of those that the fire stands
 *     for
 */
record Outcome(
    long nominalMs,
    String revision,
    Optional<Cause> cause,
    Optional<MissedReason> reason,
    long decidedMs,
    long appendedMs,
    long first) {

  boolean isFired() {
    return cause.isPresent();
  }

  @Override
  public String toString() {
    return "%s of %s at %s, from %s on"
        .formatted(
            cause.map(Object::toString).or(() -> reason.map(Object::toString)).orElse(""),
            revision,
            Instant.ofEpochMilli(decidedMs),
            Instant.ofEpochMilli(first));
  }
}

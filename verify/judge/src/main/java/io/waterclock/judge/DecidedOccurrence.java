package io.waterclock.judge;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import java.time.Instant;
import java.util.Optional;

/**
 * What became of one occurrence, as a fire or as a part of a missed range.
 *
 * @param by the record that says it
 * @param decidedMs by the clock of the scheduler
 * @param appendedMs by the clock of the brokers, or else when it was decided
 */
record DecidedOccurrence(
    long nominalMs,
    String revision,
    Optional<Fire> fire,
    Optional<Missed> missed,
    Entry<?> by,
    long decidedMs,
    long appendedMs) {

  static DecidedOccurrence of(Entry<Fire> entry) {
    Fire fire = entry.value().orElseThrow();
    return new DecidedOccurrence(
        fire.getOccurrence().toEpochMilli(),
        fire.getRevision(),
        Optional.of(fire),
        Optional.empty(),
        entry,
        fire.getFiredAt().toEpochMilli(),
        entry.appendedMs());
  }

  static DecidedOccurrence of(Entry<Missed> entry, long nominalMs) {
    Missed range = entry.value().orElseThrow();
    return new DecidedOccurrence(
        nominalMs,
        range.getRevision(),
        Optional.empty(),
        Optional.of(range),
        entry,
        range.getDecidedAt().toEpochMilli(),
        entry.appendedMs());
  }

  boolean isFired() {
    return fire.isPresent();
  }

  boolean isMissedAs(MissedReason reason) {
    return missed.filter(range -> range.getReason() == reason).isPresent();
  }

  /** Whether a fire is one of the trigger, and no command ordered it. */
  static boolean isOfTheTrigger(Fire fire) {
    return fire.getCause() == Cause.SCHEDULED || fire.getCause() == Cause.CATCH_UP;
  }

  @Override
  public String toString() {
    return "%s of %s at %s"
        .formatted(
            fire.map(it -> it.getCause().toString())
                .or(() -> missed.map(it -> it.getReason().toString()))
                .orElse(""),
            revision,
            Instant.ofEpochMilli(decidedMs));
  }
}

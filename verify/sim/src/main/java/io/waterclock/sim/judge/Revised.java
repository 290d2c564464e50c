package io.waterclock.sim.judge;

import io.waterclock.schemas.avro.Revision;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.spec.Spec;
import io.waterclock.sim.spec.Timing;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A definition that the topic holds, and what the schedulers have written about it. */
final class Revised {
  final String name;
  final Spec spec;
  final LogRecord record;
  final int life;
  Optional<Revision> began = Optional.empty();

  /** When its start was written, by the brokers' clock; that of its scheduler may be wrong. */
  long beganMs;

  Optional<Revision> ended = Optional.empty();

  /** When its end was written, by the brokers' clock. */
  long endWrittenMs;

  /** The record that replaces or deletes it. */
  Optional<LogRecord> endedBy = Optional.empty();

  /** The stray of which that record is the copy, or that it is. */
  Optional<Submitted> endedByStray = Optional.empty();

  boolean isDeleted;

  /** Whether a later record repeats it, before another ends it. */
  boolean isRepeated;

  /** How often it began. */
  int times;

  /** The latest timestamp of the deletes and removals before it. */
  long deletedBeforeMs;

  Revised(String name, Spec spec, LogRecord record, int life) {
    this.name = name;
    this.spec = spec;
    this.record = record;
    this.life = life;
  }

  void add(Evidence.Committed<Revision> written) {
    if (written.value().getEndedAt() != null) {
      ended = Optional.of(written.value());
      endWrittenMs = written.record().appendedMs();
      return;
    }
    times++;
    if (began.isEmpty()) {
      began = Optional.of(written.value());
      beganMs = written.record().appendedMs();
    }
  }

  long acceptedMs() {
    return began.orElseThrow().getAcceptedAt().toEpochMilli();
  }

  long effectiveMs() {
    return began.orElseThrow().getEffectiveAt().toEpochMilli();
  }

  long ownsAfterMs() {
    return began.orElseThrow().getOwnsAfter().toEpochMilli();
  }

  Optional<Long> endedMs() {
    return ended.map(end -> end.getEndedAt().toEpochMilli());
  }

  /** Its occurrences by our own computation. */
  List<Long> in(long afterMs, long throughMs) {
    return timing().in(resolvedMs(), afterMs, throughMs);
  }

  /** An instant that counts from its record is resolved at its acceptance. */
  private Timing timing() {
    return spec.timing() instanceof Timing.In ? new Timing.At(resolvedMs()) : spec.timing();
  }

  /**
   * How long the run of a fire may take: half the time to the next occurrence, unless the
   * definition says it. Empty without a limit.
   */
  OptionalLong timeoutMs(long nominalMs) {
    if (spec.timeoutMs().isPresent()) {
      return spec.timeoutMs();
    }
    return timing()
        .neighbourMs(resolvedMs(), nominalMs)
        .map(other -> OptionalLong.of(Math.abs(other - nominalMs) / 2))
        .orElse(OptionalLong.empty());
  }

  long resolvedMs() {
    return began
        .flatMap(it -> Optional.ofNullable(it.getResolvedAt()))
        .map(at -> at.toEpochMilli())
        .orElse(record.timestampMs());
  }
}

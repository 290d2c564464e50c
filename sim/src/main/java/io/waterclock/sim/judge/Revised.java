package io.waterclock.sim.judge;

import io.waterclock.schemas.avro.Revision;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.spec.Spec;
import io.waterclock.sim.spec.Timing;
import java.util.List;
import java.util.Optional;

/** A definition that the topic holds, and what the schedulers have written about it. */
final class Revised {
  final String name;
  final Spec spec;
  final LogRecord record;
  final int life;
  Optional<Revision> began = Optional.empty();
  Optional<Revision> ended = Optional.empty();

  /** The record that replaces or deletes it. */
  Optional<LogRecord> endedBy = Optional.empty();

  boolean isDeleted;

  /** Whether a later record repeats it, before another ends it. */
  boolean isRepeated;

  /** How often it began. */
  int times;

  /** The latest timestamp of the deletes before it. */
  long deletedBeforeMs;

  Revised(String name, Spec spec, LogRecord record, int life) {
    this.name = name;
    this.spec = spec;
    this.record = record;
    this.life = life;
  }

  void add(Revision revision) {
    if (revision.getEndedAt() != null) {
      ended = Optional.of(revision);
    } else {
      times++;
      began = began.or(() -> Optional.of(revision));
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
    if (spec.timing() instanceof Timing.In) {
      return new Timing.At(resolvedMs()).in(0, afterMs, throughMs);
    }
    return spec.timing().in(resolvedMs(), afterMs, throughMs);
  }

  long resolvedMs() {
    return began
        .flatMap(it -> Optional.ofNullable(it.getResolvedAt()))
        .map(at -> at.toEpochMilli())
        .orElse(record.timestampMs());
  }
}

package io.waterclock.judge;

import io.waterclock.schemas.avro.Revision;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A definition that the topic holds, and what the schedulers have written about it. */
final class Revised {
  final String name;
  final ObservedDefinition definition;
  final Entry<String> record;
  final int life;
  Optional<Revision> began = Optional.empty();

  /** When its start was written, by the brokers' clock; that of its scheduler may be wrong. */
  long beganMs;

  Optional<Revision> ended = Optional.empty();

  /** When its end was written, by the brokers' clock. */
  long endWrittenMs;

  /** The record that replaces or deletes it. */
  Optional<Entry<String>> endedBy = Optional.empty();

  /** The stray of which that record is the copy, or that it is. */
  Optional<Entry<String>> endedByStray = Optional.empty();

  boolean isDeleted;

  /** Whether a later record repeats it, before another ends it. */
  boolean isRepeated;

  /** How often it began. */
  int times;

  /** The latest timestamp of the deletes and removals before it. */
  long deletedBeforeMs;

  Revised(String name, ObservedDefinition definition, Entry<String> record, int life) {
    this.name = name;
    this.definition = definition;
    this.record = record;
    this.life = life;
  }

  void add(Entry<Revision> written) {
    Revision said = written.value().orElseThrow();
    if (said.getEndedAt() != null) {
      ended = Optional.of(said);
      endWrittenMs = written.appendedMs();
      return;
    }
    times++;
    if (began.isEmpty()) {
      began = Optional.of(said);
      beganMs = written.appendedMs();
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
    return ended.map(end -> Optional.ofNullable(end.getEndedAt()).orElseThrow().toEpochMilli());
  }

  boolean isOnce() {
    return definition.trigger().isOnce();
  }

  /** Whether an occurrence lies where it says that it owns what occurs. */
  boolean owns(long nominalMs) {
    return nominalMs > ownsAfterMs()
        && nominalMs <= endedMs().orElse(Long.MAX_VALUE)
        && times().names(nominalMs);
  }

  /** Its occurrences by our own computation. */
  List<Long> in(long afterMs, long throughMs) {
    return times().between(afterMs, throughMs);
  }

  /** Its trigger, up to where it says that its occurrences are used up. */
  Trigger times() {
    Trigger resolved = definition.trigger().resolved(resolvedMs());
    return definition.maxOccurrences().isEmpty()
        ? resolved
        : began
            .flatMap(said -> Optional.ofNullable(said.getBoundedBy()))
            .map(Instant::toEpochMilli)
            .<Trigger>map(end -> new Trigger.Bounded(resolved, Long.MIN_VALUE / 2, end))
            .orElse(resolved);
  }

  /**
   * How long the run of a fire may take: half the time to the next occurrence, unless the
   * definition says it. Empty without a limit.
   */
  OptionalLong timeoutMs(long nominalMs) {
    if (definition.timeoutMs().isPresent()) {
      return definition.timeoutMs();
    }
    Trigger resolved = definition.trigger().resolved(resolvedMs());
    Trigger named = resolved instanceof Trigger.Bounded bounded ? bounded.of() : resolved;
    OptionalLong other = named.next(nominalMs);
    if (other.isEmpty() && named instanceof Trigger.Once once && once.atMs() != nominalMs) {
      other = OptionalLong.of(once.atMs());
    }
    return other.isPresent()
        ? OptionalLong.of(Math.abs(other.getAsLong() - nominalMs) / 2)
        : OptionalLong.empty();
  }

  long resolvedMs() {
    return began
        .flatMap(it -> Optional.ofNullable(it.getResolvedAt()))
        .map(Instant::toEpochMilli)
        .orElse(record.timestampMs());
  }
}

package io.waterclock.topology.scheduler.task;

import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.streams.processor.api.Record;

/** Planted faults: a record acts as of when it is read, not as of when it was written. */
enum ReadWhenRead implements Sabotage {
  DEFINITIONS("schedules", Set.of()),
  COMMANDS("commands", Set.of(Feature.PAUSES)),
  REPORTS("outcomes", Set.of(Feature.OVERLAP)),
  FAILURES("outcomes", Set.of(Feature.FAILURES)),
  LIMITED("schedules", Set.of(Feature.LIMITS));

  /** So many milliseconds are more than the records of a history. */
  private static final long LONG_MS = 1_000;

  private final String topic;
  private final Set<Feature> features;

  ReadWhenRead(String topic, Set<Feature> features) {
    this.topic = topic;
    this.features = features;
  }

  /** What a history needs to show the fault. */
  Set<Feature> features() {
    return features;
  }

  /** The same for what is read at one time: a record acts after those that are read before it. */
  Sabotage inTheirOrder() {
    AtomicLong before = new AtomicLong();
    return new Sabotage() {
      @Override
      public Record<byte[], byte[]> reading(
          String name, Record<byte[], byte[]> record, long nowMs) {
        long atMs = before.accumulateAndGet(nowMs - LONG_MS, (last, at) -> Math.max(last + 1, at));
        return ReadWhenRead.this.reading(name, record, atMs);
      }
    };
  }

  @Override
  public Record<byte[], byte[]> reading(String name, Record<byte[], byte[]> record, long nowMs) {
    return name.endsWith("." + topic) ? record.withTimestamp(nowMs) : record;
  }
}

package io.waterclock.topology.scheduler.task;

import java.util.Set;
import org.apache.kafka.streams.processor.api.Record;

/** Planted faults: what a record does counts from when it is read, not from when it was written. */
enum ReadWhenRead implements Sabotage {
  DEFINITIONS("schedules", Set.of()),
  COMMANDS("commands", Set.of(Feature.PAUSES)),
  REPORTS("outcomes", Set.of(Feature.OVERLAP)),
  FAILURES("outcomes", Set.of(Feature.FAILURES)),
  LIMITED("schedules", Set.of(Feature.LIMITS));

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

  @Override
  public Record<byte[], byte[]> reading(String name, Record<byte[], byte[]> record, long nowMs) {
    return name.endsWith("." + topic) ? record.withTimestamp(nowMs) : record;
  }
}

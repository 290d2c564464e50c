package io.waterclock.topology.scheduler.emit;

import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.topology.scheduler.input.RecordSize;
import org.apache.kafka.streams.processor.api.Record;

/** Creates the record for a target from a fire. */
public final class TargetRecords {
  private TargetRecords() {}

  /**
   * Returns the record for a target, with the timestamp of the fire.
   *
   * @param fire a record of the fires topic
   * @param schedule the definition in the fire
   */
  public static Record<byte[], byte[]> of(
      Record<byte[], byte[]> fire, Schedule schedule, Target target) {
    TargetRecord record =
        TargetRecord.of(fire.key(), fire.value(), fire.headers(), schedule, target);
    return new Record<>(
        record.key().orElse(null), record.value().orElse(null), fire.timestamp(), record.headers());
  }

  /** An upper estimate of the record's size in its own batch. */
  public static int size(Record<byte[], byte[]> record) {
    return RecordSize.of(record.key(), record.value(), record.headers());
  }
}

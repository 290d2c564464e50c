package io.waterclock.topology.scheduler.task;

import io.waterclock.topology.scheduler.emit.Sink;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Record;

/** A fault at the edges of a task: in what it sends and stores. Each method may throw. */
interface Sabotage {
  Sabotage NONE = new Sabotage() {};

  /**
   * @return false if the record is lost
   */
  default boolean sends(Sink sink, Record<?, ?> record) {
    return true;
  }

  /**
   * @return false if the change is lost
   */
  default boolean writes(String store, Bytes key, boolean isDelete) {
    return true;
  }

  default void reads() {}

  /** The record as the task reads it. */
  default Record<byte[], byte[]> reading(String topic, Record<byte[], byte[]> record, long nowMs) {
    return record;
  }
}

package io.waterclock.bench.meter;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Receives each record of a topic, on the consumer's thread. */
@FunctionalInterface
public interface RecordListener {
  /**
   * @param seenUs epoch microseconds when the poll returned the record
   */
  void seen(ConsumerRecord<byte[], byte[]> record, long seenUs);
}

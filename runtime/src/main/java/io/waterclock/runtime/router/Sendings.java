package io.waterclock.runtime.router;

import org.apache.kafka.clients.producer.ProducerRecord;

/** Receives the results of sent records, on the producers' threads. */
public interface Sendings {
  /** The broker has written the record. */
  void took(ProducerRecord<byte[], byte[]> record);

  /** The record is the first of its transaction that the broker has not written. */
  void refused(ProducerRecord<byte[], byte[]> record, Exception cause);
}

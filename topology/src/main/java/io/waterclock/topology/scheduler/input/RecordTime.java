package io.waterclock.topology.scheduler.input;

import java.time.InstantSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * The timestamp of a record, or the time of reading if it has none. Kafka Streams would stop at
 * such a record, or skip it, and then the gate would wait for it.
 */
public record RecordTime(InstantSource clock) implements TimestampExtractor {

  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    return record.timestamp() < 0 ? clock.millis() : record.timestamp();
  }
}

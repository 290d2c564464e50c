package io.waterclock.cli.online;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Watermark;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The newest watermark of a partition.
 *
 * @param stampedAt when the broker had it, by the broker's clock
 */
record Pulse(Watermark watermark, Instant stampedAt) {

  /** Those of all partitions that ever had one, by their number. */
  static Map<Integer, Pulse> all(Cluster cluster) {
    Map<Integer, Pulse> pulses = new HashMap<>();
    new TopicReader(cluster)
        .toEnd(
            cluster.partitions(cluster.topics().watermarks()),
            record -> {
              take(record, pulses);
              return true;
            });
    return pulses;
  }

  private static void take(ConsumerRecord<byte[], byte[]> record, Map<Integer, Pulse> pulses) {
    if (record.value() == null) {
      return;
    }
    try {
      Watermark watermark = RecordCodecs.watermark().decode(record.value());
      pulses.put(
          watermark.getPartition(), new Pulse(watermark, Instant.ofEpochMilli(record.timestamp())));
    } catch (UndecodableException e) {
      // not the scheduler's; one of its own follows within seconds
    }
  }
}

package io.waterclock.it;

import java.util.Map;
import java.util.zip.CRC32;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.Cluster;

/**
 * Sends records with a key where kcat and other clients built on librdkafka send them by default
 * ({@code consistent_random}): the CRC32 of the key, modulo the number of partitions.
 */
public final class LibrdkafkaPartitioner implements Partitioner {

  @Override
  public int partition(
      String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes, Cluster cluster) {
    CRC32 crc = new CRC32();
    crc.update(keyBytes);
    return (int) (crc.getValue() % cluster.partitionsForTopic(topic).size());
  }

  @Override
  public void close() {}

  @Override
  public void configure(Map<String, ?> configs) {}
}

package io.waterclock.bench.rig;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Kafka clients that read and write bytes. */
public final class Clients {
  private Clients() {}

  public static KafkaProducer<byte[], byte[]> producer(
      String bootstrapServers, Map<String, ?> settings) {
    return new KafkaProducer<>(
        with(bootstrapServers, settings), new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** A read_committed consumer of all partitions of a topic, which commits nothing by itself. */
  public static KafkaConsumer<byte[], byte[]> consumer(
      String bootstrapServers, String topic, Map<String, ?> settings) {
    KafkaConsumer<byte[], byte[]> consumer = consumer(bootstrapServers, settings);
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    return consumer;
  }

  /** A read_committed consumer of nothing yet, which commits nothing by itself. */
  public static KafkaConsumer<byte[], byte[]> consumer(
      String bootstrapServers, Map<String, ?> settings) {
    Map<String, Object> all = with(bootstrapServers, settings);
    all.put("enable.auto.commit", false);
    all.put("isolation.level", "read_committed");
    all.put("receive.buffer.bytes", -1); // as FireWorker does: 64 kB overflow at a high rate
    return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static Map<String, Object> with(String bootstrapServers, Map<String, ?> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", bootstrapServers);
    return all;
  }
}

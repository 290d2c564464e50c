package io.waterclock.testkit.broker;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A read_committed consumer of a whole topic from its beginning. Not thread-safe. */
final class FireReader implements AutoCloseable {
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<Fire> fires = new ArrayList<>();

  FireReader(String bootstrapServers, String topic) {
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", bootstrapServers,
                "group.id", "reader-" + UUID.randomUUID(),
                "enable.auto.commit", "false",
                "auto.offset.reset", "earliest",
                "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Reads on for a moment, and returns every fire so far. */
  List<Fire> poll() {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
      fires.add(RecordCodecs.fire().decode(record.value()));
    }
    return List.copyOf(fires);
  }

  @Override
  public void close() {
    consumer.close();
  }
}

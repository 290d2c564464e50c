package io.waterclock.testkit.broker;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Writes schedules as anybody would, with a plain producer. */
final class Producing implements AutoCloseable {
  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;

  Producing(String bootstrapServers, String topic) {
    this.topic = topic;
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 0),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** Writes without waiting. */
  void put(String id, String json) {
    send(id, json.getBytes(StandardCharsets.UTF_8));
  }

  void delete(String id) {
    send(id, null);
  }

  void flush() {
    producer.flush();
  }

  private void send(String id, byte @Nullable [] value) {
    try {
      producer
          .send(new ProducerRecord<>(topic, id.getBytes(StandardCharsets.UTF_8), value))
          .get(10, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}

package io.waterclock.topology.kafka;

import io.waterclock.topology.kafka.ClockWatch.BrokerClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The broker's clock, read by writing: the watermarks topic has the broker stamp its records, and
 * the stamp of a tombstone comes back with its acknowledgement.
 */
public final class WatermarkClock implements BrokerClock, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WatermarkClock.class);
  private static final byte[] KEY = "clock".getBytes(StandardCharsets.UTF_8);

  private final String topic;
  private final KafkaProducer<byte[], byte[]> producer;

  /**
   * @param clientConfig how to reach the cluster
   */
  public WatermarkClock(String topic, Map<String, Object> clientConfig) {
    this.topic = topic;
    Map<String, Object> config = new HashMap<>(clientConfig);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    this.producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public Optional<Instant> now() {
    try {
      RecordMetadata metadata = producer.send(new ProducerRecord<>(topic, 0, KEY, null)).get();
      return Optional.of(Instant.ofEpochMilli(metadata.timestamp()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException | KafkaException e) {
      LOG.warn("The broker's clock could not be asked: {}", e.toString());
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(2));
  }
}

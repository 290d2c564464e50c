package io.waterclock.runtime.brokers;

import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.topology.scheduler.guard.ClockWatch.BrokerClock;
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
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Reads the broker's clock by writing: the broker stamps the records of the watermarks topic, and
 * acknowledges a tombstone with its timestamp.
 */
public final class WatermarkClock implements BrokerClock, AutoCloseable {
  private static final int PATIENCE_MS = 4_000;
  private static final byte[] KEY = "clock".getBytes(StandardCharsets.UTF_8);

  private final String topic;
  private final BrokerWatch watch;
  private final KafkaProducer<byte[], byte[]> producer;

  /**
   * @param watch receives every answer and every missing answer
   */
  public WatermarkClock(String topic, Map<String, Object> clientConfig, BrokerWatch watch) {
    this.topic = topic;
    this.watch = watch;
    Map<String, Object> config = new HashMap<>(clientConfig);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, PATIENCE_MS);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, PATIENCE_MS);
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE_MS);
    this.producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public Optional<Instant> now() {
    try {
      RecordMetadata metadata = producer.send(new ProducerRecord<>(topic, 0, KEY, null)).get();
      watch.answered();
      return Optional.of(Instant.ofEpochMilli(metadata.timestamp()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (InterruptException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      return silent(e.getCause() == null ? e : e.getCause());
    } catch (KafkaException e) {
      return silent(e);
    }
  }

  private Optional<Instant> silent(Throwable cause) {
    if (cause instanceof AuthorizationException) {
      watch.answered(); // the stream threads get and report the same refusal
      return Optional.empty();
    }
    watch.silent(RootCause.of(cause));
    return Optional.empty();
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(2));
  }
}

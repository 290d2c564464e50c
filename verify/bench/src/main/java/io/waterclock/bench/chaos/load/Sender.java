package io.waterclock.bench.chaos.load;

import io.waterclock.bench.rig.Clients;
import io.waterclock.judge.Entry;
import io.waterclock.schemas.ConfluentHeader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Writes records, each third one in Confluent's format where its topic allows that, and remembers
 * which of them the brokers have confirmed. Thread-safe.
 */
final class Sender implements AutoCloseable {
  private static final int ONE_IN = 3;

  private final KafkaProducer<byte[], byte[]> producer;
  private final Set<String> confirmed = ConcurrentHashMap.newKeySet();
  private final AtomicInteger sent = new AtomicInteger();
  private final ProducerReleases releases;

  Sender(String bootstrapServers, ProducerReleases releases) {
    this.releases = releases;
    this.producer =
        Clients.producer(
            bootstrapServers,
            Map.of("linger.ms", 0, "delivery.timeout.ms", 180_000, "max.block.ms", 180_000));
  }

  /**
   * Does not wait.
   *
   * @param partition empty for that of the key
   * @param value JSON; empty for a tombstone
   * @param then runs when it is known whether the brokers have it
   */
  void send(
      String topic,
      Optional<Integer> partition,
      String key,
      Optional<String> value,
      Runnable then) {
    Future<RecordMetadata> unused =
        producer.send(
            record(topic, partition, key, value),
            (metadata, e) -> {
              if (e == null) {
                confirmed.add(topic + "-" + metadata.partition() + "@" + metadata.offset());
              }
              then.run();
            });
  }

  private ProducerRecord<byte[], byte[]> record(
      String topic, Optional<Integer> partition, String key, Optional<String> value) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic, partition.orElse(null), bytes(key), value.map(Sender::bytes).orElse(null));
    if (value.isEmpty() || !releases.writeTo(topic) || sent.incrementAndGet() % ONE_IN != 0) {
      return record;
    }
    byte[] encoded = releases.encode(topic, value.get());
    int schemaId = ConfluentHeader.schemaId(encoded).orElseThrow();
    return new ProducerRecord<>(
        topic,
        partition.orElse(null),
        bytes(key),
        encoded,
        List.of(
            new RecordHeader(Entry.JSON, bytes(value.get())),
            new RecordHeader(Entry.SCHEMA, bytes(Integer.toString(schemaId)))));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The positions of the records that brokers have confirmed. */
  Set<String> confirmed() {
    return new TreeSet<>(confirmed);
  }

  void flush() {
    producer.flush();
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(10));
  }
}

package io.waterclock.bench.chaos.load;

import io.waterclock.bench.rig.Clients;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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

/** Writes records, and remembers which of them the brokers have confirmed. Thread-safe. */
final class Sender implements AutoCloseable {
  private final KafkaProducer<byte[], byte[]> producer;
  private final Set<String> confirmed = ConcurrentHashMap.newKeySet();
  private final AtomicInteger failed = new AtomicInteger();

  Sender(String bootstrapServers) {
    this.producer =
        Clients.producer(
            bootstrapServers,
            Map.of("linger.ms", 0, "delivery.timeout.ms", 180_000, "max.block.ms", 180_000));
  }

  /**
   * Does not wait.
   *
   * @param partition empty for that of the key
   * @param value empty for a tombstone
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
            new ProducerRecord<>(
                topic, partition.orElse(null), bytes(key), value.map(Sender::bytes).orElse(null)),
            (metadata, e) -> {
              if (e == null) {
                confirmed.add(topic + "-" + metadata.partition() + "@" + metadata.offset());
              } else {
                failed.incrementAndGet();
              }
              then.run();
            });
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

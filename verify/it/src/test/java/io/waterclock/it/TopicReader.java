package io.waterclock.it;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A consumer of a whole topic from its beginning, read_committed unless said otherwise. Not
 * thread-safe.
 */
final class TopicReader<T> implements AutoCloseable {
  private static final Duration BOUND = Duration.ofMinutes(4);

  /** A coordinator answers a commit before it has written its end into every partition. */
  private static final Duration MARKERS = Duration.ofSeconds(1);

  /**
   * A record.
   *
   * @param value empty for a tombstone
   */
  record Entry<T>(
      int partition,
      long offset,
      Optional<String> key,
      Optional<T> value,
      Map<String, String> headers) {}

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final KafkaConsumer<byte[], byte[]> uncommitted;
  private final List<TopicPartition> partitions;
  private final Function<byte[], T> decode;
  private final List<Entry<T>> entries = new ArrayList<>();

  TopicReader(String bootstrapServers, String topic, Function<byte[], T> decode) {
    this(bootstrapServers, topic, decode, "read_committed");
  }

  /** Sees what is not committed, and what never will be. */
  static TopicReader<byte[]> uncommitted(String bootstrapServers, String topic) {
    return new TopicReader<>(bootstrapServers, topic, bytes -> bytes, "read_uncommitted");
  }

  private TopicReader(
      String bootstrapServers, String topic, Function<byte[], T> decode, String isolation) {
    this.decode = decode;
    this.consumer = consumer(bootstrapServers, isolation);
    this.uncommitted = consumer(bootstrapServers, "read_uncommitted");
    this.partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  private static KafkaConsumer<byte[], byte[]> consumer(String bootstrapServers, String isolation) {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", bootstrapServers, "isolation.level", isolation),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  /** Reads on for a moment, and returns every record so far. */
  List<Entry<T>> poll() {
    return poll(Duration.ofMillis(100));
  }

  /** Reads on until something comes, or until the time is over. */
  List<Entry<T>> poll(Duration atMost) {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(atMost)) {
      entries.add(entry(record));
    }
    return List.copyOf(entries);
  }

  /** Reads on for this long. */
  List<Entry<T>> readFor(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      poll(Duration.ofNanos(left));
    }
    return List.copyOf(entries);
  }

  /** As {@link #poll}, the values alone. */
  List<T> values() {
    return values(poll());
  }

  /** Everything that is committed by now. */
  List<Entry<T>> toEnd() {
    long start = System.nanoTime();
    Map<TopicPartition, Long> all = uncommitted.endOffsets(partitions);
    while (!isAt(all) && System.nanoTime() - start < MARKERS.toNanos()) {
      poll();
    }
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    while (!isAt(ends)) {
      if (System.nanoTime() - start > BOUND.toNanos()) {
        throw new IllegalStateException("the end of " + partitions + " was not reached: " + ends);
      }
      poll();
    }
    return List.copyOf(entries);
  }

  private boolean isAt(Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  static <T> List<T> values(List<Entry<T>> entries) {
    return entries.stream().flatMap(entry -> entry.value().stream()).toList();
  }

  private Entry<T> entry(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new TreeMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
    }
    return new Entry<>(
        record.partition(),
        record.offset(),
        Optional.ofNullable(record.key()).map(key -> new String(key, StandardCharsets.UTF_8)),
        Optional.ofNullable(record.value()).map(decode),
        headers);
  }

  @Override
  public void close() {
    consumer.close();
    uncommitted.close();
  }
}

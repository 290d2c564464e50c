package io.waterclock.bench.chaos;

import io.waterclock.bench.run.BenchException;
import io.waterclock.judge.Entry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads topics as they grow, read_committed, and keeps every record. What a broker's cleaning
 * removes afterwards stays. Thread-safe; has a thread of its own.
 */
final class TopicLog implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int METADATA_AGE_MS = 1_000;

  private final InstantSource clock = InstantSource.system();
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<String, List<Entry<String>>> entries = new HashMap<>();
  private final Map<TopicPartition, Long> positions = new ConcurrentHashMap<>();
  private volatile List<TopicPartition> partitions = List.of();
  private final BiFunction<String, byte[], String> texts;
  private final Consumer<Entry<String>> listener;
  private final Thread thread = new Thread(this::run, "topic-log");
  private volatile boolean isClosed;
  private volatile Optional<RuntimeException> failure = Optional.empty();

  /**
   * @param topics all exist
   * @param texts the text of a value, by its topic
   * @param listener called on the reading thread with each record
   */
  public TopicLog(
      String bootstrapServers,
      List<String> topics,
      BiFunction<String, byte[], String> texts,
      Consumer<Entry<String>> listener) {
    this.texts = texts;
    this.listener = listener;
    this.consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest",
                "metadata.max.age.ms",
                METADATA_AGE_MS),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    topics.forEach(topic -> entries.put(topic, new ArrayList<>()));
    assign();
    thread.setDaemon(true);
    thread.start();
  }

  /** Reads all partitions, new ones from their beginning. */
  private void assign() {
    List<TopicPartition> found =
        entries.keySet().stream()
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    if (found.size() > partitions.size()) {
      consumer.assign(found); // the others keep their positions
      partitions = found;
    }
  }

  private void run() {
    try (consumer) {
      while (!isClosed) {
        read();
      }
    } catch (WakeupException e) {
      // closed
    } catch (RuntimeException e) {
      failure = Optional.of(e);
    }
  }

  private void read() {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      Entry<String> entry = entry(record);
      synchronized (entries) {
        entries.computeIfAbsent(entry.topic(), topic -> new ArrayList<>()).add(entry);
      }
      listener.accept(entry);
    }
    try {
      partitions.forEach(one -> positions.put(one, consumer.position(one, POLL)));
      assign();
    } catch (RetriableException e) {
      // the brokers are away
    }
  }

  private Entry<String> entry(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new HashMap<>();
    for (Header header : record.headers()) {
      Optional.ofNullable(header.value())
          .ifPresent(value -> headers.put(header.key(), text(value)));
    }
    return new Entry<>(
        record.topic(),
        record.partition(),
        record.offset(),
        text(record.key()),
        Optional.ofNullable(headers.get(Entry.JSON))
            .or(
                () ->
                    Optional.ofNullable(record.value())
                        .map(value -> texts.apply(record.topic(), value))),
        headers,
        record.timestamp(),
        record.timestamp(), // of what clients write no later than it was there
        clock.millis());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** What was read so far of a topic, in the order of each partition. */
  public List<Entry<String>> entries(String topic) {
    synchronized (entries) {
      return List.copyOf(entries.getOrDefault(topic, List.of()));
    }
  }

  /** What was read so far of all topics, at one moment. */
  public Map<String, List<Entry<String>>> entries() {
    synchronized (entries) {
      return entries.entrySet().stream()
          .collect(Collectors.toMap(Map.Entry::getKey, one -> List.copyOf(one.getValue())));
    }
  }

  public Set<String> topics() {
    return entries.keySet();
  }

  public List<TopicPartition> partitions() {
    return partitions;
  }

  /**
   * How much is left to read before these offsets.
   *
   * @throws BenchException if it has ended
   */
  public long left(Map<TopicPartition, Long> ends) {
    if (failure.isPresent()) {
      throw new BenchException("the account cannot read the topics", failure.get());
    }
    return ends.entrySet().stream()
        .mapToLong(end -> Math.max(0, end.getValue() - positions.getOrDefault(end.getKey(), 0L)))
        .sum();
  }

  @Override
  public void close() {
    isClosed = true;
    consumer.wakeup();
    try {
      thread.join(Duration.ofSeconds(10).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.waterclock.runtime.brokers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.runtime.clients.Others;
import io.waterclock.schemas.ReaderSettings;
import io.waterclock.schemas.Topics;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Whether each task of the scheduler has written a watermark since an instant. It writes one every
 * few seconds while it decides, and so behind the results of all that it has read before: what its
 * inputs' committed offsets have passed may still wait in the task.
 *
 * <p>Follows the topic. {@link #poll} is for one thread; the other methods are thread-safe.
 */
public final class SchedulerWatermarks implements Others {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

  /**
   * A question of a task.
   *
   * @param ends of the topic then, with the records of open transactions: those were written before
   */
  private record Asked(long atNanos, Map<TopicPartition, Long> ends) {}

  private final Map<String, Object> client;
  private final String topic;
  private final Map<String, TopicPartition> byKey = new HashMap<>();

  /** The monotonic time from which on each partition has written one. */
  private final Map<TopicPartition, Long> written = new ConcurrentHashMap<>();

  /** When the latest of each partition was read. */
  private final Map<TopicPartition, Long> seen = new ConcurrentHashMap<>();

  private volatile Optional<Long> wanted = Optional.empty();
  private Optional<Asked> asked = Optional.empty();
  private Optional<Consumer<byte[], byte[]>> following = Optional.empty();
  private Optional<Long> failedAtNanos = Optional.empty();

  /**
   * @param client how to reach the cluster
   * @param partitions of the scheduler
   */
  public SchedulerWatermarks(Map<String, Object> client, Topics topics, int partitions) {
    this.client = Map.copyOf(client);
    this.topic = topics.watermarks();
    IntStream.range(0, partitions)
        .mapToObj(partition -> new TopicPartition(topics.schedules(), partition))
        .forEach(partition -> byKey.put(partition.toString(), partition));
  }

  @Override
  public List<TopicPartition> unread(int partition, long sinceNanos) {
    List<TopicPartition> silent = silent(written, sinceNanos);
    if (!silent.isEmpty() && wanted.filter(since -> since - sinceNanos >= 0).isEmpty()) {
      wanted = Optional.of(sinceNanos);
    }
    return silent;
  }

  private List<TopicPartition> silent(Map<TopicPartition, Long> known, long sinceNanos) {
    return byKey.values().stream()
        .filter(it -> !known.containsKey(it) || known.get(it) - sinceNanos < 0)
        .toList();
  }

  /**
   * The partitions that decide: one that has written no watermark for so long before the instant
   * does not.
   */
  public Others deciding(Duration interval) {
    return (partition, sinceNanos) -> silent(seen, sinceNanos - interval.toNanos());
  }

  /** Reads what has come; to be called again and again. */
  public void poll() {
    long now = System.nanoTime();
    if (failedAtNanos.filter(at -> now - at < AFTER_FAILURE.toNanos()).isPresent()) {
      return;
    }
    try {
      Consumer<byte[], byte[]> consumer = following.orElseGet(this::follow);
      ask(consumer, now);
      consumer.poll(POLL).forEach(this::take);
    } catch (InterruptException e) {
      close(); // the instance ends
    } catch (KafkaException | TopicException e) {
      failedAtNanos = Optional.of(now);
      close();
      throw e;
    }
  }

  private Consumer<byte[], byte[]> follow() {
    Consumer<byte[], byte[]> consumer = ReaderSettings.consumer(client);
    following = Optional.of(consumer);
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(it -> new TopicPartition(topic, it.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
    return consumer;
  }

  private void ask(Consumer<byte[], byte[]> consumer, long now) {
    boolean isNew =
        wanted.filter(since -> asked.filter(it -> it.atNanos() - since >= 0).isEmpty()).isPresent();
    if (isNew) {
      asked = Optional.of(new Asked(now, ends(consumer.assignment())));
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    TopicPartition by = byKey.get(record.key() == null ? "" : new String(record.key(), UTF_8));
    if (by == null || record.value() == null) {
      return;
    }
    seen.put(by, System.nanoTime());
    TopicPartition place = new TopicPartition(record.topic(), record.partition());
    asked
        .filter(it -> record.offset() >= it.ends().getOrDefault(place, Long.MAX_VALUE))
        .ifPresent(it -> written.put(by, it.atNanos()));
  }

  private void close() {
    following.ifPresent(Consumer::close);
    following = Optional.empty();
    asked = Optional.empty();
  }

  private Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetSpec> all = new HashMap<>();
    partitions.forEach(partition -> all.put(partition, OffsetSpec.latest()));
    BrokerAnswers answers = new BrokerAnswers(client);
    Map<TopicPartition, Long> ends = new HashMap<>();
    answers
        .ask(
            admin ->
                answers.get(
                    admin
                        .listOffsets(all, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                        .all(),
                    "ask for the ends of " + topic))
        .forEach((partition, info) -> ends.put(partition, info.offset()));
    return ends;
  }
}

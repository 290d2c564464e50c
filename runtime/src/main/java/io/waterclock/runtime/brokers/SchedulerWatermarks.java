package io.waterclock.runtime.brokers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.runtime.clients.Others;
import io.waterclock.schemas.ReaderSettings;
import io.waterclock.schemas.Topics;
import java.time.Duration;
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
import org.apache.kafka.common.TopicPartition;

/**
 * Whether each task of the scheduler has written a watermark since an instant. It writes one every
 * few seconds while it decides, and so behind the results of all that it has read before: what its
 * inputs' committed offsets have passed may still wait in the task.
 *
 * <p>Reads the topic only while a task asks. {@link #poll} is for one thread; the other methods are
 * thread-safe.
 */
public final class SchedulerWatermarks implements Others {
  private static final Duration POLL = Duration.ofMillis(500);

  /** For one read; the next poll begins another one. */
  private static final Duration LONGEST_READ = Duration.ofSeconds(30);

  private final Map<String, Object> client;
  private final String topic;
  private final Map<String, TopicPartition> byKey = new HashMap<>();

  /** The monotonic time from which on each partition has written one. */
  private final Map<TopicPartition, Long> written = new ConcurrentHashMap<>();

  private volatile Optional<Long> wanted = Optional.empty();

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
    List<TopicPartition> silent =
        byKey.values().stream().filter(it -> !isWritten(it, sinceNanos)).toList();
    if (!silent.isEmpty() && wanted.filter(since -> since - sinceNanos >= 0).isEmpty()) {
      wanted = Optional.of(sinceNanos);
    }
    return silent;
  }

  private boolean isWritten(TopicPartition partition, long sinceNanos) {
    Long since = written.get(partition);
    return since != null && since - sinceNanos >= 0;
  }

  @Override
  public boolean exist() {
    return true;
  }

  /** Reads until each partition has written a watermark since a task has asked, if one has. */
  public void poll() {
    Optional<Long> since = wanted;
    if (since.isPresent() && unread(0, since.get()).isEmpty()) {
      wanted = Optional.empty();
    } else if (since.isPresent()) {
      read();
    }
  }

  private void read() {
    long begunAt = System.nanoTime();
    try (Consumer<byte[], byte[]> consumer = ReaderSettings.consumer(client)) {
      Map<TopicPartition, Long> ends = ends(consumer);
      consumer.assign(ends.keySet());
      ends.forEach(consumer::seek);
      while (!areWritten(begunAt) && System.nanoTime() - begunAt < LONGEST_READ.toNanos()) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          TopicPartition by =
              byKey.get(record.key() == null ? "" : new String(record.key(), UTF_8));
          if (by != null && record.value() != null) {
            written.put(by, begunAt);
          }
        }
      }
    }
  }

  private boolean areWritten(long sinceNanos) {
    return byKey.values().stream().allMatch(it -> isWritten(it, sinceNanos));
  }

  /** With the records of open transactions: those were written before. */
  private Map<TopicPartition, Long> ends(Consumer<byte[], byte[]> consumer) {
    Map<TopicPartition, OffsetSpec> all = new HashMap<>();
    consumer
        .partitionsFor(topic)
        .forEach(it -> all.put(new TopicPartition(topic, it.partition()), OffsetSpec.latest()));
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

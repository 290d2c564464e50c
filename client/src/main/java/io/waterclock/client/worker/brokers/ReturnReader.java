package io.waterclock.client.worker.brokers;

import io.waterclock.client.topics.Consumers;
import io.waterclock.schemas.ReaderSettings;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;

/**
 * Reads the partitions of the topic of retries that belong to the worker's partitions of fires.
 *
 * <p>Idea: a consumer without a group. The group assigns partitions of fires only, and whichever
 * worker has partition <i>n</i> of them also reads partition <i>n</i> of the retries, whatever the
 * group's assignor does. So a fire returns to the worker that runs the other fires of its schedule,
 * one after another. The worker commits the offsets as a member of its group.
 *
 * <p>Used by one thread, which may not block for long.
 */
public final class ReturnReader implements AutoCloseable {
  private static final Logger LOG = SafeLogger.of(ReturnReader.class);
  private static final Duration ANSWER_BOUND = Duration.ofSeconds(5);
  private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(1);

  private static final Duration AFTER_REFUSAL = Duration.ofMinutes(5);

  private final String topic;
  private final Consumer<byte[], byte[]> consumer;
  private Optional<Integer> partitions = Optional.empty();
  private long nextLookNanos = System.nanoTime();

  /**
   * @param consumer the settings of a consumer without a group
   */
  public ReturnReader(String topic, Map<String, Object> consumer) {
    this.topic = topic;
    Map<String, Object> settings = new HashMap<>(consumer);
    settings.remove(ConsumerConfig.CLIENT_ID_CONFIG);
    this.consumer = ReaderSettings.consumer(settings);
  }

  public Consumer<byte[], byte[]> consumer() {
    return consumer;
  }

  /**
   * How many partitions the topic has. Asks the brokers, for some seconds at most, and no more than
   * every minute while the topic does not exist, or every five minutes while it may not be read.
   */
  public Optional<Integer> look() {
    if (partitions.isPresent() || System.nanoTime() - nextLookNanos < 0) {
      return partitions;
    }
    nextLookNanos = System.nanoTime() + BETWEEN_LOOKS.toNanos();
    try {
      partitions =
          Optional.ofNullable(consumer.partitionsFor(topic, ANSWER_BOUND))
              .map(List::size)
              .filter(count -> count > 0);
    } catch (RetriableException | AuthorizationException e) {
      LOG.debug("The topic {} cannot be read", topic, e);
    }
    return partitions;
  }

  /** True if the topic was there and is no more. Asks the brokers, for some seconds at most. */
  public boolean isDeleted() {
    if (partitions.isEmpty()) {
      return false;
    }
    List<PartitionInfo> found = consumer.partitionsFor(topic, ANSWER_BOUND);
    return found == null || found.isEmpty();
  }

  /** The topic does not exist any more. */
  public void deleted() {
    partitions = Optional.empty();
    nextLookNanos = System.nanoTime() + BETWEEN_LOOKS.toNanos();
  }

  /** The topic may not be read: as if it did not exist. */
  public void forbidden() {
    partitions = Optional.empty();
    nextLookNanos = System.nanoTime() + AFTER_REFUSAL.toNanos();
  }

  /**
   * The partitions that belong to partitions of fires.
   *
   * @param fires their numbers
   * @param inAll how many partitions of fires there are
   */
  public List<TopicPartition> of(Collection<Integer> fires, int inAll) {
    return IntStream.range(0, partitions.orElse(0))
        .filter(number -> fires.contains(number % inAll))
        .mapToObj(number -> new TopicPartition(topic, number))
        .toList();
  }

  /**
   * Reads more partitions from the offsets that the group has committed, or from their beginnings.
   */
  public void add(
      Collection<TopicPartition> more, Map<TopicPartition, OffsetAndMetadata> committed) {
    List<TopicPartition> all = new ArrayList<>(consumer.assignment());
    all.removeAll(more);
    all.addAll(more);
    consumer.assign(all);
    for (TopicPartition partition : more) {
      OffsetAndMetadata offset = committed.get(partition);
      if (offset == null) {
        consumer.seekToBeginning(Set.of(partition));
      } else {
        consumer.seek(partition, offset);
      }
    }
  }

  /** Reads these partitions no more. */
  public void remove(Collection<TopicPartition> partitionsOfOthers) {
    List<TopicPartition> rest = new ArrayList<>(consumer.assignment());
    if (rest.removeAll(partitionsOfOthers)) {
      consumer.assign(rest);
    }
  }

  /**
   * What has been fetched; does not wait for more.
   *
   * @throws AuthorizationException if the topic may not be read
   */
  public ConsumerRecords<byte[], byte[]> poll() {
    return consumer.assignment().isEmpty() ? ConsumerRecords.empty() : consumer.poll(Duration.ZERO);
  }

  @Override
  public void close() {
    try {
      Consumers.close(consumer, Duration.ZERO);
    } catch (KafkaException e) {
      LOG.debug("The reader of {} did not close cleanly", topic, e);
    }
  }
}

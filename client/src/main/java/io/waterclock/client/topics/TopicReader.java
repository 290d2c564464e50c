package io.waterclock.client.topics;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Reads what is committed in some partitions: up to their end as it is now, or on and on. Each call
 * has a consumer of its own. Thread-safe if what it is given is.
 */
public final class TopicReader {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration STALL = Duration.ofSeconds(10);

  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final BiFunction<KafkaException, String, RuntimeException> failures;
  private final ReadProgress progress;

  /**
   * @param consumers of committed records, without a group
   * @param failures puts into words what went wrong with a topic; what it gives is thrown
   * @param progress is told how far a reading to an end is
   */
  public TopicReader(
      Supplier<Consumer<byte[], byte[]>> consumers,
      BiFunction<KafkaException, String, RuntimeException> failures,
      ReadProgress progress) {
    this.consumers = consumers;
    this.failures = failures;
    this.progress = progress;
  }

  /** One that throws what Kafka's consumer throws. */
  public TopicReader(Supplier<Consumer<byte[], byte[]>> consumers) {
    this(consumers, (failure, topic) -> failure, ReadProgress.UNSEEN);
  }

  /** All partitions of a topic; fails if there is no such topic. */
  public List<TopicPartition> partitions(String topic) {
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      return partitions(topic, consumer);
    } catch (KafkaException e) {
      throw failures.apply(e, topic);
    }
  }

  /**
   * @throws UnknownTopicOrPartitionException if there is no such topic
   */
  static List<TopicPartition> partitions(String topic, Consumer<byte[], byte[]> consumer) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .sorted(Comparator.comparingInt(TopicPartition::partition))
            .toList();
    if (partitions.isEmpty()) {
      throw new UnknownTopicOrPartitionException("there is no topic " + topic);
    }
    return partitions;
  }

  /**
   * Hands over the records from the beginning to the end as it is now, or until {@code goOn} says
   * false. Open transactions are not waited for.
   */
  public void toEnd(
      List<TopicPartition> partitions, Predicate<ConsumerRecord<byte[], byte[]>> goOn) {
    newest(partitions, Long.MAX_VALUE, goOn);
  }

  /**
   * The same for the end of each partition alone.
   *
   * @param most how many offsets before its end reading begins
   */
  public void newest(
      List<TopicPartition> partitions, long most, Predicate<ConsumerRecord<byte[], byte[]>> goOn) {
    read(partitions, (partition, beginning, end) -> Math.max(beginning, end - most), goOn);
  }

  /**
   * The same for what follows in each partition from an offset on.
   *
   * @param from offsets; one that is not there any more, or not yet, is the nearest that is
   */
  public void from(Map<TopicPartition, Long> from, Predicate<ConsumerRecord<byte[], byte[]>> goOn) {
    read(
        List.copyOf(from.keySet()),
        (partition, beginning, end) ->
            Math.min(end, Math.max(beginning, from.getOrDefault(partition, beginning))),
        goOn);
  }

  /** Where reading begins. */
  @FunctionalInterface
  private interface Start {
    long of(TopicPartition partition, long beginning, long end);
  }

  private void read(
      List<TopicPartition> partitions,
      Start start,
      Predicate<ConsumerRecord<byte[], byte[]>> goOn) {
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      consumer.assign(partitions);
      Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      beginnings.forEach(
          (partition, beginning) ->
              consumer.seek(
                  partition,
                  start.of(partition, beginning, ends.getOrDefault(partition, beginning))));
      long all = left(consumer, ends);
      long before = all;
      long progressAt = System.nanoTime();
      while (before > 0) {
        if (!handOver(consumer.poll(POLL), goOn)) {
          return;
        }
        long left = left(consumer, ends);
        progress.read(all - left, all);
        if (left < before) {
          progressAt = System.nanoTime();
        } else if (System.nanoTime() - progressAt > STALL.toNanos()) {
          throw new TimeoutException("no answer in the middle of " + topic(partitions));
        }
        before = left;
      }
    } catch (KafkaException e) {
      throw failures.apply(e, topic(partitions));
    }
  }

  /**
   * How many offsets there are from the beginnings to the ends; no fewer than there are records.
   */
  public long size(List<TopicPartition> partitions) {
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
      return consumer.endOffsets(partitions).entrySet().stream()
          .mapToLong(end -> end.getValue() - beginnings.getOrDefault(end.getKey(), 0L))
          .sum();
    } catch (KafkaException e) {
      throw failures.apply(e, topic(partitions));
    }
  }

  /** The first offsets that retention has left. */
  public Map<TopicPartition, Long> beginnings(List<TopicPartition> partitions) {
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      return consumer.beginningOffsets(partitions);
    } catch (KafkaException e) {
      throw failures.apply(e, topic(partitions));
    }
  }

  /**
   * Hands over what comes until {@code goOn} says false, and waits out a broker that is away.
   *
   * @param fromBeginning first what is there already
   * @param afterwards runs after each bundle of records
   */
  public void follow(
      List<TopicPartition> partitions,
      boolean fromBeginning,
      Predicate<ConsumerRecord<byte[], byte[]>> goOn,
      Runnable afterwards) {
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      consumer.assign(partitions);
      if (fromBeginning) {
        consumer.seekToBeginning(partitions);
      } else {
        consumer.seekToEnd(partitions);
      }
      boolean on = true;
      while (on) {
        on = handOver(consumer.poll(POLL), goOn);
        afterwards.run();
      }
    } catch (KafkaException e) {
      throw failures.apply(e, topic(partitions));
    }
  }

  private static boolean handOver(
      ConsumerRecords<byte[], byte[]> records, Predicate<ConsumerRecord<byte[], byte[]>> goOn) {
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (!goOn.test(record)) {
        return false;
      }
    }
    return true;
  }

  /** Offsets still to be read; transaction markers count, and the position moves past them. */
  private static long left(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
    long left = 0;
    for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
      left += Math.max(0, end.getValue() - consumer.position(end.getKey()));
    }
    return left;
  }

  private static String topic(List<TopicPartition> partitions) {
    return partitions.get(0).topic();
  }
}

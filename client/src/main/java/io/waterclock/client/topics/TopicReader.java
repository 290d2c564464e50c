package io.waterclock.client.topics;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongBiFunction;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Reads the committed records of partitions, up to their current end or continuously. Each call
 * uses its own consumer. Thread-safe if its arguments are.
 *
 * @param consumers creates consumers of committed records, without a group
 * @param failures turns a failure with a topic into the exception to throw
 * @param progress receives the progress of reads up to an end
 */
public record TopicReader(
    Supplier<Consumer<byte[], byte[]>> consumers,
    BiFunction<KafkaException, String, RuntimeException> failures,
    ReadProgress progress) {
  private static final Duration POLL = Duration.ofMillis(200);

  /** A reader that throws the exceptions of Kafka's consumer. */
  public TopicReader(Supplier<Consumer<byte[], byte[]>> consumers) {
    this(consumers, (failure, topic) -> failure, ReadProgress.UNSEEN);
  }

  /** All partitions of a topic; fails if the topic does not exist. */
  public List<TopicPartition> partitions(String topic) {
    return with(topic, consumer -> partitions(topic, consumer));
  }

  /** All partitions of a topic; none if it does not exist, or may not be seen. */
  public List<TopicPartition> partitionsIfAny(String topic) {
    return with(
        topic,
        consumer -> {
          try {
            return found(topic, consumer);
          } catch (TopicAuthorizationException e) {
            return List.of();
          }
        });
  }

  /**
   * @throws UnknownTopicOrPartitionException if the topic does not exist
   */
  static List<TopicPartition> partitions(String topic, Consumer<byte[], byte[]> consumer) {
    List<TopicPartition> partitions = found(topic, consumer);
    if (partitions.isEmpty()) {
      throw new UnknownTopicOrPartitionException("there is no topic " + topic);
    }
    return partitions;
  }

  private static List<TopicPartition> found(String topic, Consumer<byte[], byte[]> consumer) {
    return consumer.partitionsFor(topic).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .sorted(Comparator.comparingInt(TopicPartition::partition))
        .toList();
  }

  /**
   * Passes the records from the beginning to the current end to {@code goOn}, or until it returns
   * false. Does not wait for open transactions.
   */
  public void toEnd(
      List<TopicPartition> partitions, Predicate<ConsumerRecord<byte[], byte[]>> goOn) {
    newest(partitions, Long.MAX_VALUE, goOn);
  }

  /** Passes the records from the beginning to the current end to {@code each}. */
  public void each(
      List<TopicPartition> partitions,
      java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> each) {
    toEnd(
        partitions,
        record -> {
          each.accept(record);
          return true;
        });
  }

  /**
   * Does the same for the last records of each partition only.
   *
   * @param most how many offsets before its end the read begins
   */
  public void newest(
      List<TopicPartition> partitions, long most, Predicate<ConsumerRecord<byte[], byte[]>> goOn) {
    read(partitions, (partition, end) -> end - most, goOn);
  }

  /**
   * Does the same from a given offset of each partition on.
   *
   * @param from the first offsets to read; the reader moves an offset outside of the partition to
   *     its beginning or end
   */
  public void from(Map<TopicPartition, Long> from, Predicate<ConsumerRecord<byte[], byte[]>> goOn) {
    read(List.copyOf(from.keySet()), (partition, end) -> from.getOrDefault(partition, 0L), goOn);
  }

  /**
   * @param start the first offset to read, from a partition and its end
   */
  private void read(
      List<TopicPartition> partitions,
      ToLongBiFunction<TopicPartition, Long> start,
      Predicate<ConsumerRecord<byte[], byte[]>> goOn) {
    var unused =
        with(
            topic(partitions),
            consumer -> {
              consumer.assign(partitions);
              Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
              consumer
                  .beginningOffsets(partitions)
                  .forEach(
                      (partition, beginning) -> {
                        long end = ends.getOrDefault(partition, beginning);
                        long first = Math.min(end, start.applyAsLong(partition, end));
                        consumer.seek(partition, Math.max(beginning, first));
                      });
              return toEnds(consumer, ends, goOn);
            });
  }

  private boolean toEnds(
      Consumer<byte[], byte[]> consumer,
      Map<TopicPartition, Long> ends,
      Predicate<ConsumerRecord<byte[], byte[]>> goOn) {
    long all = left(consumer, ends);
    ReadStall stall = new ReadStall(System::nanoTime, all);
    for (long left = all; left > 0; ) {
      if (!handOver(consumer.poll(POLL), goOn)) {
        return false;
      }
      left = left(consumer, ends);
      progress.read(all - left, all);
      if (stall.isStalled(left)) {
        throw new TimeoutException(
            "the broker stopped answering in the middle of " + topic(List.copyOf(ends.keySet())));
      }
    }
    return true;
  }

  /** The number of offsets between the beginnings and the ends; at least the number of records. */
  public long size(List<TopicPartition> partitions) {
    return with(
        topic(partitions),
        consumer -> {
          Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
          return consumer.endOffsets(partitions).entrySet().stream()
              .mapToLong(end -> end.getValue() - beginnings.getOrDefault(end.getKey(), 0L))
              .sum();
        });
  }

  /** The first offsets that the topic retains. */
  public Map<TopicPartition, Long> beginnings(List<TopicPartition> partitions) {
    return with(topic(partitions), consumer -> consumer.beginningOffsets(partitions));
  }

  /** The ends of the partitions, exclusive. */
  public Map<TopicPartition, Long> ends(List<TopicPartition> partitions) {
    return with(topic(partitions), consumer -> consumer.endOffsets(partitions));
  }

  /**
   * Waits until everything before these ends can be read: open transactions hide what is behind
   * them.
   *
   * @return false if some of it is still hidden after this time
   */
  public boolean awaitReadable(Map<TopicPartition, Long> ends, Duration atMost) {
    if (ends.isEmpty()) {
      return true;
    }
    return with(
        topic(List.copyOf(ends.keySet())),
        consumer -> {
          consumer.assign(ends.keySet());
          consumer.seekToEnd(ends.keySet());
          long begin = System.nanoTime();
          while (left(consumer, ends) > 0) {
            if (System.nanoTime() - begin > atMost.toNanos()) {
              return false;
            }
            consumer.poll(POLL); // returns early when a transaction has ended
          }
          return true;
        });
  }

  /** The first offsets whose records have this timestamp or a later one; else the ends. */
  public Map<TopicPartition, Long> offsetsAt(List<TopicPartition> partitions, Instant instant) {
    return with(
        topic(partitions),
        consumer -> {
          Map<TopicPartition, Long> offsets = new HashMap<>(consumer.endOffsets(partitions));
          Map<TopicPartition, Long> times = new HashMap<>();
          partitions.forEach(partition -> times.put(partition, instant.toEpochMilli()));
          consumer.offsetsForTimes(times).entrySet().stream()
              .filter(found -> found.getValue() != null)
              .forEach(found -> offsets.put(found.getKey(), found.getValue().offset()));
          return offsets;
        });
  }

  private <T> T with(String topic, Function<Consumer<byte[], byte[]>, T> question) {
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      return question.apply(consumer);
    } catch (KafkaException e) {
      throw failures.apply(e, topic);
    }
  }

  /**
   * Passes the records from a given offset of each partition on, and then new records, to {@code
   * goOn} until it returns false. Waits while a broker does not answer.
   *
   * @param wanted which of all partitions of a topic to read: the partitions of {@code from}, and
   *     more once the topic has more. The reader reads these from their beginning
   * @param afterwards runs after each poll
   */
  public void follow(
      Map<TopicPartition, Long> from,
      UnaryOperator<List<TopicPartition>> wanted,
      Predicate<ConsumerRecord<byte[], byte[]>> goOn,
      Runnable afterwards) {
    var unused =
        with(
            topic(List.copyOf(from.keySet())),
            consumer -> {
              consumer.assign(from.keySet());
              from.forEach(consumer::seek);
              boolean on = true;
              while (on) {
                on = handOver(consumer.poll(POLL), goOn);
                readNew(consumer, wanted);
                afterwards.run();
              }
              return on;
            });
  }

  /** The consumer refreshes what it knows of its topics every {@code metadata.max.age.ms}. */
  private static void readNew(
      Consumer<byte[], byte[]> consumer, UnaryOperator<List<TopicPartition>> wanted) {
    Set<TopicPartition> all = new HashSet<>(consumer.assignment());
    List<TopicPartition> added =
        all.stream()
            .map(TopicPartition::topic)
            .distinct()
            .map(topic -> found(topic, consumer))
            .filter(found -> !found.isEmpty()) // the topic is gone, and may come back
            .flatMap(found -> wanted.apply(found).stream())
            .filter(partition -> !all.contains(partition))
            .toList();
    if (!added.isEmpty()) {
      all.addAll(added);
      consumer.assign(all);
      consumer.seekToBeginning(added);
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

  /**
   * The number of offsets still to read, with transaction markers: the position moves past them.
   */
  private static long left(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .mapToLong(end -> Math.max(0, end.getValue() - consumer.position(end.getKey())))
        .sum();
  }

  private static String topic(List<TopicPartition> partitions) {
    return partitions.get(0).topic();
  }
}

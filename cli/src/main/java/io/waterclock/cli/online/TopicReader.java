package io.waterclock.cli.online;

import io.waterclock.cli.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Reads what is committed in some partitions: up to their end as it is now, or on and on. */
final class TopicReader {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration STALL = Cluster.PATIENCE.multipliedBy(2);

  private final Cluster cluster;

  TopicReader(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Hands over the records from the beginning to the end as it is now, or until {@code goOn} says
   * false. Open transactions are not waited for.
   *
   * @throws Failure if the broker goes away
   */
  void toEnd(List<TopicPartition> partitions, Predicate<ConsumerRecord<byte[], byte[]>> goOn) {
    try (Consumer<byte[], byte[]> consumer = cluster.consumer()) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      long before = left(consumer, ends);
      long progressAt = System.nanoTime();
      while (before > 0) {
        if (!handOver(consumer.poll(POLL), goOn)) {
          return;
        }
        long left = left(consumer, ends);
        if (left < before) {
          progressAt = System.nanoTime();
        } else if (System.nanoTime() - progressAt > STALL.toNanos()) {
          throw new Failure("Kafka stopped answering in the middle of " + topic(partitions) + ".");
        }
        before = left;
      }
    } catch (KafkaException e) {
      throw cluster.failure(e, topic(partitions));
    }
  }

  /**
   * The first offsets that retention has left.
   *
   * @throws Failure if the broker goes away
   */
  Map<TopicPartition, Long> beginnings(List<TopicPartition> partitions) {
    try (Consumer<byte[], byte[]> consumer = cluster.consumer()) {
      return consumer.beginningOffsets(partitions);
    } catch (KafkaException e) {
      throw cluster.failure(e, topic(partitions));
    }
  }

  /**
   * Hands over what comes until {@code goOn} says false, and waits out a broker that is away.
   *
   * @param fromBeginning first what is there already
   * @param afterwards runs after each bundle of records
   */
  void follow(
      List<TopicPartition> partitions,
      boolean fromBeginning,
      Predicate<ConsumerRecord<byte[], byte[]>> goOn,
      Runnable afterwards) {
    try (Consumer<byte[], byte[]> consumer = cluster.consumer()) {
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
      throw cluster.failure(e, topic(partitions));
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

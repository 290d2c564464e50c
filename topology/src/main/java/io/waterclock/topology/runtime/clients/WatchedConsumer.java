package io.waterclock.topology.runtime.clients;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The main consumer of a stream thread, which remembers the last record that it has handed out of
 * each partition, and waits for records for as long as there is nothing else to do. Used, like any
 * consumer, by its thread alone.
 */
final class WatchedConsumer extends KafkaConsumer<byte[], byte[]> {
  private final Map<TopicPartition, Long> lastFetched = new HashMap<>();
  private final PollTimeout rest = new PollTimeout();
  private final StallDetector pulse = new StallDetector(System::nanoTime, InstantSource.system());

  WatchedConsumer(Map<String, Object> config) {
    super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    pulse.beat();
    ConsumerRecords<byte[], byte[]> records =
        super.poll(timeout.isZero() ? timeout : rest.of(timeout, tasks(), System.nanoTime()));
    pulse.beat();
    for (TopicPartition partition : records.partitions()) {
      List<ConsumerRecord<byte[], byte[]>> ofPartition = records.records(partition);
      lastFetched.put(partition, ofPartition.get(ofPartition.size() - 1).offset());
    }
    return records;
  }

  /** Of the thread to which it belongs. */
  StallDetector pulse() {
    return pulse;
  }

  /**
   * Says for how long a task has nothing to do unless a record comes.
   *
   * @param partition the number of the task's partition
   * @param time not above zero when it has something to do
   */
  void restsFor(int partition, Duration time) {
    rest.task(partition, time, System.nanoTime());
  }

  private Set<Integer> tasks() {
    Set<Integer> tasks = new HashSet<>();
    assignment().forEach(partition -> tasks.add(partition.partition()));
    return tasks;
  }

  /** The offset of the last record handed out since {@link #forget}. */
  Optional<Long> lastFetched(TopicPartition partition) {
    return Optional.ofNullable(lastFetched.get(partition));
  }

  void forget(TopicPartition partition) {
    lastFetched.remove(partition);
  }
}

package io.waterclock.runtime.brokers;

import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.ReaderSettings;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.context.DefinedSchedules;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads a partition of the schedules topic with a new consumer. Thread-safe. */
public record PartitionRead(String topic, Map<String, Object> clientConfig, Executor executor)
    implements DefinedSchedules {
  private static final Duration POLL = Duration.ofMillis(500);

  public PartitionRead {
    clientConfig = Map.copyOf(clientConfig);
  }

  @Override
  public CompletableFuture<Set<ScheduleId>> of(int partition) {
    return CompletableFuture.supplyAsync(
        () -> read(new TopicPartition(topic, partition)), executor);
  }

  private Set<ScheduleId> read(TopicPartition partition) {
    Set<ScheduleId> defined = new HashSet<>();
    try (Consumer<byte[], byte[]> consumer = ReaderSettings.consumer(clientConfig)) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          id(record.key()).ifPresent(record.value() == null ? defined::remove : defined::add);
        }
      }
    }
    return defined;
  }

  private static Optional<ScheduleId> id(byte[] key) {
    try {
      return key == null ? Optional.empty() : Optional.of(ScheduleId.parse(key));
    } catch (InvalidIdException e) {
      return Optional.empty();
    }
  }
}

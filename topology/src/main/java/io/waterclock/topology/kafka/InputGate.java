package io.waterclock.topology.kafka;

import io.waterclock.topology.stream.Gate;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.streams.processor.TaskId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens when the main consumer has passed the end that the input partition had when the task was
 * assigned, and every record that it has handed out is processed.
 *
 * <p>The end is the one that read_committed sees, the last stable offset: a transaction that hangs
 * cannot hold the scheduler back. The consumer's position passes transaction markers and compacted
 * gaps, which no processor sees. Asks the broker once; after that it compares numbers.
 */
public final class InputGate implements Gate {
  private static final Logger LOG = LoggerFactory.getLogger(InputGate.class);

  private final WatchedConsumer consumer;
  private final TopicPartition partition;
  private Optional<Long> end = Optional.empty();
  private long lastProcessed = -1;
  private boolean open;

  private InputGate(WatchedConsumer consumer, TopicPartition partition) {
    this.consumer = consumer;
    this.partition = partition;
    consumer.forget(partition);
  }

  /** Gates for the tasks of a topology that reads one topic. */
  public static Factory factory(WatchedClients clients, String topic) {
    return (TaskId task) ->
        new InputGate(
            clients
                .ofThisThread()
                .orElseThrow(
                    () ->
                        new IllegalStateException(
                            "no consumer is known for " + Thread.currentThread().getName())),
            new TopicPartition(topic, task.partition()));
  }

  @Override
  public void processed(long offset) {
    lastProcessed = offset;
  }

  @Override
  public boolean isOpen() {
    if (!open) {
      try {
        open = isPassed();
      } catch (TimeoutException e) {
        LOG.warn("{}: the broker does not say where the partition ends; asking again", partition);
      }
      if (open) {
        LOG.info("{}: read up to {}, deciding begins", partition, end.orElseThrow());
      }
    }
    return open;
  }

  private boolean isPassed() {
    if (end.isEmpty()) {
      Map<TopicPartition, Long> ends = consumer.endOffsets(Set.of(partition));
      end = Optional.ofNullable(ends.get(partition));
    }
    return end.isPresent()
        && position().filter(position -> position >= end.get()).isPresent()
        && !isBehind();
  }

  @Override
  public boolean isBehind() {
    return consumer.lastFetched(partition).orElse(-1L) > lastProcessed;
  }

  /**
   * Empty in a partition that was never committed, until Kafka Streams has chosen where to begin.
   */
  private Optional<Long> position() {
    try {
      return Optional.of(consumer.position(partition));
    } catch (NoOffsetForPartitionException e) {
      return Optional.empty();
    }
  }
}

package io.waterclock.topology.kafka;

import io.waterclock.topology.stream.Gate;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far a task has read one of its input partitions. Used by its stream thread alone.
 *
 * <p>The end is the one that read_committed sees, the last stable offset: a transaction that hangs
 * cannot hold the scheduler back. The consumer's position passes transaction markers and compacted
 * gaps, which no processor sees.
 */
final class InputPartition {
  private static final Logger LOG = LoggerFactory.getLogger(InputPartition.class);

  private final WatchedConsumer consumer;
  private final TopicPartition partition;
  private long lastProcessed = -1;

  InputPartition(WatchedConsumer consumer, TopicPartition partition) {
    this.consumer = consumer;
    this.partition = partition;
    consumer.forget(partition);
  }

  void processed(long offset) {
    lastProcessed = offset;
  }

  /** True while records are fetched and not yet processed. */
  boolean isBehind() {
    return consumer.lastFetched(partition).orElse(-1L) > lastProcessed;
  }

  /** The end that the partition has when it is first asked whether it is passed. */
  Gate.Mark end() {
    return new End();
  }

  /** Asks the broker once; after that it compares numbers. */
  private final class End implements Gate.Mark {
    private Optional<Long> end = Optional.empty();
    private boolean passed;

    @Override
    public boolean isPassed() {
      if (!passed) {
        try {
          passed = look();
        } catch (TimeoutException e) {
          LOG.warn("{}: the broker does not say where the partition ends; asking again", partition);
        }
      }
      return passed;
    }

    private boolean look() {
      if (end.isEmpty()) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(Set.of(partition));
        end = Optional.ofNullable(ends.get(partition));
      }
      if (end.isEmpty()) {
        return false;
      }
      boolean isProcessed = lastProcessed >= end.get() - 1;
      return isProcessed
          || (position().filter(position -> position >= end.get()).isPresent() && !isBehind());
    }
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

package io.waterclock.topology.runtime.clients;

import io.waterclock.schemas.SafeLogger;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;

/**
 * How far a task has read one of its input partitions. Used by its stream thread alone.
 *
 * <p>The end is the one that read_committed sees, the last stable offset: a transaction that hangs
 * cannot hold the scheduler back. The consumer's position passes transaction markers and compacted
 * gaps, which no processor sees.
 */
final class InputPartition {
  private static final Logger LOG = SafeLogger.of(InputPartition.class);

  private final WatchedConsumer consumer;
  private final Function<TopicPartition, CompletableFuture<Long>> ends;
  private final TopicPartition partition;
  private long lastProcessed = -1;

  /**
   * @param ends asks where a partition ends for read_committed
   */
  InputPartition(
      WatchedConsumer consumer,
      Function<TopicPartition, CompletableFuture<Long>> ends,
      TopicPartition partition) {
    this.consumer = consumer;
    this.ends = ends;
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

  /** The end that the partition has now, or a moment later. */
  FreshEnds.End end() {
    return new Asked();
  }

  /**
   * Where the partition ends.
   *
   * @param atNanos when this was learned
   */
  private record Answer(long offset, long atNanos) {}

  /** Asks the brokers at once, in the background; then it compares numbers. */
  private final class Asked implements FreshEnds.End {
    private CompletableFuture<Answer> end = ask();
    private boolean passed;

    @Override
    public boolean isPassed() {
      if (!passed && end.isDone()) {
        try {
          passed = isPast(end.join().offset());
        } catch (CompletionException e) {
          if (!(e.getCause() instanceof RetriableException)) {
            throw e;
          }
          LOG.warn("{}: no broker says where the partition ends; asking again", partition);
          end = ask();
        }
      }
      return passed;
    }

    @Override
    public long learnedAtNanos() {
      return end.join().atNanos();
    }

    private CompletableFuture<Answer> ask() {
      return ends.apply(partition).thenApply(offset -> new Answer(offset, System.nanoTime()));
    }

    private boolean isPast(long offset) {
      return lastProcessed >= offset - 1
          || (position().filter(position -> position >= offset).isPresent() && !isBehind());
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

package io.waterclock.runtime.clients;

import io.waterclock.schemas.SafeLogger;
import io.waterclock.topology.scheduler.guard.FreshEnds;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;

/**
 * How far a task has read one of its input partitions. For its stream thread only.
 *
 * <p>The end is the last stable offset, which read_committed sees, so a hanging transaction cannot
 * block the scheduler. The consumer's position passes transaction markers and compacted gaps, which
 * no processor sees.
 */
final class InputPartition {
  private static final Logger LOG = SafeLogger.of(InputPartition.class);

  private final WatchedConsumer consumer;
  private final Function<TopicPartition, CompletableFuture<Long>> ends;
  private final TopicPartition partition;
  private final Returned returned;

  /**
   * @param ends requests the read_committed end of a partition
   */
  InputPartition(
      WatchedConsumer consumer,
      Function<TopicPartition, CompletableFuture<Long>> ends,
      TopicPartition partition) {
    this.consumer = consumer;
    this.ends = ends;
    this.partition = partition;
    consumer.forget(partition);
    this.returned = consumer.returned(partition);
  }

  void processed(long offset) {
    returned.processed(offset);
  }

  /** True while the consumer has returned records that the task has not processed. */
  boolean isBehind() {
    return returned.isBehind();
  }

  /**
   * Inclusive: no record that was written up to this instant is unread, as far as the consumer
   * knows; {@code now} when it has read to the end. Free of requests: each answer to a fetch says
   * how far the partition goes.
   */
  Instant readThrough(Instant now) {
    Optional<Instant> earliest = returned.earliestUnprocessed();
    if (earliest.isPresent()) {
      return earliest.get().minusMillis(1);
    }
    return consumer.currentLag(partition).orElse(0) > 0 ? returned.newest() : now;
  }

  /** Requests the end that the partition has now, or a moment later. */
  FreshEnds.End end() {
    return new Asked();
  }

  /**
   * The end of the partition.
   *
   * @param atNanos when the answer came
   */
  private record Answer(long offset, long atNanos) {}

  /** Asks the brokers at once, in the background; later it compares numbers. */
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
          LOG.warn("{}: no broker has returned the end of the partition; asking again", partition);
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
      return returned.lastProcessed() >= offset - 1
          || (position().filter(position -> position >= offset).isPresent() && !isBehind());
    }
  }

  /**
   * Empty while the consumer does not know where to begin. To wait for that would hold up the other
   * tasks of the thread: a broker answers the consumer's request after its pending fetch.
   */
  private Optional<Long> position() {
    try {
      return Optional.of(consumer.position(partition, Duration.ZERO));
    } catch (NoOffsetForPartitionException | TimeoutException e) {
      return Optional.empty();
    }
  }
}

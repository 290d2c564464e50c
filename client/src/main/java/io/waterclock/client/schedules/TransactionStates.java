package io.waterclock.client.schedules;

import io.waterclock.schemas.threads.DaemonThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Finds the state of a transaction by reading back one of its records: a consumer of committed
 * records skips aborted records, and cannot read past an open transaction. Thread-safe; a call
 * reads one record, in a few milliseconds. All changes that wait share one thread for their calls.
 */
final class TransactionStates implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int MOST_POLLS = 50;

  enum State {
    COMMITTED,
    ABORTED,
    /** It, or an earlier one in the same partition, has not ended. */
    OPEN
  }

  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final ScheduledExecutorService looks =
      new ScheduledThreadPoolExecutor(
          1,
          DaemonThreads.named("waterclock-transactions"),
          new ThreadPoolExecutor.DiscardPolicy());
  private @Nullable Consumer<byte[], byte[]> consumer;
  private boolean closed;

  /**
   * @param consumers creates consumers of committed records, without a group
   */
  TransactionStates(Supplier<Consumer<byte[], byte[]>> consumers) {
    this.consumers = consumers;
  }

  /** Runs a look after a pause, on the thread of all looks; does nothing once this is closed. */
  void later(Duration pause, Runnable look) {
    var unused = looks.schedule(look, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * The state of the transaction with the record at an offset. A record that the topic no longer
   * retains counts as committed.
   *
   * @throws KafkaException if the brokers do not answer
   * @throws IllegalStateException if this is closed
   */
  synchronized State of(TopicPartition partition, long offset) {
    if (closed) {
      throw new IllegalStateException("closed");
    }
    Consumer<byte[], byte[]> reader = consumer == null ? consumers.get() : consumer;
    consumer = reader;
    List<TopicPartition> only = List.of(partition);
    reader.assign(only);
    if (reader.beginningOffsets(only).getOrDefault(partition, 0L) > offset) {
      return State.COMMITTED;
    }
    if (reader.endOffsets(only).getOrDefault(partition, 0L) <= offset) {
      return State.OPEN;
    }
    reader.seek(partition, offset);
    for (int polls = 0; polls < MOST_POLLS && reader.position(partition) <= offset; polls++) {
      for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
        return record.offset() == offset ? State.COMMITTED : State.ABORTED;
      }
    }
    return reader.position(partition) > offset ? State.ABORTED : State.OPEN;
  }

  @Override
  public void close() {
    looks.shutdownNow();
    synchronized (this) {
      closed = true;
      if (consumer != null) {
        consumer.close();
      }
    }
  }
}

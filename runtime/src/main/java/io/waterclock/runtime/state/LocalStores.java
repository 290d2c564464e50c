package io.waterclock.runtime.state;

import io.waterclock.topology.scheduler.store.StateAge;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The stores of an instance on its disk. They hold what is committed, and refuse to be reused when
 * they are too old.
 *
 * <p>Whenever a task begins, at the start of an instance or when a task returns to it, Kafka
 * Streams asks each store for its offset in the changelog. A store that is too old deletes its
 * rows, and has none.
 *
 * <p>Safe for all threads.
 */
public final class LocalStores implements Function<String, KeyValueBytesStoreSupplier> {
  private final SharedByStores shared;

  /**
   * @param changelogIds gives a changelog's id, which no other topic ever has
   * @param age how old state may be
   * @param compactionAge the age at which a file is rewritten without deleted rows
   */
  public LocalStores(
      String applicationId,
      UnaryOperator<String> changelogIds,
      StoreFolders folders,
      StateAge age,
      Duration compactionAge) {
    this.shared = new SharedByStores(applicationId, changelogIds, folders, age, compactionAge);
  }

  @Override
  public KeyValueBytesStoreSupplier apply(String name) {
    return new KeyValueBytesStoreSupplier() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public KeyValueStore<Bytes, byte[]> get() {
        return new CommittedStore(name, shared);
      }

      @Override
      public String metricsScope() {
        return CommittedStore.METRICS_SCOPE;
      }
    };
  }

  /**
   * Makes lasting what the committed transaction of this stream thread has changed.
   *
   * @param ends the last offsets of the transaction, by changelog
   */
  public void committed(Map<TopicPartition, Long> ends) {
    shared.end(store -> store.transactionCommitted(ends));
  }

  /** Forgets what the aborted transaction of this stream thread has changed. */
  public void aborted() {
    shared.end(Uncommitted::transactionAborted);
  }

  /** The instance has its tasks. Closes what it keeps open for others. Call before the end, too. */
  public void started() {
    shared.started();
  }
}

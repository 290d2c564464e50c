package io.waterclock.runtime.state;

import io.waterclock.topology.scheduler.store.StateAge;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StandbyUpdateListener;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The stores of an instance on its disk: everything that the rest of the application knows of them.
 * They hold what is committed, and refuse to be reused when they are too old.
 *
 * <p>To exchange them, write another class with these methods. With stores of Kafka Streams, only
 * {@link #apply} and {@link #standbys} have something to do. The store of the definitions should be
 * a {@link io.waterclock.topology.scheduler.store.DueIndex.Indexed}; for one that is not, each task
 * reads all definitions when it begins.
 *
 * <p>Whenever a task begins, at the start of an instance or when a task returns to it, Kafka
 * Streams asks each store for its offset in the changelog. A store that is too old deletes its
 * rows, and has none.
 *
 * <p>Safe for all threads.
 */
public final class LocalStores implements Function<String, KeyValueBytesStoreSupplier> {
  /**
   * Where an application has its stores.
   *
   * @param dir {@code state.dir} of Kafka Streams
   * @param keepUnused how long the stores of a task that has moved away stay, at least
   * @param compactionAge the age at which a file is rewritten without deleted rows
   */
  public record Disk(Path dir, String applicationId, Duration keepUnused, Duration compactionAge) {}

  private final StoreFolders folders;
  private final SharedByStores shared;
  private final StandbyContact standbys;

  /**
   * @param changelogIds gives a changelog's id, which no other topic ever has
   * @param age how old state may be
   */
  public LocalStores(Disk disk, UnaryOperator<String> changelogIds, StateAge age) {
    this.folders = new StoreFolders(disk.dir().resolve(disk.applicationId()), disk.keepUnused());
    this.shared =
        new SharedByStores(disk.applicationId(), changelogIds, folders, age, disk.compactionAge());
    this.standbys = new StandbyContact(age, shared::distrust);
  }

  /** Supplies the store of a name, for any number of tasks. */
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

  /** Must hear of the standbys of these stores. */
  public StandbyUpdateListener standbys() {
    return standbys;
  }

  /**
   * Prepares the disk. Call right before Kafka Streams starts, which looks for state then.
   *
   * @param mayReuse false when the changelogs will be created anew: deletes all stores
   */
  public void prepare(boolean mayReuse) {
    if (!mayReuse) {
      folders.deleteAll();
    }
    folders.mark();
  }

  /** The instance has its tasks. Closes what it keeps open for others. Call before the end, too. */
  public void started() {
    shared.started();
  }

  /**
   * Makes lasting what the committed transaction of this stream thread has changed.
   *
   * @param ends the last offsets of the transaction, by changelog
   */
  public void committed(Map<TopicPartition, Long> ends) {
    shared.committed(ends);
  }

  /** Forgets what the aborted transaction of this stream thread has changed. */
  public void aborted() {
    shared.aborted();
  }

  /** Deletes the stores of tasks that have moved to other instances. Call every minute or so. */
  public void sweep(Instant now) {
    folders.sweep(now);
  }
}

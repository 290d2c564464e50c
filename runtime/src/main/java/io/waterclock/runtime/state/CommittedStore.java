package io.waterclock.runtime.state;

import io.waterclock.topology.scheduler.store.DueIndex;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.ProcessorContextUtils;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.OffsetCheckpoint;
import org.apache.kafka.streams.state.internals.metrics.RocksDBMetricsRecorder;
import org.jspecify.annotations.Nullable;

/**
 * A store on disk that survives the death of its process, and the loss of its producer.
 *
 * <p>Idea: the disk holds only what Kafka has committed. Changes wait in memory until the
 * transaction of their changelog records is committed, and are written with the offset of the last
 * one. So what the disk holds is true whenever the process dies, and Kafka Streams restores only
 * the changelog after that offset.
 *
 * <p>An offset that is too low does no harm: the last record of each key wins. One that is too high
 * would lose records. So an offset comes from acknowledged records of a committed transaction, or
 * from restored records, and from nowhere else: not from Kafka Streams, which also commits stores
 * of tasks that have failed.
 *
 * <p>For one thread at a time: the one that restores the task, then its stream thread.
 */
final class CommittedStore implements KeyValueStore<Bytes, byte[]>, DueIndex.Indexed {
  static final String METRICS_SCOPE = "rocksdb";

  private final String name;
  private final SharedByStores stores;
  private final RocksDBMetricsRecorder metrics;
  private final Position position = Position.emptyPosition();
  private @Nullable Opened opened;

  CommittedStore(String name, SharedByStores stores) {
    this.name = name;
    this.stores = stores;
    this.metrics = new RocksDBMetricsRecorder(METRICS_SCOPE, name);
  }

  /** What exists between {@code init} and {@code close}. */
  private record Opened(StoreId id, StoreDatabase database) {}

  @Override
  public void init(StateStoreContext context, StateStore root) {
    StoreId id = new StoreId(context.taskId(), name);
    metrics.init(ProcessorContextUtils.metricsImpl(context), id.task());
    try {
      open(id);
    } catch (DamagedStoreException e) {
      open(id); // deletes it first
    }
    context.register(root, (RecordBatchingStateRestoreCallback) this::restore);
  }

  private void open(StoreId id) {
    use(id, stores.open(id));
    try {
      stores.opened(id, this);
    } catch (ProcessorStateException e) {
      close(); // Kafka Streams does not know it yet
      throw e;
    }
  }

  private void use(StoreId id, StoreDatabase database) {
    opened = new Opened(id, database);
    database.measure(metrics, name);
  }

  private Opened opened() {
    if (opened == null) {
      throw new InvalidStateStoreException("the store " + name + " is closed");
    }
    return opened;
  }

  @Override
  public void put(Bytes key, byte @Nullable [] value) {
    changing();
    opened().database.put(key.get(), value);
  }

  private void changing() {
    Opened store = opened();
    if (!store.database.hasChanges()) {
      stores.changing(store.id, store.database);
    }
  }

  /** Valid until the store is closed. */
  @Override
  public DueIndex dueIndex() {
    return opened().database.index(this::changing);
  }

  @Override
  public byte @Nullable [] putIfAbsent(Bytes key, byte @Nullable [] value) {
    byte[] before = get(key);
    if (before == null) {
      put(key, value);
    }
    return before;
  }

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
    entries.forEach(entry -> put(entry.key, entry.value));
  }

  @Override
  public byte @Nullable [] delete(Bytes key) {
    byte[] before = get(key);
    put(key, null);
    return before;
  }

  @Override
  public byte @Nullable [] get(Bytes key) {
    return opened().database.get(key.get());
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
    return opened().database.range(from == null ? null : from.get(), to == null ? null : to.get());
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return opened().database.range(null, null);
  }

  @Override
  public long approximateNumEntries() {
    return opened().database.estimatedRows();
  }

  /** Restored records are committed: the restoring consumer reads no others. */
  private void restore(Collection<ConsumerRecord<byte[], byte[]>> records) {
    opened().database.restore(records);
  }

  @Override
  public boolean persistent() {
    return true;
  }

  /** Deprecated for removal with the last stores that manage none. */
  @Override
  @SuppressWarnings("deprecation")
  public boolean managesOffsets() {
    return true;
  }

  /** Never null: what the disk holds without an offset is nothing. */
  @Override
  public Long committedOffset(TopicPartition partition) {
    Opened store = opened();
    OptionalLong offset = store.database.offset();
    if (offset.isPresent() && !stores.mayBeUsed(store.id, offset)) {
      clear(store);
    }
    return opened().database.offset().orElse(OffsetCheckpoint.OFFSET_UNKNOWN);
  }

  /**
   * Without offsets, Kafka Streams says that the changelog no longer has what follows on the
   * store's offset. Offsets are ignored.
   */
  @Override
  public void commit(Map<TopicPartition, Long> offsets) {
    if (opened != null && offsets.isEmpty()) {
      clear(opened);
    }
  }

  private void clear(Opened store) {
    metrics.removeValueProviders(name);
    stores.unchanged(store.id);
    store.database.close();
    opened = null; // until it is empty: if that fails, nothing is left to close
    use(store.id, stores.openEmpty(store.id));
  }

  @Override
  public Position getPosition() {
    return position;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isOpen() {
    return opened != null;
  }

  /** Changes that are not committed are lost, as they should be. */
  @Override
  public void close() {
    if (opened != null) {
      metrics.removeValueProviders(name);
      stores.unchanged(opened.id);
      stores.close(opened.id, opened.database);
      opened = null;
    }
  }
}

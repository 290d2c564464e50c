package io.waterclock.runtime.state;

import io.waterclock.schemas.SafeLogger;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.StateAge;
import io.waterclock.topology.scheduler.store.StoredPosition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryConfig;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Stores on disk that refuse to be reused when they are too old.
 *
 * <p>Idea: whenever a task begins, at the start of an instance or when a task returns to it, Kafka
 * Streams asks each store for its offset in the changelog. If a store returns none, Kafka Streams
 * deletes the task's stores and restores them from nothing, as after a crash. So a store that is
 * too old returns none.
 *
 * <p>The stores of a task are committed together, so the position in one of them shows the age of
 * all. Safe for all threads.
 */
public final class AgedStores implements Function<String, KeyValueBytesStoreSupplier> {
  private static final Logger LOG = SafeLogger.of(AgedStores.class);

  private final StateAge age;
  private final Map<TaskId, ProgressStore> progress = new ConcurrentHashMap<>();

  public AgedStores(StateAge age) {
    this.age = age;
  }

  @Override
  public KeyValueBytesStoreSupplier apply(String name) {
    KeyValueBytesStoreSupplier plain = Stores.persistentKeyValueStore(name);
    return new KeyValueBytesStoreSupplier() {
      @Override
      public String name() {
        return plain.name();
      }

      @Override
      public KeyValueStore<Bytes, byte[]> get() {
        return new AgedStore(plain.get());
      }

      @Override
      public String metricsScope() {
        return plain.metricsScope();
      }
    };
  }

  private boolean mayBeUsed(TaskId task) {
    Optional<Instant> writtenAt =
        Optional.ofNullable(progress.get(task))
            .flatMap(ProgressStore::position)
            .map(StoredPosition::clockMs)
            .map(Instant::ofEpochMilli);
    Optional<String> objection = age.objection(writtenAt);
    objection.ifPresent(
        reason ->
            LOG.info(
                "{}: the state on disk {}: the changelogs may no longer hold the deletes since"
                    + " then, so it is restored from nothing",
                task,
                reason));
    return objection.isEmpty();
  }

  /** Delegates everything except the offset to the store on disk. */
  private final class AgedStore implements KeyValueStore<Bytes, byte[]> {
    private final KeyValueStore<Bytes, byte[]> disk;
    private Optional<TaskId> task = Optional.empty();

    AgedStore(KeyValueStore<Bytes, byte[]> disk) {
      this.disk = disk;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
      disk.init(context, root);
      task = Optional.of(context.taskId());
      if (name().equals(ProgressStore.NAME)) {
        progress.put(context.taskId(), new ProgressStore(disk));
      }
    }

    @Override
    public void close() {
      if (name().equals(ProgressStore.NAME)) {
        task.ifPresent(progress::remove);
      }
      disk.close();
    }

    @Override
    public @Nullable Long committedOffset(TopicPartition partition) {
      Long offset = disk.committedOffset(partition);
      return offset == null || task.filter(AgedStores.this::mayBeUsed).isEmpty() ? null : offset;
    }

    @Override
    public String name() {
      return disk.name();
    }

    @Override
    public void commit(Map<TopicPartition, Long> offsets) {
      disk.commit(offsets);
    }

    @Override
    @SuppressWarnings("deprecation") // Kafka Streams still asks
    public boolean managesOffsets() {
      return disk.managesOffsets();
    }

    @Override
    @SuppressWarnings("deprecation") // the call must reach the store
    public void flush() {
      disk.flush();
    }

    @Override
    public boolean persistent() {
      return disk.persistent();
    }

    @Override
    public boolean isOpen() {
      return disk.isOpen();
    }

    @Override
    public <R> QueryResult<R> query(Query<R> query, PositionBound bound, QueryConfig config) {
      return disk.query(query, bound, config);
    }

    @Override
    public Position getPosition() {
      return disk.getPosition();
    }

    @Override
    public void put(Bytes key, byte[] value) {
      disk.put(key, value);
    }

    @Override
    public byte[] putIfAbsent(Bytes key, byte[] value) {
      return disk.putIfAbsent(key, value);
    }

    @Override
    public void putAll(List<KeyValue<Bytes, byte[]>> entries) {
      disk.putAll(entries);
    }

    @Override
    public byte[] delete(Bytes key) {
      return disk.delete(key);
    }

    @Override
    public byte[] get(Bytes key) {
      return disk.get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
      return disk.range(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
      return disk.reverseRange(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
      return disk.all();
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseAll() {
      return disk.reverseAll();
    }

    @Override
    public <S extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(
        P prefix, S serializer) {
      return disk.prefixScan(prefix, serializer);
    }

    @Override
    public long approximateNumEntries() {
      return disk.approximateNumEntries();
    }
  }
}

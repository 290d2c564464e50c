package io.waterclock.runtime.state;

import io.waterclock.schemas.SafeLogger;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.StateAge;
import io.waterclock.topology.scheduler.store.StoredPosition;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.RocksDBKeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.internals.RocksDBStore;
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
    return new RocksDBKeyValueBytesStoreSupplier(name, false) {
      @Override
      public KeyValueStore<Bytes, byte[]> get() {
        return new AgedStore(name(), metricsScope());
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

  /** The store on disk, which returns no offset when it is too old. */
  private final class AgedStore extends RocksDBStore {
    private Optional<TaskId> task = Optional.empty();

    AgedStore(String name, String metricsScope) {
      super(name, metricsScope);
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
      super.init(context, root);
      task = Optional.of(context.taskId());
      if (name().equals(ProgressStore.NAME)) {
        progress.put(context.taskId(), new ProgressStore(this));
      }
    }

    @Override
    public synchronized void close() {
      if (name().equals(ProgressStore.NAME)) {
        task.ifPresent(progress::remove);
      }
      super.close();
    }

    @Override
    public @Nullable Long committedOffset(TopicPartition partition) {
      Long offset = super.committedOffset(partition);
      return offset == null || task.filter(AgedStores.this::mayBeUsed).isEmpty() ? null : offset;
    }
  }
}

package io.waterclock.runtime.state;

import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.StateAge;
import io.waterclock.topology.scheduler.store.StateCopy;
import io.waterclock.topology.scheduler.store.StoredPosition;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;

/**
 * What the stores of an instance share: their databases, which of them the transaction of a thread
 * has changed, and how old the state of a task is. The position shows the age of its store. That
 * store is written every few seconds, and notes how far the others of its task were then: one that
 * is behind that was put back from an older copy. Safe for all threads.
 */
final class SharedByStores {
  private static final Logger LOG = SafeLogger.of(SharedByStores.class);

  private final String applicationId;
  private final UnaryOperator<String> changelogIds;
  private final StoreFolders folders;
  private final StateAge age;
  private final Duration compactionAge;
  private final EarlyDatabases early = new EarlyDatabases(this::closeUnused);
  private final Map<TaskId, Map<String, StoreDatabase>> open = new ConcurrentHashMap<>();
  private final Map<TaskId, ProgressStore> progress = new ConcurrentHashMap<>();
  private final ThreadLocal<Map<StoreId, StoreDatabase>> changed =
      ThreadLocal.withInitial(LinkedHashMap::new);

  SharedByStores(
      String applicationId,
      UnaryOperator<String> changelogIds,
      StoreFolders folders,
      StateAge age,
      Duration compactionAge) {
    this.applicationId = applicationId;
    this.changelogIds = changelogIds;
    this.folders = folders;
    this.age = age;
    this.compactionAge = compactionAge;
  }

  /** The partition of the changelog that a store repeats. */
  private TopicPartition changelog(StoreId store) {
    return new TopicPartition(
        StateCopy.changelog(applicationId, store.name()), store.task().partition());
  }

  StoreDatabase open(StoreId store) {
    StoreDatabase database =
        early.take(store).orElseGet(() -> openOrReplace(store, folders.open(store)));
    of(store.task()).put(store.name(), database);
    return database;
  }

  private StoreDatabase openOrReplace(StoreId store, Path folder) {
    TopicPartition changelog = changelog(store);
    String log = changelogIds.apply(changelog.topic()) + "-" + changelog.partition();
    try {
      return new StoreDatabase(folder, log, compactionAge);
    } catch (DamagedStoreException e) {
      LOG.warn(
          "{}: the store {} on disk is deleted and restored from its changelog: {}",
          store.task(),
          store.name(),
          e.getMessage());
      folders.delete(store);
      return new StoreDatabase(folder, log, compactionAge);
    }
  }

  /** Opens a closed store without its rows. */
  StoreDatabase openEmpty(StoreId store) {
    forget(store);
    folders.delete(store);
    return open(store);
  }

  /** The store can be read. */
  void opened(StoreId store, KeyValueStore<Bytes, byte[]> rows) {
    if (isOfPosition(store)) {
      progress.put(store.task(), new ProgressStore(rows));
    }
  }

  void close(StoreId store, StoreDatabase database) {
    forget(store);
    if (isOfPosition(store)) {
      progress.remove(store.task());
    }
    early.keepOrClose(store, database);
  }

  private void forget(StoreId store) {
    of(store.task()).remove(store.name());
  }

  /** The open databases of a task, by the names of their stores. */
  private Map<String, StoreDatabase> of(TaskId task) {
    return open.computeIfAbsent(task, none -> new ConcurrentHashMap<>());
  }

  private void closeUnused(StoreId store, StoreDatabase database) {
    database.close();
    folders.close(store);
  }

  /** Closes the stores whose tasks other instances have. */
  void started() {
    early.end();
  }

  /** A store has its first change in the transaction of this stream thread. */
  void changing(StoreId store, StoreDatabase database) {
    changed.get().put(store, database);
  }

  /** A store has no changes any more. */
  void unchanged(StoreId store) {
    changed.get().remove(store);
  }

  /** Writes what the committed transaction of this stream thread has changed. */
  void committed(Map<TopicPartition, Long> ends) {
    end(
        (store, database) -> {
          if (!database.isAbandoned()) {
            noteOthers(store, database);
            Long end = ends.get(changelog(store));
            database.commit(end == null ? OptionalLong.empty() : OptionalLong.of(end));
          }
        });
  }

  /** Forgets what this stream thread has changed. Kafka Streams will close these stores. */
  void aborted() {
    end((store, database) -> database.abandon());
  }

  /** Ends the transaction of this stream thread in each store that it has changed. */
  private void end(BiConsumer<StoreId, StoreDatabase> ending) {
    Map<StoreId, StoreDatabase> stores = changed.get();
    stores.forEach(
        (store, database) -> {
          if (of(store.task()).get(store.name()) == database) { // else another thread has closed it
            ending.accept(store, database);
          }
        });
    stores.clear();
  }

  /** The position's store notes how far the other stores of its task are. */
  private void noteOthers(StoreId store, StoreDatabase database) {
    if (isOfPosition(store)) {
      of(store.task())
          .forEach(
              (name, other) -> {
                if (other != database) {
                  other.offset().ifPresent(at -> database.note(name, at));
                }
              });
    }
  }

  /** Sees that the stores of a task are deleted before any process opens them again. */
  void distrust(TaskId task) {
    Optional<ProcessorStateException> failure = Optional.empty();
    for (StoreDatabase store : of(task).values()) {
      try {
        store.markAsDamaged();
      } catch (ProcessorStateException e) {
        failure = Optional.of(e); // the others are marked all the same
      }
    }
    failure.ifPresent(
        e -> {
          throw e;
        });
  }

  private static boolean isOfPosition(StoreId store) {
    return store.name().equals(ProgressStore.NAME);
  }

  /** Whether a store is young enough. */
  boolean mayBeUsed(StoreId store, OptionalLong offset) {
    return isYoung(store) && !isOlderThanOthers(store, offset);
  }

  private boolean isOlderThanOthers(StoreId store, OptionalLong offset) {
    OptionalLong noted =
        Optional.ofNullable(of(store.task()).get(ProgressStore.NAME))
            .map(position -> position.noted(store.name()))
            .orElse(OptionalLong.empty());
    boolean isOlder = noted.isPresent() && offset.orElse(-1) < noted.getAsLong();
    if (isOlder) {
      LOG.warn(
          "{}: the store {} on disk is older than the others, so it is restored from nothing",
          store.task(),
          store.name());
    }
    return isOlder;
  }

  /** Logs a refusal once for all stores of the task. */
  private boolean isYoung(StoreId store) {
    Optional<Instant> writtenAt =
        Optional.ofNullable(progress.get(store.task()))
            .flatMap(ProgressStore::position)
            .map(StoredPosition::clockMs)
            .map(Instant::ofEpochMilli);
    Optional<String> objection = age.objection(writtenAt);
    if (objection.isPresent() && isOfPosition(store)) {
      LOG.info(
          "{}: the state on disk {}: the changelogs may no longer hold the deletes since then, so"
              + " it is restored from nothing",
          store.task(),
          objection.get());
    }
    return objection.isEmpty();
  }
}

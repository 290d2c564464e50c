package io.waterclock.runtime.state;

import io.waterclock.runtime.state.EarlyDatabases.StoreId;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.StateAge;
import io.waterclock.topology.scheduler.store.StateCopy;
import io.waterclock.topology.scheduler.store.StoredPosition;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;

/**
 * What the stores of an instance share: their folders, which of them the transaction of a thread
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
  private final EarlyDatabases early = new EarlyDatabases(this::close);
  private final Map<TaskId, Map<String, StoreDatabase>> open = new ConcurrentHashMap<>();
  private final Map<TaskId, ProgressStore> progress = new ConcurrentHashMap<>();
  private final ThreadLocal<Set<Uncommitted>> changed = ThreadLocal.withInitial(LinkedHashSet::new);

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

  String changelog(String store) {
    return StateCopy.changelog(applicationId, store);
  }

  StoreDatabase open(TaskId task, String store) {
    StoreDatabase database =
        early
            .take(new StoreId(task, store))
            .orElseGet(() -> openOrReplace(task, store, folders.open(task, store)));
    open.computeIfAbsent(task, none -> new ConcurrentHashMap<>()).put(store, database);
    return database;
  }

  private StoreDatabase openOrReplace(TaskId task, String store, Path folder) {
    String log = changelogIds.apply(changelog(store)) + "-" + task.partition();
    try {
      return new StoreDatabase(folder, log, compactionAge);
    } catch (DamagedStoreException e) {
      LOG.warn(
          "{}: the store {} on disk is deleted and restored from its changelog: {}",
          task,
          store,
          e.getMessage());
      folders.delete(task, store);
      return new StoreDatabase(folder, log, compactionAge);
    }
  }

  /** Opens a closed store without its rows. */
  StoreDatabase openEmpty(TaskId task, String store) {
    forget(task, store);
    folders.delete(task, store);
    return open(task, store);
  }

  void opened(TaskId task, KeyValueStore<Bytes, byte[]> store) {
    if (store.name().equals(ProgressStore.NAME)) {
      progress.put(task, new ProgressStore(store));
    }
  }

  void close(TaskId task, String store, StoreDatabase database) {
    forget(task, store);
    if (store.equals(ProgressStore.NAME)) {
      progress.remove(task);
    }
    early.keepOrClose(new StoreId(task, store), database);
  }

  private void forget(TaskId task, String store) {
    Optional.ofNullable(open.get(task)).ifPresent(its -> its.remove(store));
  }

  private void close(StoreId store, StoreDatabase database) {
    database.close();
    folders.close(store.task(), store.name());
  }

  /** Closes the stores whose tasks other instances have. */
  void started() {
    early.end();
  }

  /** A store has its first change in the transaction of this stream thread. */
  void changing(Uncommitted store) {
    changed.get().add(store);
  }

  /** A store has no changes any more. */
  void unchanged(Uncommitted store) {
    changed.get().remove(store);
  }

  /** Ends the transaction of this stream thread in each store that it has changed. */
  void end(Consumer<Uncommitted> ending) {
    Set<Uncommitted> stores = changed.get();
    stores.forEach(ending);
    stores.clear();
  }

  /** The position's store notes how far the other stores of its task are. */
  void committing(TaskId task, String store, StoreDatabase database) {
    if (store.equals(ProgressStore.NAME)) {
      open.getOrDefault(task, Map.of())
          .forEach(
              (name, other) -> {
                if (other != database) {
                  other.offset().ifPresent(at -> database.note(name, at));
                }
              });
    }
  }

  /** Whether a task's store is young enough. */
  boolean mayBeUsed(TaskId task, String store, OptionalLong offset) {
    return isYoung(task, store) && !isOlderThanOthers(task, store, offset);
  }

  private boolean isOlderThanOthers(TaskId task, String store, OptionalLong offset) {
    OptionalLong noted =
        Optional.ofNullable(open.getOrDefault(task, Map.of()).get(ProgressStore.NAME))
            .map(position -> position.noted(store))
            .orElse(OptionalLong.empty());
    boolean isOlder = noted.isPresent() && offset.orElse(-1) < noted.getAsLong();
    if (isOlder) {
      LOG.warn(
          "{}: the store {} on disk is older than the others, so it is restored from nothing",
          task,
          store);
    }
    return isOlder;
  }

  /** Logs a refusal once for all stores of the task. */
  private boolean isYoung(TaskId task, String store) {
    Optional<Instant> writtenAt =
        Optional.ofNullable(progress.get(task))
            .flatMap(ProgressStore::position)
            .map(StoredPosition::clockMs)
            .map(Instant::ofEpochMilli);
    Optional<String> objection = age.objection(writtenAt);
    if (objection.isPresent() && store.equals(ProgressStore.NAME)) {
      LOG.info(
          "{}: the state on disk {}: the changelogs may no longer hold the deletes since then, so"
              + " it is restored from nothing",
          task,
          objection.get());
    }
    return objection.isEmpty();
  }
}

package io.waterclock.sim.node;

import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.kafka.common.utils.Bytes;

/** The stores of a task. Each has a changelog, from which it is restored. */
final class LoggedStores {
  private static final int RESTORE = 2_000;

  private final StreamTask.Host thread;
  private final int partition;
  private final Map<String, LoggedStore> stores = new LinkedHashMap<>();
  private final Map<String, Long> restored = new HashMap<>();
  private final Map<String, Long> restoreTo = new HashMap<>();

  /** Empty ones. */
  LoggedStores(StreamTask.Host thread, int partition, List<String> names) {
    this.thread = thread;
    this.partition = partition;
    for (String name : names) {
      stores.put(
          name,
          new LoggedStore(
              name, thread.environment().fault(), (key, value) -> log(name, key, value)));
      restored.put(name, changelog(name).start());
      restoreTo.put(name, changelog(name).highWatermark());
    }
  }

  /** Takes what was on the disk. */
  void take(TaskState found) {
    found.stores().forEach((name, rows) -> rows.forEach(get(name)::restore));
    get(ScheduleStore.NAME).dueIndex().become(found.index());
    restored.putAll(found.offsets());
  }

  /**
   * What stays on the disk.
   *
   * @param isRestored whether they have all of their changelogs
   */
  TaskState leave(boolean isRestored) {
    Map<String, SortedMap<Bytes, byte[]>> copies = new HashMap<>();
    Map<String, Long> offsets = new HashMap<>(restored);
    stores.forEach(
        (name, store) -> {
          copies.put(name, store.copy());
          if (isRestored) {
            offsets.put(name, changelog(name).highWatermark());
          }
        });
    return new TaskState(copies, get(ScheduleStore.NAME).dueIndex(), offsets);
  }

  LoggedStore get(String name) {
    return Optional.ofNullable(stores.get(name)).orElseThrow();
  }

  /** Restores some; true when all is restored. */
  boolean restoreSome() {
    boolean isDone = true;
    for (String name : stores.keySet()) {
      long from = restored.getOrDefault(name, 0L);
      long to = restoreTo.getOrDefault(name, 0L);
      if (from < to) {
        PartitionLog log = changelog(name);
        PartitionLog.Fetched fetched = log.fetch(Math.max(from, log.start()), RESTORE);
        for (LogRecord record : fetched.records()) {
          if (thread.environment().fault().restores(name, record)) {
            get(name).restore(Bytes.wrap(record.key()), record.value().orElse(null));
          }
        }
        restored.put(name, fetched.next());
        isDone &= fetched.next() >= to;
      }
    }
    return isDone;
  }

  private Place place(String store) {
    return new Place(TaskEnvironment.changelog(store), partition);
  }

  private PartitionLog changelog(String store) {
    return thread.environment().broker().log(place(store));
  }

  private void log(String store, Bytes key, Optional<byte[]> value) {
    TaskEnvironment environment = thread.environment();
    environment
        .fault()
        .log(store, key, value)
        .ifPresent(
            logged ->
                thread.append(
                    place(store), Message.of(key.get(), logged, environment.now().getAsLong())));
  }
}

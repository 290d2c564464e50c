package io.waterclock.topology.scheduler.task;

import io.waterclock.decide.Decider;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.Timetables;
import io.waterclock.topology.scheduler.store.DueIndex;
import io.waterclock.topology.scheduler.store.MemoryDueIndex;
import io.waterclock.topology.scheduler.store.Position;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import io.waterclock.topology.scheduler.store.States;
import io.waterclock.topology.scheduler.store.StoredPosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** Compares an index with one that is made from the stores. */
final class IndexCheck {
  private IndexCheck() {}

  /** The schedules that a task would find too late in an index, if it began with these stores. */
  static List<String> tooLate(Map<String, Map<Bytes, byte[]>> stores, MemoryDueIndex index) {
    List<String> found = new ArrayList<>();
    if (index.stamp().isEmpty()) {
      return found; // the task reads all definitions
    }
    ProgressStore progress = new ProgressStore(filled(stores, ProgressStore.NAME));
    Timetables tables = new Timetables();
    States states =
        new States(new ScheduleStore(filled(stores, ScheduleStore.NAME)), progress, tables);
    Decider decider = new Decider(tables, Duration.ofHours(1));
    Position position =
        progress.position().map(StoredPosition::position).orElse(Position.throughAllAt(0));
    for (States.Row row : states.slice(Optional.empty(), Integer.MAX_VALUE).rows()) {
      byte[] id = row.id().utf8();
      if (row.hasProgress() || progress.dropped(id).isPresent()) {
        continue; // the task reads it first
      }
      Optional<Pending> pending = decider.pending(states.load(row, position));
      if (pending.filter(at -> !hasEntry(index, id, at.due().toEpochMilli())).isPresent()) {
        found.add(
            row.id() + " waits for " + pending.get().next() + ", and " + position + " is decided");
      }
    }
    return found;
  }

  private static boolean hasEntry(MemoryDueIndex index, byte[] id, long dueMs) {
    DueIndex.Entry first = DueIndex.Entry.before(DueIndex.ALWAYS);
    return index.range(first, dueMs + 1, Integer.MAX_VALUE).stream()
        .anyMatch(entry -> Arrays.equals(entry.id(), id));
  }

  private static KeyValueStore<Bytes, byte[]> filled(
      Map<String, Map<Bytes, byte[]>> stores, String name) {
    KeyValueStore<Bytes, byte[]> store = Stores.inMemoryKeyValueStore(name).get();
    stores.getOrDefault(name, Map.of()).forEach(store::put);
    return store;
  }
}

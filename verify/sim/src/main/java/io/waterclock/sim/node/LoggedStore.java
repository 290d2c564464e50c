package io.waterclock.sim.node;

import io.waterclock.topology.scheduler.store.IndexedMemoryStore;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/** A store in memory that sends each write to its changelog. */
final class LoggedStore extends IndexedMemoryStore {
  private final BiConsumer<Bytes, Optional<byte[]>> changelog;
  private final Fault fault;

  LoggedStore(String name, Fault fault, BiConsumer<Bytes, Optional<byte[]>> changelog) {
    super(name);
    this.fault = fault;
    this.changelog = changelog;
  }

  /** Writes without the changelog. */
  void restore(Bytes key, byte @Nullable [] value) {
    super.put(key, value);
    if (value != null) {
      restored(List.of(key.get()));
    }
  }

  SortedMap<Bytes, byte[]> copy() {
    TreeMap<Bytes, byte[]> copy = new TreeMap<>();
    try (KeyValueIterator<Bytes, byte[]> all = all()) {
      all.forEachRemaining(row -> copy.put(row.key, row.value));
    }
    return copy;
  }

  @Override
  public synchronized void put(Bytes key, byte @Nullable [] value) {
    Optional<Optional<byte[]>> kept = fault.put(name(), key, Optional.ofNullable(value));
    if (kept.isPresent()) {
      super.put(key, kept.get().orElse(null));
      changelog.accept(key, kept.get());
    }
  }

  @Override
  public synchronized byte @Nullable [] putIfAbsent(Bytes key, byte[] value) {
    byte[] before = get(key);
    if (before == null) {
      put(key, value);
    }
    return before;
  }

  @Override
  public synchronized void putAll(List<KeyValue<Bytes, byte[]>> rows) {
    rows.forEach(row -> put(row.key, row.value));
  }

  @Override
  public synchronized byte @Nullable [] delete(Bytes key) {
    byte[] before = get(key);
    put(key, null);
    return before;
  }
}

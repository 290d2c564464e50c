package io.waterclock.sim.node;

import io.waterclock.topology.scheduler.store.DueIndex;
import io.waterclock.topology.scheduler.store.IndexedMemoryStore;
import io.waterclock.topology.scheduler.store.MemoryDueIndex;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** A store in memory that sends each write to its changelog. */
final class LoggedStore implements KeyValueStore<Bytes, byte[]>, DueIndex.Indexed {
  private final IndexedMemoryStore content;
  private final BiConsumer<Bytes, Optional<byte[]>> changelog;
  private final Fault fault;

  LoggedStore(String name, Fault fault, BiConsumer<Bytes, Optional<byte[]>> changelog) {
    this.fault = fault;
    this.content = new IndexedMemoryStore(name);
    this.changelog = changelog;
  }

  /** Writes without the changelog. */
  void restore(Bytes key, byte @Nullable [] value) {
    content.put(key, value);
    if (value != null) {
      content.restored(List.of(key.get()));
    }
  }

  @Override
  public MemoryDueIndex dueIndex() {
    return content.dueIndex();
  }

  SortedMap<Bytes, byte[]> copy() {
    TreeMap<Bytes, byte[]> copy = new TreeMap<>();
    try (KeyValueIterator<Bytes, byte[]> all = content.all()) {
      all.forEachRemaining(row -> copy.put(row.key, row.value));
    }
    return copy;
  }

  @Override
  public void put(Bytes key, byte @Nullable [] value) {
    Optional<Optional<byte[]>> kept = fault.put(name(), key, Optional.ofNullable(value));
    if (kept.isPresent()) {
      content.put(key, kept.get().orElse(null));
      changelog.accept(key, kept.get());
    }
  }

  @Override
  public byte @Nullable [] putIfAbsent(Bytes key, byte[] value) {
    byte[] before = get(key);
    if (before == null) {
      put(key, value);
    }
    return before;
  }

  @Override
  public void putAll(List<KeyValue<Bytes, byte[]>> rows) {
    rows.forEach(row -> put(row.key, row.value));
  }

  @Override
  public byte @Nullable [] delete(Bytes key) {
    byte[] before = get(key);
    put(key, null);
    return before;
  }

  @Override
  public byte @Nullable [] get(Bytes key) {
    return content.get(key);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> range(@Nullable Bytes from, @Nullable Bytes to) {
    return content.range(from, to);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> reverseRange(@Nullable Bytes from, @Nullable Bytes to) {
    return content.reverseRange(from, to);
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> all() {
    return content.all();
  }

  @Override
  public KeyValueIterator<Bytes, byte[]> reverseAll() {
    return content.reverseAll();
  }

  @Override
  public <S extends Serializer<P>, P> KeyValueIterator<Bytes, byte[]> prefixScan(
      P prefix, S serializer) {
    return content.prefixScan(prefix, serializer);
  }

  @Override
  public long approximateNumEntries() {
    return content.approximateNumEntries();
  }

  @Override
  public String name() {
    return content.name();
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    // is open from the start
  }

  @Override
  public void close() {
    // holds no resources
  }

  @Override
  public boolean persistent() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return true;
  }
}

package io.waterclock.topology.scheduler.store;

import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;

public final class MemoryDueIndex implements DueIndex {
  private final NavigableSet<Bytes> keys = new TreeSet<>();
  private Optional<byte[]> stamp = Optional.empty();

  /** Takes over the content of another. */
  public void become(MemoryDueIndex other) {
    keys.clear();
    keys.addAll(other.keys);
    stamp = other.stamp;
  }

  @Override
  public void put(Entry entry) {
    keys.add(Bytes.wrap(entry.key()));
  }

  @Override
  public void delete(Entry entry) {
    keys.remove(Bytes.wrap(entry.key()));
  }

  @Override
  public boolean contains(Entry entry) {
    return keys.contains(Bytes.wrap(entry.key()));
  }

  @Override
  public List<Entry> range(Entry after, long beforeMs, int limit) {
    Bytes from = Bytes.wrap(after.key());
    Bytes to = Bytes.wrap(Entry.before(beforeMs).key());
    if (from.compareTo(to) >= 0) {
      return List.of();
    }
    return keys.subSet(from, false, to, false).stream()
        .limit(limit)
        .map(key -> Entry.ofKey(key.get()))
        .toList();
  }

  @Override
  public Optional<byte[]> stamp() {
    return stamp;
  }

  @Override
  public void stamp(byte[] newStamp) {
    stamp = Optional.of(newStamp);
  }

  @Override
  public void clear() {
    keys.clear();
    stamp = Optional.empty();
  }

  @Override
  public void build(List<Entry> entries) {
    entries.forEach(this::put);
  }
}

package io.waterclock.topology.scheduler.store;

import java.util.Collection;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.internals.InMemoryKeyValueStore;

/**
 * A store in memory that has an index of its rows, as the one on disk has: for test kits, whose
 * tasks come and go while their stores stay.
 */
public class IndexedMemoryStore extends InMemoryKeyValueStore implements DueIndex.Indexed {
  private final MemoryDueIndex index = new MemoryDueIndex();

  public IndexedMemoryStore(String name) {
    super(name);
  }

  public static KeyValueBytesStoreSupplier supplier(String name) {
    return new KeyValueBytesStoreSupplier() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public KeyValueStore<Bytes, byte[]> get() {
        return new IndexedMemoryStore(name);
      }

      @Override
      public String metricsScope() {
        return "in-memory";
      }
    };
  }

  @Override
  public MemoryDueIndex dueIndex() {
    return index;
  }

  /** Notes that rows were put past the task, as a restored changelog does. */
  public void restored(Collection<byte[]> ids) {
    if (index.stamp().isPresent()) {
      index.build(ids.stream().map(id -> new DueIndex.Entry(DueIndex.ALWAYS, id)).toList());
    }
  }
}

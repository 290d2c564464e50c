package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.topology.scheduler.store.HeldRecordStore;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.StateCopy;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

final class StateCopyTest {

  @Test
  void what_is_parked_is_seen_until_it_waits_no_longer() {
    KeyValueStore<Bytes, byte[]> progress = Stores.inMemoryKeyValueStore(ProgressStore.NAME).get();
    HeldRecordStore parked = new HeldRecordStore(progress);
    parked.put(new HeldRecordStore.Row(7, new byte[] {1}));
    parked.put(new HeldRecordStore.Row(8, new byte[] {2}));
    StateCopy copy = new StateCopy();
    try (KeyValueIterator<Bytes, byte[]> all = progress.all()) {
      all.forEachRemaining(row -> copy.takeProgress(row.key.get(), row.value));
    }
    assertThat(copy.heldRecords()).isEqualTo(2);

    parked.delete(7);
    try (KeyValueIterator<Bytes, byte[]> all = progress.all()) {
      Bytes left = all.next().key;
      copy.takeProgress(left.get(), null);
    }
    assertThat(copy.heldRecords()).isEqualTo(1);
  }
}

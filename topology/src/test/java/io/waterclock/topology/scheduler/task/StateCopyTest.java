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
  void held_records_are_counted_until_they_are_released() {
    KeyValueStore<Bytes, byte[]> progress = Stores.inMemoryKeyValueStore(ProgressStore.NAME).get();
    HeldRecordStore held = new HeldRecordStore(progress, HeldRecordStore.Until.SCHEMA);
    held.put(new HeldRecordStore.Row(7, new byte[] {1}));
    held.put(new HeldRecordStore.Row(8, new byte[] {2}));
    StateCopy copy = new StateCopy();
    try (KeyValueIterator<Bytes, byte[]> all = progress.all()) {
      all.forEachRemaining(row -> copy.takeProgress(row.key.get(), row.value));
    }
    assertThat(copy.heldRecords()).isEqualTo(2);

    held.delete(7, 1);
    try (KeyValueIterator<Bytes, byte[]> all = progress.all()) {
      Bytes left = all.next().key;
      copy.takeProgress(left.get(), null);
    }
    assertThat(copy.heldRecords()).isEqualTo(1);
  }

  @Test
  void records_are_counted_that_wait_until_the_inputs_are_read() {
    KeyValueStore<Bytes, byte[]> progress = Stores.inMemoryKeyValueStore(ProgressStore.NAME).get();
    HeldRecordStore held = new HeldRecordStore(progress, HeldRecordStore.Until.EARLIER);
    held.put(new HeldRecordStore.Row(7, new byte[] {1}));
    StateCopy copy = new StateCopy();
    try (KeyValueIterator<Bytes, byte[]> all = progress.all()) {
      all.forEachRemaining(row -> copy.takeProgress(row.key.get(), row.value));
    }
    assertThat(copy.unreadRecords()).isEqualTo(1);
    assertThat(copy.heldRecords()).isZero();
  }
}

package io.waterclock.runtime.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.topology.scheduler.store.Position;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import io.waterclock.topology.scheduler.store.StateAge;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Kafka Streams does to a store, in the orders that it uses. */
final class CommittedStoreTest {
  private static final TopicPartition CHANGELOG = new TopicPartition("app-progress-changelog", 3);
  private static final Bytes KEY = Bytes.wrap("key".getBytes(UTF_8));
  private static final long UNKNOWN = -4;
  private static final Duration OLDEST = Duration.ofHours(12);

  @TempDir Path dir;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private String generation = "-first";

  @Test
  void a_committed_transaction_survives_a_dirty_close() {
    LocalStores stores = stores();
    KeyValueStore<Bytes, byte[]> store = openWithOne(stores);
    put(store, "two");
    store.close();
    try (Closing again = new Closing(open(stores()))) {
      assertThat(again.value()).isEqualTo("one");
      assertThat(again.store().committedOffset(CHANGELOG)).isEqualTo(17);
    }
  }

  /** Kafka Streams commits the stores of a task that it could not commit, before it closes them. */
  @Test
  void offsets_of_kafka_streams_do_not_make_changes_lasting() {
    LocalStores stores = stores();
    KeyValueStore<Bytes, byte[]> store = open(stores);
    put(store, "one");
    store.commit(Map.of(CHANGELOG, 18L));
    store.close();
    try (Closing again = new Closing(open(stores()))) {
      assertThat(again.value()).isNull();
      assertThat(again.store().committedOffset(CHANGELOG)).isEqualTo(UNKNOWN);
    }
  }

  @Test
  void an_aborted_transaction_leaves_no_trace() {
    LocalStores stores = stores();
    KeyValueStore<Bytes, byte[]> store = open(stores);
    put(store, "one");
    stores.aborted();
    put(store, "two");
    stores.committed(Map.of(CHANGELOG, 20L));
    store.close();
    try (Closing again = new Closing(open(stores()))) {
      assertThat(again.value()).isNull();
      assertThat(again.store().committedOffset(CHANGELOG)).isEqualTo(UNKNOWN);
    }
  }

  @Test
  void a_transaction_leaves_a_store_alone_that_another_thread_has_closed() throws Exception {
    LocalStores stores = stores();
    KeyValueStore<Bytes, byte[]> store = openWithOne(stores);
    put(store, "two");
    Thread closing = new Thread(store::close);
    closing.start();
    closing.join();
    stores.committed(Map.of(CHANGELOG, 18L));
    try (Closing again = new Closing(open(stores()))) {
      assertThat(again.value()).isEqualTo("one");
      assertThat(again.store().committedOffset(CHANGELOG)).isEqualTo(17);
    }
  }

  @Test
  void a_commit_without_offsets_deletes_what_the_changelog_no_longer_explains() {
    LocalStores stores = stores();
    KeyValueStore<Bytes, byte[]> store = openWithOne(stores);
    store.commit(Map.of());
    assertThat(store.get(KEY)).isNull();
    assertThat(store.committedOffset(CHANGELOG)).isEqualTo(UNKNOWN);
    store.close();
  }

  @Test
  void a_transaction_of_other_stores_leaves_the_offset_as_it_is() {
    LocalStores stores = stores();
    KeyValueStore<Bytes, byte[]> store = openWithOne(stores);
    stores.committed(Map.of(new TopicPartition("app-schedules-changelog", 3), 99L));
    assertThat(store.committedOffset(CHANGELOG)).isEqualTo(17);
    store.close();
  }

  @Test
  void a_store_that_is_too_old_starts_from_nothing() {
    LocalStores stores = stores();
    KeyValueStore<Bytes, byte[]> store = openWithOne(stores);
    store.close();
    now = now.plus(OLDEST).plusMillis(1);
    try (Closing again = new Closing(open(stores()))) {
      assertThat(again.store().committedOffset(CHANGELOG)).isEqualTo(UNKNOWN);
      assertThat(again.value()).isNull();
    }
  }

  /** The update after the silence may have brought a position that looks young. */
  @Test
  void a_standby_that_heard_nothing_for_too_long_starts_from_nothing() {
    LocalStores stores = stores();
    KeyValueStore<Bytes, byte[]> store = openWithOne(stores);
    stores.standbys().onUpdateStart(CHANGELOG, ProgressStore.NAME, 17);
    now = now.plus(OLDEST).plusMillis(1);
    new ProgressStore(store).putPosition(Position.before(0), now.toEpochMilli());
    stores.committed(Map.of(CHANGELOG, 18L));
    assertThatThrownBy(
            () ->
                stores
                    .standbys()
                    .onBatchLoaded(CHANGELOG, ProgressStore.NAME, new TaskId(0, 3), 18, 1, 18))
        .isInstanceOf(TaskCorruptedException.class);
    store.close();
    try (Closing again = new Closing(open(stores))) {
      assertThat(again.value()).isNull();
      assertThat(again.store().committedOffset(CHANGELOG)).isEqualTo(UNKNOWN);
    }
  }

  @Test
  void a_store_of_a_changelog_that_was_made_anew_is_empty() {
    openWithOne(stores()).close();
    generation = "-second";
    try (Closing again = new Closing(open(stores()))) {
      assertThat(again.store().committedOffset(CHANGELOG)).isEqualTo(UNKNOWN);
      assertThat(again.value()).isNull();
    }
    openWithOne(stores()).close();
    try (Closing again = new Closing(open(stores()))) {
      assertThat(again.value()).isEqualTo("one");
    }
  }

  @Test
  void a_store_that_was_copied_from_another_partition_is_empty() throws IOException {
    openWithOne(stores()).close();
    Files.move(dir.resolve("app/stores/0_3"), dir.resolve("app/stores/0_5"));
    TaskId other = new TaskId(0, 5);
    try (Closing copy = new Closing(open(stores(), ProgressStore.NAME, other))) {
      assertThat(copy.store().committedOffset(new TopicPartition(CHANGELOG.topic(), 5)))
          .isEqualTo(UNKNOWN);
      assertThat(copy.value()).isNull();
    }
  }

  @Test
  void a_store_of_an_older_copy_than_the_others_is_empty() throws IOException {
    TopicPartition schedules = new TopicPartition("app-schedules-changelog", 3);
    commitBoth(Map.of(schedules, 5L, CHANGELOG, 17L));
    Path folder = dir.resolve("app/stores/0_3/schedules");
    Path copy = Files.createDirectory(dir.resolve("copy"));
    copy(folder, copy);
    commitBoth(Map.of(CHANGELOG, 18L));
    assertThat(offsetOfSchedules(schedules)).isEqualTo(5);
    commitBoth(Map.of(schedules, 6L));
    commitBoth(Map.of(CHANGELOG, 19L));
    Utils.delete(folder.toFile());
    copy(copy, Files.createDirectory(folder));
    assertThat(offsetOfSchedules(schedules)).isEqualTo(UNKNOWN);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
      for (Path file : files) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private void commitBoth(Map<TopicPartition, Long> ends) {
    LocalStores stores = stores();
    try (Closing schedules = new Closing(open(stores, ScheduleStore.NAME));
        Closing progress = new Closing(open(stores))) {
      schedules.store().put(KEY, new byte[0]);
      put(progress.store(), "one");
      stores.committed(ends);
    }
  }

  private Long offsetOfSchedules(TopicPartition changelog) {
    LocalStores stores = stores();
    try (Closing schedules = new Closing(open(stores, ScheduleStore.NAME));
        Closing progress = new Closing(open(stores))) {
      assertThat(progress.store().committedOffset(CHANGELOG)).isPositive();
      return schedules.store().committedOffset(changelog);
    }
  }

  @Test
  void a_store_stays_open_while_the_instance_starts() {
    LocalStores stores = starting();
    KeyValueStore<Bytes, byte[]> store = openWithOne(stores);
    put(store, "two");
    store.close();
    assertThatThrownBy(() -> open(stores())).isInstanceOf(ProcessorStateException.class);
    try (Closing again = new Closing(open(stores))) {
      assertThat(again.value()).isEqualTo("one");
      assertThat(again.store().committedOffset(CHANGELOG)).isEqualTo(17);
    }
    stores.started();
    try (Closing elsewhere = new Closing(open(stores()))) {
      assertThat(elsewhere.value()).isEqualTo("one");
    }
  }

  @Test
  void a_store_that_could_not_be_emptied_is_opened_again_in_the_same_start() throws IOException {
    LocalStores stores = starting();
    KeyValueStore<Bytes, byte[]> store = openWithOne(stores);
    Path folder = dir.resolve("app/stores");
    Path elsewhere = Files.move(folder, dir.resolve("elsewhere"));
    Files.createFile(folder); // in which nothing can be deleted
    assertThatThrownBy(() -> store.commit(Map.of())).isInstanceOf(UncheckedIOException.class);
    store.close();
    Files.delete(folder);
    Files.move(elsewhere, folder);
    try (Closing again = new Closing(open(stores))) {
      assertThat(again.value()).isEqualTo("one");
    }
    stores.started();
  }

  @Test
  void a_damaged_store_is_deleted_when_it_is_opened() throws IOException {
    openWithOne(stores()).close();
    Files.writeString(dir.resolve("app/stores/0_3/progress/CURRENT"), "garbage");
    try (Closing again = new Closing(open(stores()))) {
      assertThat(again.value()).isNull();
      assertThat(again.store().committedOffset(CHANGELOG)).isEqualTo(UNKNOWN);
    }
  }

  /** The store of progress is read when it is opened. */
  @Test
  void damage_that_is_found_on_the_way_ends_with_an_empty_store() throws IOException {
    closeLarge(ProgressStore.NAME);
    flipRows(ProgressStore.NAME);
    try (Closing again = new Closing(open(stores()))) {
      assertThat(again.value()).isNull();
      assertThat(again.store().committedOffset(CHANGELOG)).isEqualTo(UNKNOWN);
    }
  }

  /** An open database of a start is used again; one that is damaged is not. */
  @Test
  void damage_that_a_reader_finds_ends_with_the_next_open_of_the_same_start() throws IOException {
    closeLarge(ScheduleStore.NAME);
    flipRows(ScheduleStore.NAME);
    LocalStores stores = starting();
    KeyValueStore<Bytes, byte[]> damaged = open(stores, ScheduleStore.NAME);
    assertThatThrownBy(() -> damaged.get(KEY)).isInstanceOf(DamagedStoreException.class);
    damaged.close();
    try (Closing again = new Closing(open(stores, ScheduleStore.NAME))) {
      assertThat(again.value()).isNull();
    }
    stores.started();
  }

  /** With more than RocksDB keeps in memory. */
  private void closeLarge(String name) {
    LocalStores stores = stores();
    KeyValueStore<Bytes, byte[]> store = open(stores, name);
    TopicPartition changelog = new TopicPartition("app-" + name + "-changelog", 3);
    for (long offset = 0; offset < 6; offset++) {
      store.put(offset == 0 ? KEY : Bytes.wrap(new byte[] {(byte) offset}), new byte[5_000_000]);
      stores.committed(Map.of(changelog, offset));
    }
    store.close();
  }

  /** The blocks of rows, but not what is read when a file is opened. */
  private void flipRows(String name) throws IOException {
    int files = 0;
    try (DirectoryStream<Path> tables =
        Files.newDirectoryStream(dir.resolve("app/stores/0_3").resolve(name), "*.sst")) {
      for (Path table : tables) {
        byte[] bytes = Files.readAllBytes(table);
        if (bytes.length > 1_000_000) {
          for (int i = 0; i < bytes.length / 2; i += 50) {
            bytes[i] ^= 0x55;
          }
          Files.write(table, bytes);
          files++;
        }
      }
    }
    assertThat(files).isPositive();
  }

  private record Closing(KeyValueStore<Bytes, byte[]> store) implements AutoCloseable {
    @Nullable String value() {
      byte[] value = store.get(KEY);
      return value == null ? null : new String(value, UTF_8);
    }

    @Override
    public void close() {
      store.close();
    }
  }

  /** A store of which Kafka has committed "one", at offset 17. */
  private KeyValueStore<Bytes, byte[]> openWithOne(LocalStores stores) {
    KeyValueStore<Bytes, byte[]> store = open(stores);
    put(store, "one");
    stores.committed(Map.of(CHANGELOG, 17L));
    return store;
  }

  private LocalStores stores() {
    LocalStores stores = starting();
    stores.started();
    return stores;
  }

  private LocalStores starting() {
    return new LocalStores(
        new LocalStores.Disk(dir, "app", Duration.ofMinutes(10), Duration.ofHours(1)),
        changelog -> changelog + generation,
        new StateAge(OLDEST, () -> now));
  }

  private KeyValueStore<Bytes, byte[]> open(LocalStores stores) {
    return open(stores, ProgressStore.NAME);
  }

  private KeyValueStore<Bytes, byte[]> open(LocalStores stores, String name) {
    return open(stores, name, new TaskId(0, 3));
  }

  private KeyValueStore<Bytes, byte[]> open(LocalStores stores, String name, TaskId task) {
    KeyValueStore<Bytes, byte[]> store = stores.apply(name).get();
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "app");
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
    var context =
        new MockProcessorContext<Void, Void>(
            settings, task, dir.resolve("app").resolve(task.toString()).toFile());
    store.init(context.getStateStoreContext(), store);
    return store;
  }

  /** As the scheduler does: with its clock. */
  private void put(KeyValueStore<Bytes, byte[]> store, String value) {
    store.put(KEY, value.getBytes(UTF_8));
    new ProgressStore(store).putPosition(Position.before(0), now.toEpochMilli());
  }
}

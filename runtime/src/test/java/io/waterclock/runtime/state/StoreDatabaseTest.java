package io.waterclock.runtime.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.internals.metrics.RocksDBMetricsRecorder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Cache;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;

final class StoreDatabaseTest {
  private static final int STEPS = 300;

  @TempDir Path dir;

  @Test
  void changes_are_read_at_once_and_last_once_committed() {
    try (StoreDatabase rows = open("rows")) {
      rows.put(key(1), value(1));
      rows.commit(OptionalLong.of(7));
      rows.put(key(1), null);
      rows.put(key(2), value(2));
      assertThat(all(rows)).containsExactly(Map.entry("2", "2"));
    }
    try (StoreDatabase rows = open("rows")) {
      assertThat(all(rows)).containsExactly(Map.entry("1", "1"));
      assertThat(rows.offset()).hasValue(7);
    }
  }

  @Test
  void a_range_has_both_its_ends() {
    try (StoreDatabase rows = open("rows")) {
      Stream.of(1, 2, 3, 4).forEach(n -> rows.put(key(n), value(n)));
      rows.commit(OptionalLong.empty());
      rows.put(key(3), value(9));
      assertThat(read(rows.range(key(2), key(3))))
          .containsExactly(Map.entry("2", "2"), Map.entry("3", "9"));
    }
  }

  @Test
  void a_commit_while_an_iterator_is_open_is_refused() {
    try (StoreDatabase rows = open("rows");
        KeyValueIterator<Bytes, byte[]> range = rows.range(null, null)) {
      rows.put(key(1), value(1));
      assertThat(range.hasNext()).isFalse();
      assertThatThrownBy(() -> rows.commit(OptionalLong.of(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is still open");
    }
  }

  /** A copy of the files of an open database is what a kill leaves. */
  @Test
  void metrics_that_are_read_while_it_is_closed_do_not_end_the_process() throws RocksDBException {
    List<RocksDB> measured = new ArrayList<>();
    RocksDBMetricsRecorder metrics =
        new RocksDBMetricsRecorder("scope", "rows") {
          @Override
          public void addValueProviders(
              String name, RocksDB rocks, Cache cache, @Nullable Statistics statistics) {
            measured.add(rocks);
          }
        };
    String property = "rocksdb.estimate-num-keys";
    try (StoreDatabase rows = open("rows")) {
      rows.measure(metrics, "rows");
      rows.put(key(1), value(1));
      rows.commit(OptionalLong.empty());
      assertThat(measured.get(0).getLongProperty(property)).isEqualTo(1);
    }
    assertThat(measured.get(0).getLongProperty(property)).isZero();
    assertThat(measured.get(0).getAggregatedLongProperty(property)).isZero();
  }

  @Test
  void a_kill_at_any_moment_leaves_the_last_commit_and_its_offset() throws IOException {
    long seed = Long.getLong("waterclock.seed", System.nanoTime());
    System.out.println("StoreDatabaseTest: -Dwaterclock.seed=" + seed);
    Random random = new Random(seed);
    TreeMap<String, String> committed = new TreeMap<>();
    TreeMap<String, String> current = new TreeMap<>();
    long offset = -1;
    StoreDatabase rows = open("rows");
    for (int step = 0; step < STEPS; step++) {
      int n = random.nextInt(50);
      switch (random.nextInt(40)) {
        case 0, 1, 2, 3 -> {
          offset++;
          rows.commit(OptionalLong.of(offset));
          committed = new TreeMap<>(current);
        }
        case 4 -> {
          rows.discard();
          current = new TreeMap<>(committed);
        }
        case 5 -> {
          Path copy = copy(dir.resolve("rows"), dir.resolve("killed-" + step));
          rows.close();
          try (StoreDatabase killed = open(copy.getFileName().toString())) {
            assertThat(all(killed)).containsExactlyEntriesOf(committed);
            assertThat(killed.offset().orElse(-1)).isEqualTo(offset);
          }
          current = new TreeMap<>(committed);
          rows = open("rows");
        }
        case 6 -> {
          rows.discard();
          offset++;
          rows.restore(List.of(restored(offset, n, value(step)), restored(++offset, n + 1, null)));
          committed.put(text(n), "" + step);
          committed.remove(text(n + 1));
          current = new TreeMap<>(committed);
        }
        case 7, 8, 9, 10, 11, 12, 13, 14 -> {
          rows.put(key(n), null);
          current.remove(text(n));
        }
        default -> {
          rows.put(key(n), value(step));
          current.put(text(n), "" + step);
        }
      }
      assertThat(rows.get(key(n))).isEqualTo(bytesOf(current.get(text(n))));
      assertThat(rows.hasChanges() || current.equals(committed)).isTrue();
      if (step % 20 == 0) {
        assertThat(all(rows)).containsExactlyEntriesOf(current);
      }
    }
    rows.close();
  }

  private StoreDatabase open(String folder) {
    return new StoreDatabase(dir.resolve(folder), Duration.ofHours(1));
  }

  private static ConsumerRecord<byte[], byte[]> restored(
      long offset, int n, byte @Nullable [] value) {
    return new ConsumerRecord<>("changelog", 0, offset, key(n), value);
  }

  private static String text(int n) {
    return "" + n;
  }

  private static byte[] key(int n) {
    return text(n).getBytes(UTF_8);
  }

  private static byte[] value(int n) {
    return key(n);
  }

  private static byte @Nullable [] bytesOf(@Nullable String text) {
    return text == null ? null : text.getBytes(UTF_8);
  }

  private static Map<String, String> all(StoreDatabase rows) {
    return read(rows.range(null, null));
  }

  private static Map<String, String> read(KeyValueIterator<Bytes, byte[]> rows) {
    Map<String, String> found = new TreeMap<>();
    try (rows) {
      while (rows.hasNext()) {
        KeyValue<Bytes, byte[]> row = rows.next();
        found.put(new String(row.key.get(), UTF_8), new String(row.value, UTF_8));
      }
    }
    return found;
  }

  /** Copies a folder in a moment in which RocksDB changes none of its files. */
  private static Path copy(Path from, Path to) throws IOException {
    while (true) {
      Files.createDirectories(to);
      try {
        Map<Path, FileTime> before = files(from);
        for (Path file : before.keySet()) {
          Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.REPLACE_EXISTING);
        }
        if (files(from).equals(before)) {
          return to;
        }
      } catch (NoSuchFileException e) {
        // compacted meanwhile
      }
      Utils.delete(to.toFile());
    }
  }

  private static Map<Path, FileTime> files(Path folder) throws IOException {
    Map<Path, FileTime> files = new TreeMap<>();
    try (Stream<Path> found = Files.list(folder)) {
      for (Path file : found.toList()) {
        files.put(file, Files.getLastModifiedTime(file));
      }
    }
    return files;
  }
}

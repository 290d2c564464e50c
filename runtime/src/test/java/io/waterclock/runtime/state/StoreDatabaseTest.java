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
import java.util.Arrays;
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
import org.apache.kafka.streams.errors.ProcessorStateException;
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

  /** Of 100 kB each. */
  private static final int MANY = 200;

  private static final Duration COMPACTION_AGE = Duration.ofHours(1);
  private static final String LOG = "id-3";

  @TempDir Path dir;
  private int filled;

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

  /** An instance has three for each partition. */
  @Test
  void an_open_store_takes_no_more_disk_than_it_holds() throws IOException, InterruptedException {
    try (StoreDatabase rows = open("rows")) {
      rows.put(key(1), value(1));
      rows.commit(OptionalLong.of(7));
      assertThat(kilobytesOnDisk()).isLessThan(200);
    }
  }

  @Test
  void starts_do_not_add_up_files_and_keep_the_rows() throws IOException {
    for (int start = 0; start < 50; start++) {
      try (StoreDatabase rows = open("rows")) {
        rows.put(key(start), value(start));
        rows.commit(OptionalLong.of(start));
        assertThat(all(rows)).hasSize(start + 1);
      }
    }
    assertThat(files(dir.resolve("rows"))).hasSizeLessThan(30);
  }

  /** What the file system has allotted, which can be more than the sizes of the files. */
  private long kilobytesOnDisk() throws IOException, InterruptedException {
    Process du = new ProcessBuilder("du", "-sk", dir.toString()).start();
    String text = new String(du.getInputStream().readAllBytes(), UTF_8);
    assertThat(du.waitFor()).isZero();
    return Long.parseLong(text.split("\\s+", 2)[0]);
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

  @Test
  void files_that_contradict_themselves_are_refused_as_damaged() throws IOException {
    assertDamaged("CURRENT", Files::delete);
    assertDamaged("CURRENT", StoreDatabaseTest::cut);
    assertDamaged("CURRENT", StoreDatabaseTest::fillWithGarbage);
    assertDamaged("MANIFEST-.*", Files::delete);
    assertDamaged("MANIFEST-.*", StoreDatabaseTest::fillWithGarbage);
    assertDamaged(".*\\.sst", Files::delete);
    assertDamaged(".*\\.sst", StoreDatabaseTest::cut);
    assertDamaged(".*\\.log", StoreDatabaseTest::flip);
  }

  /** They are left when the log is lost, and may be of any age. */
  @Test
  void rows_without_an_offset_are_damaged() {
    try (StoreDatabase rows = open("rows")) {
      rows.put(key(1), value(1));
      rows.commit(OptionalLong.empty());
    }
    assertThatThrownBy(() -> open("rows")).isInstanceOf(DamagedStoreException.class);
    assertThatThrownBy(() -> open("rows")).isInstanceOf(DamagedStoreException.class);
  }

  @Test
  void rows_of_another_log_are_refused() throws IOException {
    for (OptionalLong offset : List.of(OptionalLong.of(7), OptionalLong.empty())) {
      Path folder = dir.resolve("rows" + offset);
      try (StoreDatabase rows = new StoreDatabase(folder, "id-5", COMPACTION_AGE)) {
        rows.commit(offset);
      }
      assertThatThrownBy(() -> new StoreDatabase(folder, LOG, COMPACTION_AGE))
          .isInstanceOf(DamagedStoreException.class)
          .hasMessage("the rows in %s repeat id-5, not id-3", folder);
      new StoreDatabase(folder, "id-5", COMPACTION_AGE).close();
    }
  }

  /** RocksDB writes offsets to files before it writes rows, which are in its log until then. */
  @Test
  void without_a_file_of_its_log_no_offset_is_newer_than_the_rows() throws IOException {
    Path folder = dir.resolve("rows");
    try (StoreDatabase rows = open("rows")) {
      for (int n = 0; n < 5_000; n++) {
        rows.put(key(n), value(n));
        rows.commit(OptionalLong.of(n));
      }
    }
    int refused = 0;
    List<Path> logs =
        files(folder).keySet().stream().filter(file -> file.toString().endsWith(".log")).toList();
    for (Path log : logs) {
      Path copy = copy(folder, dir.resolve("without-" + log.getFileName()));
      Files.delete(copy.resolve(log.getFileName()));
      try (StoreDatabase rows = open(copy.getFileName().toString())) {
        assertThat((long) all(rows).size()).isEqualTo(rows.offset().orElse(-1) + 1);
      } catch (DamagedStoreException e) {
        refused++;
      }
    }
    assertThat(refused).isPositive().isEqualTo(logs.size() - 1);
  }

  /** A use could leave its rows in a file of the log that the next use does not close. */
  @Test
  void without_a_file_of_its_log_no_offset_is_newer_than_the_rows_of_earlier_uses()
      throws IOException {
    for (int use = 0; use < 4; use++) {
      try (StoreDatabase rows = open("rows")) {
        rows.put(key(use), value(use));
        rows.commit(OptionalLong.of(use));
      }
    }
    for (Path log : files(dir.resolve("rows")).keySet()) {
      if (log.toString().endsWith(".log")) {
        Path copy = copy(dir.resolve("rows"), dir.resolve("without-" + log.getFileName()));
        Files.delete(copy.resolve(log.getFileName()));
        try (StoreDatabase rows = open(copy.getFileName().toString())) {
          assertThat((long) all(rows).size()).isEqualTo(rows.offset().orElse(-1) + 1);
        }
      }
    }
  }

  @Test
  void what_rocksdb_does_not_need_may_be_damaged() throws IOException {
    for (String file : List.of("IDENTITY", "OPTIONS-.*")) {
      Path folder = filled();
      damage(folder, file, StoreDatabaseTest::fillWithGarbage);
      try (StoreDatabase rows = new StoreDatabase(folder, LOG, COMPACTION_AGE)) {
        assertThat(rows.offset()).hasValue(MANY - 1);
      }
    }
  }

  @Test
  void a_file_in_the_place_of_the_folder_is_damage() throws IOException {
    Files.createFile(dir.resolve("rows"));
    assertThatThrownBy(() -> open("rows")).isInstanceOf(DamagedStoreException.class);
  }

  /** Else an iterator would end there, as if there were no more rows. */
  @Test
  void damage_that_a_reader_finds_is_no_end_of_the_rows() throws IOException {
    Path folder = filled();
    damage(folder, ".*\\.sst", StoreDatabaseTest::flipRows);
    try (StoreDatabase rows = new StoreDatabase(folder, LOG, COMPACTION_AGE)) {
      assertThatThrownBy(() -> all(rows)).isInstanceOf(DamagedStoreException.class);
      assertThat(rows.isDamaged()).isTrue();
    }
    assertThatThrownBy(() -> new StoreDatabase(folder, LOG, COMPACTION_AGE))
        .isInstanceOf(DamagedStoreException.class);
  }

  @Test
  void the_damage_of_a_single_row_is_noted_for_the_next_to_open_the_folder() throws IOException {
    Path folder = filled();
    damage(folder, ".*\\.sst", StoreDatabaseTest::flipRows);
    try (StoreDatabase rows = new StoreDatabase(folder, LOG, COMPACTION_AGE)) {
      assertThatThrownBy(() -> rows.get(key(1))).isInstanceOf(DamagedStoreException.class);
    }
    assertThatThrownBy(() -> new StoreDatabase(folder, LOG, COMPACTION_AGE))
        .isInstanceOf(DamagedStoreException.class);
  }

  @Test
  void a_folder_that_is_locked_or_unusable_is_not_damaged() throws IOException {
    try (StoreDatabase rows = open("rows")) {
      rows.put(key(1), value(1));
      rows.commit(OptionalLong.of(7));
      assertNotDamaged(dir.resolve("rows"), "lock hold by current process");
    }
    Path lock = dir.resolve("rows/LOCK");
    Files.delete(lock);
    Files.createDirectory(lock);
    assertNotDamaged(dir.resolve("rows"), "Is a directory");
    Files.delete(lock);
    try (StoreDatabase rows = open("rows")) {
      assertThat(rows.offset()).hasValue(7);
    }
  }

  private static void assertNotDamaged(Path folder, String reason) {
    assertThatThrownBy(() -> new StoreDatabase(folder, LOG, COMPACTION_AGE))
        .isInstanceOf(ProcessorStateException.class)
        .isNotInstanceOf(DamagedStoreException.class)
        .hasMessageContaining("cannot open the state in " + folder)
        .hasMessageContaining(reason);
  }

  private void assertDamaged(String file, Damage how) throws IOException {
    Path folder = filled();
    damage(folder, file, how);
    assertThatThrownBy(() -> new StoreDatabase(folder, LOG, COMPACTION_AGE).close())
        .as(file)
        .isInstanceOf(DamagedStoreException.class);
    Utils.delete(folder.toFile());
    new StoreDatabase(folder, LOG, COMPACTION_AGE).close(); // nothing holds the folder
  }

  private interface Damage {
    void to(Path file) throws IOException;
  }

  private static void damage(Path folder, String file, Damage how) throws IOException {
    List<Path> damaged =
        files(folder).keySet().stream()
            .filter(found -> String.valueOf(found.getFileName()).matches(file))
            .toList();
    assertThat(damaged).as(file).isNotEmpty();
    for (Path path : damaged) {
      how.to(path);
    }
  }

  private static void cut(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
  }

  private static void fillWithGarbage(Path file) throws IOException {
    byte[] bytes = new byte[200];
    new Random(1).nextBytes(bytes);
    Files.write(file, bytes);
  }

  private static void flip(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 20; i < bytes.length / 2; i += 50) {
      bytes[i] ^= 0x55;
    }
    Files.write(file, bytes);
  }

  /** Damages what is not read when the folder is opened. */
  private static void flipRows(Path file) throws IOException {
    if (Files.size(file) > 1_000_000) {
      flip(file);
    }
  }

  /** More rows than RocksDB keeps in memory: most are in files, the last ones in the log. */
  private Path filled() {
    Path folder = dir.resolve("filled-" + ++filled);
    byte[] large = new byte[100_000];
    try (StoreDatabase rows = new StoreDatabase(folder, LOG, COMPACTION_AGE)) {
      for (int n = 0; n < MANY; n++) {
        rows.put(key(n), large);
        rows.commit(OptionalLong.of(n));
      }
    }
    return folder;
  }

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

  /** A copy of the files of an open database is what a kill leaves. */
  @Test
  void a_kill_at_any_moment_leaves_the_last_commit_and_its_offset() throws IOException {
    long seed = Long.getLong("waterclock.seed", 1);
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
    return new StoreDatabase(dir.resolve(folder), LOG, COMPACTION_AGE);
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

package io.waterclock.runtime.state;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.topology.scheduler.store.DueIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.internals.metrics.RocksDBMetricsRecorder;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.Slice;
import org.rocksdb.Status;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/**
 * Rows in a folder, with the log that they repeat, and the offset up to which they do. Changes stay
 * in memory until they are committed with an offset; reads see them. RocksDB writes rows and offset
 * in one batch, to its own log first, so the death of the process loses no commit and leaves none
 * half written. The log is not synchronised: after a power failure, an earlier commit is found,
 * with its own offset, or damage.
 *
 * <p>The options are those of Kafka Streams, except for these. RocksDB compacts files that reach an
 * age. By default it compares only their sizes: a million removed schedules may stay on disk behind
 * small tombstones until the same amount is written again. RocksDB checks the age of files whenever
 * it has written one. And blocks have four times the default size: the scheduler reads schedules
 * that are due together in the order of their ids, and so does the watchdog, and most of the cost
 * is the start of a block. And the oldest rows have a bloom filter, too, of ten bits each: each new
 * schedule begins with a look-up that finds nothing. And the buffers for writes are a quarter of
 * the default, and the log that repeats them is short: who opens the rows reads it, and the fires
 * of a restarted instance wait for that. And a log that is damaged before its end is refused: by
 * default RocksDB forgets silently what follows the damage, which may be months old. And a file of
 * the log that is missing is damage, too: the newest rows are only there, while their offset may
 * already be elsewhere. RocksDB notices only what it has closed since it was opened, so what an
 * earlier use has left in the log is written to files at once.
 *
 * <p>Not thread-safe. Methods throw {@link ProcessorStateException} when the disk fails, and {@link
 * DamagedStoreException} when the files contradict themselves. The folder cannot be opened any more
 * then, until it is deleted.
 */
final class StoreDatabase implements AutoCloseable {
  private static final byte[] OFFSETS = "offsets".getBytes(UTF_8);
  private static final byte[] OFFSET = {0};
  private static final byte[] LOG = {1};
  private static final byte[] INDEX = "due".getBytes(UTF_8);

  /** Before each entry of the index, which has eight bytes and an id. */
  private static final byte[] STAMP = {0};

  private static final byte[] AFTER_INDEX = {-1, -1, -1, -1, -1, -1, -1, -1, -1};
  private static final byte[] NOTHING = {};
  static final long WRITE_BUFFER_BYTES = 4L << 20;

  /** The part of a buffer for writes that a filter takes, for look-ups that find nothing. */
  private static final double FILTER_PART = 0.1;

  private static final long OFFSETS_BUFFER_BYTES = 64L << 10;
  private static final long INDEX_BUFFER_BYTES = 4L << 20;
  private static final long BLOCK_BYTES = 16L << 10;
  private static final long LOG_BYTES = 8L << 20;

  /** A file that says that the others are damaged. RocksDB leaves it alone. */
  private static final String DAMAGED = "DAMAGED";

  static {
    RocksDB.loadLibrary();
  }

  /** Of all stores of the process: its memory must not grow with its partitions. */
  static final LRUCache CACHE = new LRUCache(100L << 20);

  private final Path folder;
  private final List<RocksObject> owned = new ArrayList<>();
  private final Set<Rows> open = new HashSet<>();
  private final WriteOptions writing = own(new WriteOptions());
  private final ReadOptions reading = own(new ReadOptions());
  private final WriteBatchWithIndex changes = own(new WriteBatchWithIndex(true));
  private final RocksDB rocks;
  private final Properties properties;
  private final ColumnFamilyHandle rows;
  private final ColumnFamilyHandle offsets;
  private final ColumnFamilyHandle index;
  private OptionalLong offset;

  /** What was noted since this was opened, so that a commit need not read it. */
  private final Map<String, Long> notes = new HashMap<>();

  /** What {@code changes.count()} would say, at the cost of a call into native code. */
  private boolean hasChanges;

  private volatile boolean isDamaged;
  private boolean isAbandoned;

  /**
   * Opens the rows of a folder, which is made if it is missing.
   *
   * @param log names the log that the rows repeat, and no other
   * @param compactionAge the age of a file at which RocksDB rewrites it without deleted rows, at
   *     least a second
   * @throws DamagedStoreException if the folder must be deleted first
   */
  StoreDatabase(Path folder, String log, Duration compactionAge) {
    this.folder = folder;
    List<ColumnFamilyHandle> families = new ArrayList<>();
    try {
      checkFolder();
      rocks =
          RocksDB.open(
              own(options()),
              folder.toString(),
              List.of(
                  new ColumnFamilyDescriptor(
                      RocksDB.DEFAULT_COLUMN_FAMILY, own(ofRows(compactionAge))),
                  new ColumnFamilyDescriptor(OFFSETS, own(ofOffsets())),
                  new ColumnFamilyDescriptor(INDEX, own(ofIndex()))),
              families);
    } catch (RocksDBException e) {
      closeOwned();
      throw failed("open", e);
    } catch (RuntimeException e) {
      closeOwned();
      throw e;
    }
    rows = families.get(0);
    offsets = families.get(1);
    index = families.get(2);
    properties = new Properties(rocks);
    try {
      offset = storedOffset();
      checkLog(log);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void checkFolder() {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new DamagedStoreException(folder + " is not a folder");
    }
    if (Files.exists(folder.resolve(DAMAGED))) {
      throw new DamagedStoreException("a reader found damage in " + folder);
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new ProcessorStateException("cannot open the state in " + folder + ": " + e, e);
    }
  }

  private static DBOptions options() {
    java.util.Properties withoutSetter = new java.util.Properties();
    withoutSetter.setProperty("track_and_verify_wals_in_manifest", "true");
    return DBOptions.getDBOptionsFromProps(withoutSetter)
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        .setInfoLogLevel(InfoLogLevel.ERROR_LEVEL)
        .setKeepLogFileNum(1) // else each start leaves a file, up to a thousand
        .setAllowFAllocate(false) // else an empty store takes 8 MB of disk
        .setMaxTotalWalSize(LOG_BYTES)
        .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
        .setMaxFileOpeningThreads(1) // else opening starts 16 threads for a few files
        .setIncreaseParallelism(Math.max(2, Runtime.getRuntime().availableProcessors()));
  }

  private ColumnFamilyOptions ofRows(Duration compactionAge) {
    return new ColumnFamilyOptions()
        .setWriteBufferSize(WRITE_BUFFER_BYTES)
        .setMaxWriteBufferNumber(3)
        .setMemtablePrefixBloomSizeRatio(FILTER_PART)
        .setMemtableWholeKeyFiltering(true)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setCompactionStyle(CompactionStyle.UNIVERSAL)
        .setPeriodicCompactionSeconds(Math.max(1, compactionAge.toSeconds()))
        .setTableFormatConfig(
            new BlockBasedTableConfig()
                .setBlockCache(CACHE)
                .setBlockSize(BLOCK_BYTES)
                .setFilterPolicy(own(new BloomFilter())));
  }

  private static ColumnFamilyOptions ofOffsets() {
    return new ColumnFamilyOptions()
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setWriteBufferSize(OFFSETS_BUFFER_BYTES);
  }

  /** Entries are read in order and deleted soon. */
  private ColumnFamilyOptions ofIndex() {
    return new ColumnFamilyOptions()
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setWriteBufferSize(INDEX_BUFFER_BYTES)
        .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(CACHE));
  }

  /** Adds the rows to the metrics of Kafka Streams; the caller removes them before it closes. */
  void measure(RocksDBMetricsRecorder metrics, String name) {
    metrics.addValueProviders(name, properties, CACHE, null);
  }

  /**
   * What metrics read, on threads of theirs that may be in the middle of it when the database is
   * closed: zero from then on. RocksDB itself would read memory that is no longer its own, which
   * ends the process.
   */
  private static final class Properties extends RocksDB {
    private boolean isClosed;

    Properties(RocksDB rocks) {
      super(rocks.getNativeHandle());
      disOwnNativeHandle();
    }

    @Override
    public synchronized long getLongProperty(String property) throws RocksDBException {
      return isClosed ? 0 : super.getLongProperty(property);
    }

    @Override
    public synchronized long getAggregatedLongProperty(String property) throws RocksDBException {
      return isClosed ? 0 : super.getAggregatedLongProperty(property);
    }

    @Override
    public synchronized void close() {
      isClosed = true;
    }
  }

  /** The offset of the last commit that had one; empty if there was none. */
  OptionalLong offset() {
    return offset;
  }

  boolean hasChanges() {
    return hasChanges;
  }

  byte @Nullable [] get(byte[] key) {
    try {
      return changes.getFromBatchAndDB(rocks, rows, reading, key);
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
  }

  /**
   * @param value null deletes
   */
  void put(byte[] key, byte @Nullable [] value) {
    hasChanges = true;
    try {
      if (value == null) {
        changes.delete(rows, key);
      } else {
        changes.put(rows, key, value);
      }
    } catch (RocksDBException e) {
      throw failed("change", e);
    }
  }

  /**
   * Makes the changes lasting, together with an offset. No iterator may be open.
   *
   * @param reached empty leaves the offset as it is
   */
  void commit(OptionalLong reached) {
    if (!open.isEmpty()) {
      throw new IllegalStateException("an iterator over " + folder + " is still open");
    }
    try {
      if (reached.isPresent()) {
        changes.put(offsets, OFFSET, bytes(reached.getAsLong()));
      }
      rocks.write(writing, changes);
      changes.clear();
      hasChanges = false;
      offset = reached.isPresent() ? reached : offset;
    } catch (RocksDBException e) {
      throw failed("write", e);
    }
  }

  /** Notes the offset of another database with the next commit. */
  void note(String database, long reached) {
    if (!Objects.equals(notes.put(database, reached), reached)) {
      try {
        changes.put(offsets, database.getBytes(UTF_8), bytes(reached));
      } catch (RocksDBException e) {
        throw failed("change", e);
      }
    }
  }

  /** The offset that the other database had, at least, when this one was last written. */
  OptionalLong noted(String database) {
    try {
      byte[] stored = rocks.get(offsets, database.getBytes(UTF_8));
      return stored == null
          ? OptionalLong.empty()
          : OptionalLong.of(ByteBuffer.wrap(stored).getLong());
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
  }

  /** Forgets the changes since the last commit. */
  void discard() {
    closeIterators();
    changes.clear();
    hasChanges = false;
    isAbandoned = false;
  }

  /** Forgets the changes since the last commit. Those that follow must not be committed. */
  void abandon() {
    discard();
    isAbandoned = true;
  }

  /** True from {@link #abandon} until the next {@link #discard}. */
  boolean isAbandoned() {
    return isAbandoned;
  }

  /**
   * Applies records of the log, and takes over the offset of the last one; past the changes. An
   * index that knows all rows gets an entry for each changed one that is looked at in any case.
   */
  void restore(Collection<ConsumerRecord<byte[], byte[]>> records) {
    try (WriteBatch batch = new WriteBatch()) {
      OptionalLong reached = offset;
      boolean isIndexed = rocks.get(index, STAMP) != null;
      for (ConsumerRecord<byte[], byte[]> row : records) {
        if (row.value() == null) {
          batch.delete(rows, row.key());
        } else {
          batch.put(rows, row.key(), row.value());
          if (isIndexed) {
            batch.put(index, new DueIndex.Entry(DueIndex.ALWAYS, row.key()).key(), NOTHING);
          }
        }
        reached = OptionalLong.of(row.offset());
      }
      if (reached.isPresent()) {
        batch.put(offsets, OFFSET, bytes(reached.getAsLong()));
      }
      rocks.write(writing, batch);
      offset = reached;
    } catch (RocksDBException e) {
      throw failed("write", e);
    }
  }

  /** About how many rows there are. */
  long estimatedRows() {
    try {
      return rocks.getLongProperty(rows, "rocksdb.estimate-num-keys");
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
  }

  /**
   * Rows in the order of their unsigned bytes, as they are now: a later change may show or not.
   *
   * @param from inclusive; null: from the first
   * @param to inclusive; null: to the last
   */
  KeyValueIterator<Bytes, byte[]> range(byte @Nullable [] from, byte @Nullable [] to) {
    return new Rows(rows, from, to);
  }

  /** The rows of a range, which is open until it is closed. */
  private final class Rows implements KeyValueIterator<Bytes, byte[]> {
    private final List<AbstractNativeReference> mine = new ArrayList<>();
    private final RocksIterator iterator;
    private boolean isClosed;

    /** What the iterator would say, at the cost of a call into native code. */
    private boolean isAtRow;

    Rows(ColumnFamilyHandle family, byte @Nullable [] from, byte @Nullable [] to) {
      ReadOptions bounded = new ReadOptions();
      if (to != null) {
        Slice end = new Slice(Arrays.copyOf(to, to.length + 1)); // the least key above it
        bounded.setIterateUpperBound(end);
        mine.add(end);
      }
      mine.add(bounded);
      RocksIterator base = rocks.newIterator(family, bounded);
      iterator = hasChanges() ? changes.newIteratorWithBase(family, base, bounded) : base;
      mine.add(iterator);
      if (from == null) {
        iterator.seekToFirst();
      } else {
        iterator.seek(from);
      }
      open.add(this);
      look();
    }

    /** An iterator ends at what it cannot read, as it does at its end. */
    private void look() {
      isAtRow = iterator.isValid();
      if (!isAtRow) {
        try {
          iterator.status();
        } catch (RocksDBException e) {
          throw failed("read", e);
        }
      }
    }

    @Override
    public boolean hasNext() {
      return !isClosed && isAtRow;
    }

    @Override
    public KeyValue<Bytes, byte[]> next() {
      Bytes key = peekNextKey();
      KeyValue<Bytes, byte[]> row = KeyValue.pair(key, iterator.value());
      iterator.next();
      look();
      return row;
    }

    @Override
    public Bytes peekNextKey() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return Bytes.wrap(iterator.key());
    }

    @Override
    public void close() {
      if (!isClosed) {
        isClosed = true;
        open.remove(this);
        for (int i = mine.size() - 1; i >= 0; i--) {
          mine.get(i).close();
        }
      }
    }
  }

  /**
   * The index of the rows.
   *
   * @param changing runs before each change
   */
  DueIndex index(Runnable changing) {
    return new RowIndex(changing);
  }

  private final class RowIndex implements DueIndex {
    private final Runnable changing;

    RowIndex(Runnable changing) {
      this.changing = changing;
    }

    @Override
    public void put(Entry entry) {
      put(entry.key(), NOTHING);
    }

    @Override
    public void stamp(byte[] stamp) {
      put(STAMP, stamp);
    }

    private void put(byte[] key, byte[] value) {
      changing.run();
      hasChanges = true;
      try {
        changes.put(index, key, value);
      } catch (RocksDBException e) {
        throw failed("change", e);
      }
    }

    @Override
    public void delete(Entry entry) {
      changing.run();
      hasChanges = true;
      try {
        changes.delete(index, entry.key());
      } catch (RocksDBException e) {
        throw failed("change", e);
      }
    }

    @Override
    public boolean contains(Entry entry) {
      return read(entry.key()).isPresent();
    }

    @Override
    public Optional<byte[]> stamp() {
      return read(STAMP);
    }

    private Optional<byte[]> read(byte[] key) {
      try {
        return Optional.ofNullable(changes.getFromBatchAndDB(rocks, index, reading, key));
      } catch (RocksDBException e) {
        throw failed("read", e);
      }
    }

    @Override
    public List<Entry> range(Entry after, long beforeMs, int limit) {
      List<Entry> entries = new ArrayList<>();
      byte[] from = Arrays.copyOf(after.key(), after.key().length + 1);
      try (Rows range = new Rows(index, from, Entry.before(beforeMs).key())) {
        while (entries.size() < limit && range.hasNext()) {
          entries.add(Entry.ofKey(range.next().key.get()));
        }
      }
      return entries;
    }

    @Override
    public void clear() {
      try {
        rocks.deleteRange(index, STAMP, AFTER_INDEX);
      } catch (RocksDBException e) {
        throw failed("write", e);
      }
    }

    @Override
    public void build(List<Entry> entries) {
      try (WriteBatch batch = new WriteBatch()) {
        for (Entry entry : entries) {
          batch.put(index, entry.key(), NOTHING);
        }
        rocks.write(writing, batch);
      } catch (RocksDBException e) {
        throw failed("write", e);
      }
    }
  }

  /** Rows without an offset are left when the log is lost: they may be of any age. */
  private OptionalLong storedOffset() {
    try {
      byte[] stored = rocks.get(offsets, OFFSET);
      if (stored != null) {
        return OptionalLong.of(ByteBuffer.wrap(stored).getLong());
      }
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
    try (KeyValueIterator<Bytes, byte[]> all = range(null, null)) {
      if (all.hasNext()) {
        throw new DamagedStoreException("the rows in " + folder + " have no offset");
      }
    }
    return OptionalLong.empty();
  }

  /** Rows that name no log may repeat any, or a part of one. */
  private void checkLog(String log) {
    try {
      byte[] stored = rocks.get(offsets, LOG);
      if (stored == null && offset.isEmpty() && isIndexEmpty()) {
        rocks.put(offsets, writing, LOG, log.getBytes(UTF_8));
      } else if (!Arrays.equals(stored, log.getBytes(UTF_8))) {
        throw new DamagedStoreException(
            "the rows in %s repeat %s, not %s"
                .formatted(folder, stored == null ? "no log" : new String(stored, UTF_8), log));
      }
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
  }

  private boolean isIndexEmpty() {
    try (Rows all = new Rows(index, null, null)) {
      return !all.hasNext();
    }
  }

  private static byte[] bytes(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  private ProcessorStateException failed(String what, RocksDBException e) {
    String message = "cannot %s the state in %s: %s".formatted(what, folder, e.getMessage());
    if (!isDamage(e)) {
      return new ProcessorStateException(message, e);
    }
    DamagedStoreException damaged = new DamagedStoreException(message, e);
    try {
      markAsDamaged();
    } catch (ProcessorStateException unmarked) {
      damaged.addSuppressed(unmarked);
    }
    return damaged;
  }

  /**
   * The next database that opens the folder deletes it first. Safe for all threads.
   *
   * @throws ProcessorStateException if the disk fails
   */
  void markAsDamaged() {
    isDamaged = true;
    try {
      Files.write(folder.resolve(DAMAGED), new byte[0]);
    } catch (IOException e) {
      throw new ProcessorStateException("cannot mark the state in " + folder + ": " + e, e);
    }
  }

  private boolean isDamage(RocksDBException e) {
    Status.Code code = e.getStatus() == null ? Status.Code.Undefined : e.getStatus().getCode();
    return code == Status.Code.Corruption || (code == Status.Code.IOError && lacksManifest());
  }

  /** For RocksDB, a missing file is an I/O error like any other. */
  private boolean lacksManifest() {
    try {
      return Files.notExists(folder.resolve(Files.readString(folder.resolve("CURRENT")).strip()));
    } catch (IOException e) {
      return false;
    }
  }

  /** True once a method has thrown {@link DamagedStoreException}. */
  boolean isDamaged() {
    return isDamaged;
  }

  private <T extends RocksObject> T own(T object) {
    owned.add(object);
    return object;
  }

  private void closeIterators() {
    List.copyOf(open).forEach(Rows::close);
  }

  /** Forgets the changes since the last commit. */
  @Override
  public void close() {
    closeIterators();
    properties.close();
    rows.close();
    offsets.close();
    index.close();
    rocks.close();
    closeOwned();
  }

  private void closeOwned() {
    for (int i = owned.size() - 1; i >= 0; i--) {
      owned.get(i).close();
    }
    owned.clear();
  }
}

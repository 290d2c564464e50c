package io.waterclock.topology.scheduler.store;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Records that are held, in the order of arrival, until what they need is known.
 *
 * <p>Kept in another store, under keys that no id can take: a prefix that begins with a zero byte,
 * and a sequence number. An entry takes the record and about 30 bytes. A large record is stored in
 * parts, so that its size is not bounded by what the changelog takes at once.
 */
public final class HeldRecordStore {
  private static final byte VERSION = 1;

  /** The first part of a large record; after it comes the number of the other parts. */
  private static final byte IN_PARTS = 2;

  /** The most bytes of a part. */
  static final int PART = 32 << 10;

  /** What a held record waits for. Each has the prefix of its keys. */
  public enum Until {
    /** The schema of the record, or of an earlier one with its key; in the progress store. */
    SCHEMA("\0parked\0"),
    /** The schedule of a command; in the command store. */
    SCHEDULE("\0"),
    /** Everything that was written earlier; in the progress store. */
    EARLIER("\0earlier\0");

    @SuppressWarnings("ImmutableEnumChecker")
    private final byte[] prefix;

    Until(String prefix) {
      this.prefix = prefix.getBytes(StandardCharsets.US_ASCII);
    }

    private Bytes key(long seq) {
      return Bytes.wrap(
          ByteBuffer.allocate(prefix.length + Long.BYTES).put(prefix).putLong(seq).array());
    }

    private Bytes key(long seq, int part) {
      return Bytes.wrap(
          ByteBuffer.allocate(prefix.length + Long.BYTES + Integer.BYTES)
              .put(prefix)
              .putLong(seq)
              .putInt(part)
              .array());
    }

    private boolean isFirst(Bytes key) {
      return key.get().length == prefix.length + Long.BYTES;
    }
  }

  private final KeyValueStore<Bytes, byte[]> store;
  private final Until until;

  /**
   * @param store that of {@link ProgressStore}, or for {@link Until#SCHEDULE} that of {@link
   *     CommandStore}
   */
  public HeldRecordStore(KeyValueStore<Bytes, byte[]> store, Until until) {
    this.store = store;
    this.until = until;
  }

  /** A held record, encoded. Never compared. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Row(long seq, byte[] record) {}

  /** The sequence numbers of all records, in the order of arrival. */
  public List<Long> seqs() {
    List<Long> seqs = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> range =
        store.range(until.key(0), until.key(Long.MAX_VALUE))) {
      range.forEachRemaining(
          row -> {
            if (until.isFirst(row.key)) {
              seqs.add(ByteBuffer.wrap(row.key.get()).getLong(until.prefix.length));
            }
          });
    }
    return seqs;
  }

  /** The record with a sequence number that exists. */
  public byte[] record(long seq) {
    byte[] first = get(until.key(seq));
    if (first[0] != IN_PARTS) {
      return Arrays.copyOfRange(first, StateBytes.open(first, VERSION).position(), first.length);
    }
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    record.write(first, 1 + Integer.BYTES, first.length - 1 - Integer.BYTES);
    for (int part = 1; part <= others(first); part++) {
      byte[] value = get(until.key(seq, part));
      record.write(value, 0, value.length);
    }
    return record.toByteArray();
  }

  private byte[] get(Bytes key) {
    byte[] value = store.get(key);
    if (value == null) {
      throw new IllegalStateException("there is no held record " + key);
    }
    return value;
  }

  private static int others(byte[] first) {
    return ByteBuffer.wrap(first).getInt(1);
  }

  public void put(Row row) {
    byte[] record = row.record();
    if (record.length <= PART) {
      byte[] value = ByteBuffer.allocate(1 + record.length).put(VERSION).put(record).array();
      store.put(until.key(row.seq()), value);
      return;
    }
    int others = (record.length - 1) / PART;
    store.put(
        until.key(row.seq()),
        ByteBuffer.allocate(1 + Integer.BYTES + PART)
            .put(IN_PARTS)
            .putInt(others)
            .put(record, 0, PART)
            .array());
    for (int part = 1; part <= others; part++) {
      int from = part * PART;
      store.put(
          until.key(row.seq(), part),
          Arrays.copyOfRange(record, from, Math.min(from + PART, record.length)));
    }
  }

  /**
   * @param size of the record, in bytes
   */
  public void delete(long seq, int size) {
    store.put(until.key(seq), null);
    for (int part = 1; part <= (size - 1) / PART; part++) {
      store.put(until.key(seq, part), null);
    }
  }
}

package io.waterclock.topology.scheduler.store;

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
 * and a sequence number. An entry takes the record and about 30 bytes.
 */
public final class HeldRecordStore {
  private static final byte VERSION = 1;

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
          row -> seqs.add(ByteBuffer.wrap(row.key.get()).getLong(until.prefix.length)));
    }
    return seqs;
  }

  /** The record with a sequence number that exists. */
  public byte[] record(long seq) {
    byte[] value = store.get(until.key(seq));
    if (value == null) {
      throw new IllegalStateException("there is no held record " + seq);
    }
    return Arrays.copyOfRange(value, StateBytes.open(value, VERSION).position(), value.length);
  }

  public void put(Row row) {
    byte[] value = new byte[row.record().length + 1];
    value[0] = VERSION;
    System.arraycopy(row.record(), 0, value, 1, row.record().length);
    store.put(until.key(row.seq()), value);
  }

  public void delete(long seq) {
    store.delete(until.key(seq));
  }
}

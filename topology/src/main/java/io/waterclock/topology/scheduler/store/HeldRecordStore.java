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
 * Records that are held until their schemas are available, in the order of arrival.
 *
 * <p>Kept in the store of {@link ProgressStore}, under keys that no schedule id can take: a zero
 * byte, "parked", a zero byte and a sequence number. An entry takes the record and about 30 bytes.
 */
public final class HeldRecordStore {
  private static final byte VERSION = 1;
  private static final byte[] PREFIX = "\0parked\0".getBytes(StandardCharsets.US_ASCII);

  private final KeyValueStore<Bytes, byte[]> store;

  /**
   * @param store that of {@link ProgressStore}
   */
  public HeldRecordStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  /** A held record, encoded. Never compared. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Row(long seq, byte[] record) {}

  /** The sequence numbers of all records, in the order of arrival. */
  public List<Long> seqs() {
    List<Long> seqs = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> range = store.range(key(0), key(Long.MAX_VALUE))) {
      range.forEachRemaining(
          row -> seqs.add(ByteBuffer.wrap(row.key.get()).getLong(PREFIX.length)));
    }
    return seqs;
  }

  /** The record with a sequence number that exists. */
  public byte[] record(long seq) {
    byte[] value = store.get(key(seq));
    if (value == null) {
      throw new IllegalStateException("there is no held record " + seq);
    }
    StateCodec.checkVersion(value[0], VERSION);
    return Arrays.copyOfRange(value, 1, value.length);
  }

  public void put(Row row) {
    byte[] value = new byte[row.record().length + 1];
    value[0] = VERSION;
    System.arraycopy(row.record(), 0, value, 1, row.record().length);
    store.put(key(row.seq()), value);
  }

  public void delete(long seq) {
    store.delete(key(seq));
  }

  private static Bytes key(long seq) {
    return Bytes.wrap(
        ByteBuffer.allocate(PREFIX.length + Long.BYTES).put(PREFIX).putLong(seq).array());
  }
}

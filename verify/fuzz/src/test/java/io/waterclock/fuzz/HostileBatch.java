package io.waterclock.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * A batch of records that any producer may send, as the bytes of a fuzzer describe it: the codec,
 * damage to the compressed bytes, and records of hostile content, which may unpack to megabytes.
 * The records can also be bytes of the fuzzer that claim to be compressed.
 */
public final class HostileBatch {
  /** All records together, in bytes. */
  private static final int MOST_UNPACKED = 4 << 20;

  private static final int MOST_RECORDS = 64;
  private static final long NOW_MS = 1_795_000_000_000L;
  private static final CompressionType[] CODECS = CompressionType.values();

  // where a batch of the format 2 has what
  private static final int AFTER_LENGTH = 12;
  private static final int CRC = 17;
  private static final int ATTRIBUTES = 21;
  private static final int COUNT = 57;
  private static final int PAYLOAD = 61;

  // what the second byte asks for
  private static final int FLIPPED = 1;
  private static final int RIGHT_CRC = 2;
  private static final int CUT = 4;
  private static final int BY_HAND = 8;
  public static final byte BY_HAND_WITH_RIGHT_CRC = BY_HAND | RIGHT_CRC;
  private static final int APPEND_TIME = 16;

  // what the first byte of a record asks for
  private static final int NO_KEY = 1;
  private static final int NO_VALUE = 2;
  private static final int PADDED = 4;
  private static final int WITH_HEADERS = 8;
  private static final int NO_TIMESTAMP = 16;
  private static final int ANY_TIMESTAMP = 32;

  private final ByteBuffer plan;
  private final CompressionType codec;
  private final List<SimpleRecord> records = new ArrayList<>();
  private final int unpackedSize;
  private final boolean isIntact;
  private final byte[] bytes;
  private int room = MOST_UNPACKED;

  public HostileBatch(byte[] description) {
    plan = ByteBuffer.wrap(description);
    codec = CODECS[number() % CODECS.length];
    int wishes = number();
    byte[] flips = (wishes & FLIPPED) == 0 ? new byte[0] : some(3 * (1 + number() % 4));
    int cut = (wishes & CUT) == 0 ? 0 : 1 + longNumber();
    boolean isByHand = (wishes & BY_HAND) != 0;
    byte[] payload = {};
    int count = 0;
    if (isByHand) {
      count = number() - 1;
      payload = some(plan.remaining());
    } else {
      do {
        records.add(record());
      } while (plan.hasRemaining() && records.size() < MOST_RECORDS);
    }
    TimestampType type =
        (wishes & APPEND_TIME) == 0 ? TimestampType.CREATE_TIME : TimestampType.LOG_APPEND_TIME;
    MemoryRecordsBuilder builder =
        MemoryRecords.builder(
            ByteBuffer.allocate(512),
            RecordBatch.CURRENT_MAGIC_VALUE,
            Compression.of(codec).build(),
            type,
            0,
            NOW_MS);
    if (isByHand) {
      builder.append(new SimpleRecord(NOW_MS, new byte[] {'a'}, null));
    }
    records.forEach(builder::append);
    byte[] made = content(builder.build());
    unpackedSize = builder.uncompressedBytesWritten();
    if (isByHand) {
      made = Arrays.copyOf(made, PAYLOAD + payload.length);
      System.arraycopy(payload, 0, made, PAYLOAD, payload.length);
      ByteBuffer.wrap(made)
          .putInt(AFTER_LENGTH - Integer.BYTES, made.length - AFTER_LENGTH)
          .putInt(COUNT, count)
          .putInt(ATTRIBUTES + Short.BYTES, count - 1);
      mendCrc(made);
    }
    byte[] changed = Arrays.copyOf(made, made.length - cut % made.length);
    for (int i = 0; i + 2 < flips.length; i += 3) {
      int place = (flips[i] & 0xff) << 8 | flips[i + 1] & 0xff;
      changed[place % changed.length] ^= flips[i + 2];
    }
    isIntact = !isByHand && Arrays.equals(made, changed);
    if ((wishes & RIGHT_CRC) != 0) {
      mendCrc(changed);
    }
    bytes = changed;
  }

  /** As the producer sends it. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** The records that were packed; none if the payload is the fuzzer's. */
  public List<SimpleRecord> records() {
    return List.copyOf(records);
  }

  public CompressionType codec() {
    return codec;
  }

  /** Whether no byte differs from what Kafka's producer sends for these records. */
  public boolean isIntact() {
    return isIntact;
  }

  /** The size of the batch without compression. */
  public int unpackedSize() {
    return unpackedSize;
  }

  private SimpleRecord record() {
    int wishes = number();
    byte[] key = some(number());
    byte[] value = some(longNumber());
    if ((wishes & PADDED) != 0) {
      int padding = Math.min(room, 1 << number() % 23);
      byte with = (byte) number();
      int length = value.length;
      value = Arrays.copyOf(value, length + padding);
      Arrays.fill(value, length, value.length, with);
    }
    room -= Math.min(room, key.length + value.length);
    Header[] headers = (wishes & WITH_HEADERS) == 0 ? new Header[0] : headers();
    long timestampMs = NOW_MS;
    if ((wishes & NO_TIMESTAMP) != 0) {
      timestampMs = RecordBatch.NO_TIMESTAMP;
    } else if ((wishes & ANY_TIMESTAMP) != 0) {
      timestampMs = ByteBuffer.wrap(Arrays.copyOf(some(8), 8)).getLong() & Long.MAX_VALUE;
    }
    return new SimpleRecord(
        timestampMs,
        (wishes & NO_KEY) != 0 ? null : key,
        (wishes & NO_VALUE) != 0 ? null : value,
        headers);
  }

  private Header[] headers() {
    int distinct = 1 + number() % 8;
    int times = 1 << number() % 13;
    List<Header> headers = new ArrayList<>();
    for (int i = 0; i < distinct; i++) {
      byte[] name = some(number());
      int length = number();
      byte[] value = length == 255 ? null : some(length);
      headers.add(
          new RecordHeader(ByteBuffer.wrap(name), value == null ? null : ByteBuffer.wrap(value)));
    }
    List<Header> all = new ArrayList<>(headers);
    for (int i = 1; i < times && room > 0; i++) {
      all.addAll(headers);
      room -= Math.min(room, distinct * 512);
    }
    return all.toArray(new Header[0]);
  }

  /** The next byte of the plan, 0 at its end. */
  private int number() {
    return plan.hasRemaining() ? plan.get() & 0xff : 0;
  }

  private int longNumber() {
    return number() << 8 | number();
  }

  /** As many bytes of the plan, or what is left of it. */
  private byte[] some(int length) {
    byte[] some = new byte[Math.min(length, plan.remaining())];
    plan.get(some);
    return some;
  }

  private static byte[] content(MemoryRecords records) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    ByteBuffer buffer = records.buffer();
    content.write(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
    return content.toByteArray();
  }

  /** Makes the checksum right, over the length that the batch says it has. */
  private static void mendCrc(byte[] batch) {
    if (batch.length < PAYLOAD) {
      return;
    }
    ByteBuffer buffer = ByteBuffer.wrap(batch);
    long end = (long) AFTER_LENGTH + buffer.getInt(AFTER_LENGTH - Integer.BYTES);
    int to = end > ATTRIBUTES && end <= batch.length ? (int) end : batch.length;
    CRC32C crc = new CRC32C();
    crc.update(batch, ATTRIBUTES, to - ATTRIBUTES);
    buffer.putInt(CRC, (int) crc.getValue());
  }
}

package io.waterclock.topology.scheduler.input;

import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * An upper estimate of a record's size in its own batch, computed as the producer does before it
 * compares the size with {@code max.request.size} (Kafka's {@code
 * AbstractRecords.estimateSizeInBytesUpperBound}).
 */
public final class RecordSize {
  /**
   * What Kafka adds to key, value and headers: 61 bytes for the batch, 21 for the record, and up to
   * 15 for two lengths and the number of headers.
   */
  private static final int OVERHEAD = 128;

  private RecordSize() {}

  public static int of(byte @Nullable [] key, byte @Nullable [] value, Iterable<Header> headers) {
    int size = OVERHEAD + length(key) + length(value);
    for (Header header : headers) {
      size += of(header);
    }
    return size;
  }

  static int of(Header header) {
    int name = Utils.utf8Length(header.key());
    int value = length(header.value());
    return lengthOfLength(name) + name + lengthOfLength(value) + value;
  }

  /** Kafka's varints are zigzag numbers of seven bits a byte. */
  private static int lengthOfLength(int length) {
    return 1 + (Integer.SIZE - 1 - Integer.numberOfLeadingZeros(length << 1 | 1)) / 7;
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }
}

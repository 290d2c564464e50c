package io.waterclock.schemas;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * The header of the single-object encoding (Avro specification, "Single-object encoding"): {@code
 * C3 01}, then the CRC-64-AVRO fingerprint of the writer's schema in parsing canonical form,
 * little-endian.
 */
final class SingleObject {
  static final int HEADER = 10;
  private static final byte MARK_0 = (byte) 0xC3;
  private static final byte MARK_1 = 1;

  private SingleObject() {}

  static boolean isAt(byte[] bytes) {
    return bytes.length >= 2 && bytes[0] == MARK_0 && bytes[1] == MARK_1;
  }

  static byte[] header(Schema schema) {
    return ByteBuffer.allocate(HEADER)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MARK_0)
        .put(MARK_1)
        .putLong(fingerprint(schema))
        .array();
  }

  /** The bytes must hold a whole header. */
  static long fingerprintAt(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(2);
  }

  static long fingerprint(Schema schema) {
    return SchemaNormalization.parsingFingerprint64(schema);
  }
}

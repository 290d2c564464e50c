package io.waterclock.schemas;

import java.nio.ByteBuffer;
import java.util.OptionalInt;

/** The Confluent wire format: a zero byte, then a 4-byte schema id, big-endian, then the body. */
public final class ConfluentHeader {
  static final int LENGTH = 5;

  private ConfluentHeader() {}

  static byte[] of(int id) {
    return ByteBuffer.allocate(LENGTH).putInt(1, id).array();
  }

  static boolean isAt(byte[] bytes) {
    return bytes.length > 0 && bytes[0] == 0;
  }

  /** The id of the schema that wrote the bytes; empty for any other format. */
  public static OptionalInt schemaId(byte[] bytes) {
    return isAt(bytes) && bytes.length >= LENGTH
        ? OptionalInt.of(ByteBuffer.wrap(bytes).getInt(1))
        : OptionalInt.empty();
  }
}

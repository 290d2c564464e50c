package io.waterclock.schemas;

import java.nio.ByteBuffer;

/** The Confluent wire format: a zero byte, then a 4-byte schema id, big-endian. */
final class ConfluentHeader {
  private static final int LENGTH = 5;

  private ConfluentHeader() {}

  /** Why bytes with a leading zero cannot be read. */
  static String describe(byte[] bytes) {
    if (bytes.length < LENGTH) {
      return "it begins like the Confluent wire format, but is too short for a schema id";
    }
    return "Confluent wire format (schema id "
        + Integer.toUnsignedString(ByteBuffer.wrap(bytes).getInt(1))
        + "): this version has no registry configured";
  }
}

package io.waterclock.spring.kafka;

/** A key or value that is serialized already. */
final class RawBytes {
  private final byte[] bytes;

  RawBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The array itself, for the serializer. */
  byte[] bytes() {
    return bytes;
  }
}

package io.waterclock.schemas;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.avro.io.BinaryData;
import org.apache.avro.io.BinaryEncoder;

/**
 * Avro binary encoding into an array that grows and is used again: what {@link BinaryEncoder}
 * offers, without streams and their exceptions. For one thread at a time.
 */
final class BodyEncoder extends BinaryEncoder {
  private static final int INITIAL = 1_024;
  private static final int KEPT = 1 << 20;
  private static final int MAX_LONG = 10;
  private static final int MAX_INT = 5;

  /** The first number that takes more. */
  private static final int ONE_BYTE = 64;

  private static final ThreadLocal<BodyEncoder> OF_THREAD =
      ThreadLocal.withInitial(BodyEncoder::new);

  private byte[] bytes = new byte[INITIAL];
  private int size;

  /** This thread's encoder, with a header only. Valid until the next call on the same thread. */
  static BodyEncoder ofThread(byte[] header) {
    BodyEncoder encoder = OF_THREAD.get();
    encoder.size = 0;
    if (encoder.bytes.length > KEPT) {
      encoder.bytes = new byte[INITIAL];
    }
    encoder.writeFixed(header, 0, header.length);
    return encoder;
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  @Override
  public void writeBoolean(boolean value) {
    room(1);
    bytes[size++] = value ? (byte) 1 : 0;
  }

  @Override
  public void writeInt(int value) {
    room(MAX_INT);
    size += BinaryData.encodeInt(value, bytes, size);
  }

  @Override
  public void writeLong(long value) {
    room(MAX_LONG);
    size += BinaryData.encodeLong(value, bytes, size);
  }

  @Override
  public void writeFloat(float value) {
    room(Float.BYTES);
    size += BinaryData.encodeFloat(value, bytes, size);
  }

  @Override
  public void writeDouble(double value) {
    room(Double.BYTES);
    size += BinaryData.encodeDouble(value, bytes, size);
  }

  @Override
  public void writeString(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    writeInt(utf8.length);
    writeFixed(utf8, 0, utf8.length);
  }

  @Override
  public void writeFixed(byte[] from, int start, int length) {
    room(length);
    System.arraycopy(from, start, bytes, size, length);
    size += length;
  }

  @Override
  public void writeIndex(int index) {
    writeEnum(index);
  }

  @Override
  public void writeEnum(int ordinal) {
    if (ordinal < ONE_BYTE) {
      room(1);
      bytes[size++] = (byte) (ordinal << 1);
    } else {
      writeInt(ordinal);
    }
  }

  @Override
  public void writeBytes(ByteBuffer value) {
    int length = value.remaining();
    writeInt(length);
    room(length);
    value.get(value.position(), bytes, size, length);
    size += length;
  }

  @Override
  protected void writeZero() {
    room(1);
    bytes[size++] = 0;
  }

  @Override
  public int bytesBuffered() {
    return size;
  }

  @Override
  public void flush() {}

  private void room(int more) {
    int needed = Math.addExact(size, more);
    if (needed > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes, Math.max(needed, (int) Math.min(2L * bytes.length, Integer.MAX_VALUE - 8)));
    }
  }
}

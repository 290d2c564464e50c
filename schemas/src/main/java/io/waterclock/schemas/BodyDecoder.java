package io.waterclock.schemas;

import io.waterclock.schemas.text.Utf8Text;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;

/**
 * Decodes Avro binary data from a slice of an array. Avro's own decoder trusts the lengths that it
 * reads and allocates them. This decoder checks each length against the remaining bytes, so the
 * memory for a record is at most a small multiple of its size. Every item of our arrays and maps
 * takes at least one byte, so a record may have at most as many items as bytes. The same limit
 * applies to lists in fields that our schema does not have, whose items may take no bytes. Text
 * that is not UTF-8 is an error. For one thread.
 */
final class BodyDecoder extends Decoder {
  private final byte[] bytes;
  private final int end;
  private int at;
  private long itemsLeft;

  BodyDecoder(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    this.at = offset;
    this.itemsLeft = length;
    this.end = offset + length;
  }

  int remaining() {
    return end - at;
  }

  @Override
  public void readNull() {}

  @Override
  public boolean readBoolean() throws IOException {
    byte value = next();
    if (value != 0 && value != 1) {
      throw new IOException("a boolean is " + value + " where 0 or 1 must be");
    }
    return value == 1;
  }

  @Override
  public int readInt() throws IOException {
    long value = readLong();
    if (value != (int) value) {
      throw new IOException("the number " + value + " does not fit an int");
    }
    return (int) value;
  }

  @Override
  public long readLong() throws IOException {
    long zigzag = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte b = next();
      zigzag |= (b & 0x7fL) << shift;
      if (b >= 0) {
        return (zigzag >>> 1) ^ -(zigzag & 1);
      }
    }
    throw new IOException("a number is longer than 10 bytes");
  }

  @Override
  public float readFloat() throws IOException {
    int start = take(Float.BYTES);
    return ByteBuffer.wrap(bytes, start, Float.BYTES).order(ByteOrder.LITTLE_ENDIAN).getFloat();
  }

  @Override
  public double readDouble() throws IOException {
    int start = take(Double.BYTES);
    return ByteBuffer.wrap(bytes, start, Double.BYTES).order(ByteOrder.LITTLE_ENDIAN).getDouble();
  }

  @Override
  public Utf8 readString(Utf8 old) throws IOException {
    return new Utf8(readString());
  }

  @Override
  public String readString() throws IOException {
    int length = length();
    return Utf8Text.decode(bytes, take(length), length);
  }

  @Override
  public void skipString() throws IOException {
    take(length());
  }

  @Override
  public ByteBuffer readBytes(ByteBuffer old) throws IOException {
    return readBytes();
  }

  ByteBuffer readBytes() throws IOException {
    int length = length();
    byte[] copy = new byte[length];
    System.arraycopy(bytes, take(length), copy, 0, length);
    return ByteBuffer.wrap(copy);
  }

  @Override
  public void skipBytes() throws IOException {
    take(length());
  }

  @Override
  public void readFixed(byte[] to, int start, int length) throws IOException {
    System.arraycopy(bytes, take(length), to, start, length);
  }

  @Override
  public void skipFixed(int length) throws IOException {
    take(length);
  }

  @Override
  public int readEnum() throws IOException {
    return readInt();
  }

  @Override
  public int readIndex() throws IOException {
    return readInt();
  }

  @Override
  public long readArrayStart() throws IOException {
    return blockCount();
  }

  @Override
  public long arrayNext() throws IOException {
    return blockCount();
  }

  @Override
  public long skipArray() throws IOException {
    return blockCount();
  }

  @Override
  public long readMapStart() throws IOException {
    return blockCount();
  }

  @Override
  public long mapNext() throws IOException {
    return blockCount();
  }

  @Override
  public long skipMap() throws IOException {
    return blockCount();
  }

  /** The block's size in bytes follows a negative count. Only skipping needs it. */
  private long blockCount() throws IOException {
    long count = readLong();
    if (count < 0) {
      readLong();
      count = -count;
    }
    if (count < 0 || count > remaining()) {
      throw new IOException(
          "a list claims " + count + " items with " + remaining() + " bytes left");
    }
    itemsLeft -= count;
    if (itemsLeft < 0) {
      throw new IOException("its lists claim more items than it has bytes");
    }
    return count;
  }

  private int length() throws IOException {
    long length = readLong();
    if (length < 0 || length > remaining()) {
      throw new IOException("a length is " + length + " with " + remaining() + " bytes left");
    }
    return (int) length;
  }

  private byte next() throws IOException {
    if (at == end) {
      throw new EOFException("the record ends too early");
    }
    return bytes[at++];
  }

  private int take(int length) throws IOException {
    if (length > remaining()) {
      throw new EOFException("the record ends too early");
    }
    int start = at;
    at += length;
    return start;
  }
}

package io.waterclock.topology.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.WaitingNote;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A fire as it is kept while it waits. Never compared. It takes no more bytes than its record in
 * the topic waiting: numbers are written as Kafka and Avro write them.
 *
 * @param offset of its record in the topic waiting
 */
@SuppressWarnings("ArrayRecordComponent")
record WaitingFire(long offset, WaitingNote.Terms terms, RecordHeaders headers, byte[] value) {
  private static final byte LAYOUT = 1;
  private static final long NONE = -1;

  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(value.length + 512);
    bytes.write(LAYOUT);
    BinaryEncoder out = EncoderFactory.get().directBinaryEncoder(bytes, null);
    try {
      out.writeLong(offset);
      out.writeLong(terms.expires().map(Instant::toEpochMilli).orElse(NONE));
      out.writeLong(terms.timeout().map(Duration::toMillis).orElse(NONE));
      out.writeString(terms.role().name());
      Header[] all = headers.toArray();
      out.writeInt(all.length);
      for (Header header : all) {
        write(header.key().getBytes(UTF_8), out);
        write(header.value(), out);
      }
      write(value, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(byte @Nullable [] bytes, Encoder out) throws IOException {
    out.writeInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.writeFixed(bytes);
    }
  }

  static WaitingFire of(byte[] bytes) {
    if (bytes[0] != LAYOUT) {
      throw new IllegalStateException("the store of the limiter has another layout");
    }
    try {
      Decoder in = DecoderFactory.get().binaryDecoder(bytes, 1, bytes.length - 1, null);
      long offset = in.readLong();
      Optional<Long> expires = Optional.of(in.readLong()).filter(ms -> ms != NONE);
      Optional<Long> timeout = Optional.of(in.readLong()).filter(ms -> ms != NONE);
      WaitingNote.Role role = WaitingNote.Role.valueOf(in.readString());
      RecordHeaders headers = new RecordHeaders();
      for (int left = in.readInt(); left > 0; left--) {
        headers.add(new String(given(read(in)), UTF_8), read(in));
      }
      return new WaitingFire(
          offset,
          new WaitingNote.Terms(
              expires.map(Instant::ofEpochMilli), timeout.map(Duration::ofMillis), role),
          headers,
          given(read(in)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] given(byte @Nullable [] bytes) {
    return bytes == null ? new byte[0] : bytes;
  }

  private static byte @Nullable [] read(Decoder in) throws IOException {
    int length = in.readInt();
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.readFixed(bytes);
    return bytes;
  }
}

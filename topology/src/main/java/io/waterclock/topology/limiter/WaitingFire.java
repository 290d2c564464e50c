package io.waterclock.topology.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.WaitingNote;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * A fire as it is kept while it waits. Never compared.
 *
 * @param offset of its record in the topic waiting
 */
@SuppressWarnings("ArrayRecordComponent")
record WaitingFire(long offset, WaitingNote.Terms terms, RecordHeaders headers, byte[] value) {
  private static final byte LAYOUT = 1;
  private static final long NONE = -1;

  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(value.length + 512);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(LAYOUT);
      out.writeLong(offset);
      out.writeLong(terms.expires().map(Instant::toEpochMilli).orElse(NONE));
      out.writeLong(terms.timeout().map(Duration::toMillis).orElse(NONE));
      out.writeUTF(terms.role().name());
      Header[] all = headers.toArray();
      out.writeInt(all.length);
      for (Header header : all) {
        write(header.key().getBytes(UTF_8), out); // writeUTF refuses long names
        write(header.value(), out);
      }
      write(value, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(byte @Nullable [] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.write(bytes);
    }
  }

  static WaitingFire of(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (in.readByte() != LAYOUT) {
        throw new IllegalStateException("the store of the limiter has another layout");
      }
      long offset = in.readLong();
      Optional<Long> expires = Optional.of(in.readLong()).filter(ms -> ms != NONE);
      Optional<Long> timeout = Optional.of(in.readLong()).filter(ms -> ms != NONE);
      WaitingNote.Role role = WaitingNote.Role.valueOf(in.readUTF());
      RecordHeaders headers = new RecordHeaders();
      for (int left = in.readInt(); left > 0; left--) {
        headers.add(new String(in.readNBytes(in.readInt()), UTF_8), read(in));
      }
      byte[] value = read(in);
      return new WaitingFire(
          offset,
          new WaitingNote.Terms(
              expires.map(Instant::ofEpochMilli), timeout.map(Duration::ofMillis), role),
          headers,
          value == null ? new byte[0] : value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte @Nullable [] read(DataInputStream in) throws IOException {
    int length = in.readInt();
    return length < 0 ? null : in.readNBytes(length);
  }
}

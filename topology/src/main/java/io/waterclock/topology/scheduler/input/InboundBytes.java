package io.waterclock.topology.scheduler.input;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** Encodes an input record as bytes, so that a held record can be processed later. */
public final class InboundBytes {
  /** An upper bound of the bytes that this encoding adds to key, value and headers. */
  public static final int OVERHEAD = 4096;

  private static final int ABSENT = -1;

  private InboundBytes() {}

  public static byte[] encode(Inbound inbound) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeUTF(inbound.topic());
      out.writeInt(inbound.partition());
      out.writeLong(inbound.offset());
      out.writeLong(inbound.timestamp().toEpochMilli());
      write(out, inbound.key().orElse(null));
      write(out, inbound.value().orElse(null));
      Header[] headers = inbound.headers().toArray();
      out.writeInt(headers.length);
      for (Header header : headers) {
        write(out, header.key().getBytes(StandardCharsets.UTF_8));
        write(out, header.value());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  public static Inbound decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      String topic = in.readUTF();
      int partition = in.readInt();
      long offset = in.readLong();
      Instant timestamp = Instant.ofEpochMilli(in.readLong());
      Optional<byte[]> key = read(in);
      Optional<byte[]> value = read(in);
      RecordHeaders headers = new RecordHeaders();
      for (int i = in.readInt(); i > 0; i--) {
        byte[] name = read(in).orElseThrow();
        headers.add(new String(name, StandardCharsets.UTF_8), read(in).orElse(null));
      }
      return new Inbound(key, value, headers, timestamp, topic, partition, offset);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(DataOutputStream out, byte @Nullable [] bytes) throws IOException {
    out.writeInt(bytes == null ? ABSENT : bytes.length);
    if (bytes != null) {
      out.write(bytes);
    }
  }

  private static Optional<byte[]> read(DataInputStream in) throws IOException {
    int length = in.readInt();
    return length == ABSENT ? Optional.empty() : Optional.of(in.readNBytes(length));
  }
}

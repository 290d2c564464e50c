package io.waterclock.topology.stream;

import io.waterclock.schemas.Headers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A record that was of no use, with headers that say why and where it was found. It is kept as
 * received, unless it would be too large with these headers: then its headers are left out and its
 * key and value are cut.
 */
public record DeadLetter(Optional<byte[]> key, Optional<byte[]> value, RecordHeaders headers) {
  private static final int OVERHEAD = 4096;

  /**
   * @param limit inclusive: the size of the largest record that can be written
   */
  public static DeadLetter of(Inbound inbound, String error, int limit) {
    int keySize = inbound.key().map(key -> key.length).orElse(0);
    int valueSize = inbound.value().map(value -> value.length).orElse(0);
    long size = inbound.size() + OVERHEAD;
    if (size <= limit) {
      return new DeadLetter(
          inbound.key(), inbound.value(), headers(inbound, inbound.headers().toArray(), error));
    }
    int keyRoom = Math.max(0, (limit - OVERHEAD) / 2);
    int valueRoom = Math.max(0, limit - OVERHEAD - Math.min(keySize, keyRoom));
    String cut =
        error
            + "; cut, as it is too large for this topic: it had "
            + keySize
            + " bytes of key and "
            + valueSize
            + " of value";
    return new DeadLetter(
        cut(inbound.key(), keyRoom),
        cut(inbound.value(), valueRoom),
        headers(inbound, new Header[] {}, cut));
  }

  private static Optional<byte[]> cut(Optional<byte[]> bytes, int room) {
    return bytes.map(all -> all.length <= room ? all : Arrays.copyOf(all, room));
  }

  private static RecordHeaders headers(Inbound inbound, Header[] received, String error) {
    RecordHeaders headers = new RecordHeaders(received);
    add(headers, Headers.ERROR, error);
    add(headers, Headers.ORIGIN_TOPIC, inbound.topic());
    add(headers, Headers.ORIGIN_PARTITION, Integer.toString(inbound.partition()));
    add(headers, Headers.ORIGIN_OFFSET, Long.toString(inbound.offset()));
    return headers;
  }

  private static void add(RecordHeaders headers, String key, String value) {
    headers.add(key, value.getBytes(StandardCharsets.UTF_8));
  }
}

package io.waterclock.topology.scheduler.emit;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.text.SafeText;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.input.HeaderBounds;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.RecordSize;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * An unusable record, with headers that contain the reason and its place. The record stays as
 * received, but for headers beyond their bounds, which are left out, unless it would be too large
 * with these headers: then the dead letter leaves out the received headers, truncates key and
 * value, and says so in the reason. One that is not whole has a header that says so. It never
 * exceeds the limit.
 *
 * <p>A reason of more than 8 KiB in UTF-8, or of more than a quarter of the limit, is truncated. So
 * the added headers have at most 9 KiB, and a record with that much room below the limit stays as
 * received.
 */
public record DeadLetter(Optional<byte[]> key, Optional<byte[]> value, RecordHeaders headers) {
  /** In bytes of UTF-8. */
  static final int LONGEST_REASON = Settings.Limits.DEAD_LETTER_OVERHEAD - 1024;

  /** In bytes: Kafka's limit. */
  private static final int LONGEST_TOPIC = 249;

  private static final String MORE = "...";

  /**
   * @param limit inclusive: the largest record that can be written, 1,000 bytes or more
   */
  public static DeadLetter of(Inbound inbound, String error, int limit) {
    String reason = atMost(Math.min(LONGEST_REASON, limit / 4), SafeText.line(error));
    boolean isBeyondBounds = HeaderBounds.problem(inbound.headers()).isPresent();
    Header[] received = isBeyondBounds ? new Header[] {} : inbound.headers().toArray();
    RecordHeaders all = headers(inbound, received, reason);
    if (isBeyondBounds) {
      add(all, HeaderNames.CUT, HeaderNames.TRUE);
    }
    int size = RecordSize.of(inbound.key().orElse(null), inbound.value().orElse(null), all);
    return size <= limit
        ? new DeadLetter(inbound.key(), inbound.value(), all)
        : cut(inbound, reason, limit);
  }

  private static DeadLetter cut(Inbound inbound, String reason, int limit) {
    int keySize = inbound.key().map(key -> key.length).orElse(0);
    int valueSize = inbound.value().map(value -> value.length).orElse(0);
    String cutReason =
        ("%s; cut, as it is too large for this topic: it had %s bytes of key and" + " %s of value")
            .formatted(reason, keySize, valueSize);
    RecordHeaders headers = headers(inbound, new Header[] {}, cutReason);
    add(headers, HeaderNames.CUT, HeaderNames.TRUE);
    int room = Math.max(0, limit - RecordSize.of(null, null, headers));
    int keyRoom = room / 2;
    int valueRoom = room - Math.min(keySize, keyRoom);
    return new DeadLetter(cut(inbound.key(), keyRoom), cut(inbound.value(), valueRoom), headers);
  }

  private static Optional<byte[]> cut(Optional<byte[]> bytes, int room) {
    return bytes.map(all -> all.length <= room ? all : Arrays.copyOf(all, room));
  }

  private static RecordHeaders headers(Inbound inbound, Header[] received, String reason) {
    RecordHeaders headers = new RecordHeaders(received);
    add(headers, HeaderNames.ERROR, reason);
    add(headers, HeaderNames.ORIGIN_TOPIC, atMost(LONGEST_TOPIC, inbound.topic()));
    add(headers, HeaderNames.ORIGIN_PARTITION, Integer.toString(inbound.partition()));
    add(headers, HeaderNames.ORIGIN_OFFSET, Long.toString(inbound.offset()));
    add(headers, HeaderNames.ORIGIN_TIMESTAMP, Long.toString(inbound.timestamp().toEpochMilli()));
    return headers;
  }

  private static void add(RecordHeaders headers, String key, String value) {
    headers.add(key, value.getBytes(StandardCharsets.UTF_8));
  }

  /** The text, or as many whole characters as fit with three dots. */
  private static String atMost(int bytes, String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    if (utf8.length <= bytes) {
      return text;
    }
    int end = Math.max(0, bytes - MORE.length());
    while (isWithinCharacter(utf8[end])) {
      end--;
    }
    return new String(utf8, 0, end, StandardCharsets.UTF_8) + MORE;
  }

  /** True for a byte that is not the first one of its character. */
  private static boolean isWithinCharacter(byte utf8) {
    return (utf8 & 0xC0) == 0x80;
  }
}

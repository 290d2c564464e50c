package io.waterclock.topology.scheduler.emit;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.RawHeader;
import io.waterclock.schemas.avro.RawRecord;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.avro.TargetValue;
import io.waterclock.topology.scheduler.input.RecordSize;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Creates the record for a target from a fire. */
public final class TargetRecords {
  private static final List<String> AS_ON_THE_FIRE =
      List.of(
          HeaderNames.CE_SPECVERSION,
          HeaderNames.CE_ID,
          HeaderNames.CE_SOURCE,
          HeaderNames.CE_TYPE,
          HeaderNames.CE_SUBJECT,
          HeaderNames.CE_TIME,
          HeaderNames.CAUSE,
          HeaderNames.DUE,
          HeaderNames.TYPE,
          HeaderNames.COLLAPSED,
          HeaderNames.SCHEDULE_REVISION);

  private TargetRecords() {}

  /**
   * Returns the record for a target. That is the record that the target names, with one header
   * more; or the key of the target or of the fire, the fire itself or only its payload, the fire's
   * attributes and key, and the definition's headers.
   *
   * @param fire a record of the fires topic
   * @param schedule the definition in the fire
   */
  public static Record<byte[], byte[]> of(
      Record<byte[], byte[]> fire, Schedule schedule, Target target) {
    if (target.getRecord() != null) {
      return raw(fire, schedule, target.getRecord());
    }
    RecordHeaders headers = new RecordHeaders();
    for (String name : AS_ON_THE_FIRE) {
      Optional.ofNullable(fire.headers().lastHeader(name)).ifPresent(headers::add);
    }
    boolean isPayload = target.getValue() == TargetValue.PAYLOAD;
    contentType(fire, schedule, isPayload)
        .ifPresent(type -> headers.add(HeaderNames.CONTENT_TYPE, type));
    headers.add(HeaderNames.FIRE_KEY, fire.key());
    schedule.getHeaders().forEach((name, text) -> headers.add(name, utf8(text)));
    byte[] key = target.getKey() == null ? fire.key() : utf8(target.getKey());
    byte[] value = isPayload ? payload(schedule) : fire.value();
    return new Record<>(key, value, fire.timestamp(), headers);
  }

  private static Record<byte[], byte[]> raw(
      Record<byte[], byte[]> fire, Schedule schedule, RawRecord record) {
    List<RawHeader> given = record.getHeaders();
    Header[] headers = new Header[given.size() + 1];
    for (int i = 0; i < given.size(); i++) {
      headers[i] = new RecordHeader(given.get(i).getName(), bytes(given.get(i).getValue()));
    }
    headers[given.size()] = new RecordHeader(HeaderNames.ID, scheduleId(fire.key()));
    return new Record<>(
        bytes(record.getKey()),
        bytes(schedule.getPayload()),
        fire.timestamp(),
        new RecordHeaders(headers));
  }

  /** The part of a fire key before its first bar, which no id contains. */
  public static byte[] scheduleId(byte[] fireKey) {
    int end = 0;
    while (end < fireKey.length && fireKey[end] != '|') {
      end++;
    }
    return Arrays.copyOf(fireKey, end);
  }

  private static byte @Nullable [] bytes(@Nullable ByteBuffer buffer) {
    if (buffer == null) {
      return null;
    }
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static Optional<byte[]> contentType(
      Record<byte[], byte[]> fire, Schedule schedule, boolean isPayload) {
    return isPayload
        ? Optional.ofNullable(schedule.getContentType()).map(TargetRecords::utf8)
        : Optional.ofNullable(fire.headers().lastHeader(HeaderNames.CONTENT_TYPE))
            .map(Header::value);
  }

  /** Never null, which would be a tombstone: a payload target without a payload is rejected. */
  private static byte[] payload(Schedule schedule) {
    byte[] payload = bytes(schedule.getPayload());
    return payload == null ? new byte[0] : payload;
  }

  /** An upper estimate of the record's size in its own batch. */
  public static int size(Record<byte[], byte[]> record) {
    return RecordSize.of(record.key(), record.value(), record.headers());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

package io.waterclock.topology.scheduler.emit;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.avro.TargetValue;
import io.waterclock.topology.scheduler.input.RecordSize;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;

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
   * Returns the record for a target: the key of the target or of the fire; the fire itself or only
   * its payload; the fire's attributes and key, and the definition's headers.
   *
   * @param fire a record of the fires topic
   * @param schedule the definition in the fire
   */
  public static Record<byte[], byte[]> of(
      Record<byte[], byte[]> fire, Schedule schedule, Target target) {
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

  private static Optional<byte[]> contentType(
      Record<byte[], byte[]> fire, Schedule schedule, boolean isPayload) {
    return isPayload
        ? Optional.ofNullable(schedule.getContentType()).map(TargetRecords::utf8)
        : Optional.ofNullable(fire.headers().lastHeader(HeaderNames.CONTENT_TYPE))
            .map(Header::value);
  }

  /** Never null, which would be a tombstone: a payload target without a payload is rejected. */
  private static byte[] payload(Schedule schedule) {
    ByteBuffer payload = schedule.getPayload();
    if (payload == null) {
      return new byte[0];
    }
    byte[] bytes = new byte[payload.remaining()];
    payload.duplicate().get(bytes);
    return bytes;
  }

  /** An upper estimate of the record's size in its own batch. */
  public static int size(Record<byte[], byte[]> record) {
    return RecordSize.of(record.key(), record.value(), record.headers());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

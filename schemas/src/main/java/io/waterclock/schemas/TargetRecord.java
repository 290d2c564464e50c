package io.waterclock.schemas;

import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RawHeader;
import io.waterclock.schemas.avro.RawRecord;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.avro.TargetValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The record that a fire takes to its target: the one that the target names, with one header more;
 * or the key of the target or of the fire, the fire itself or only its payload, the fire's
 * attributes and key, and the definition's headers.
 */
public record TargetRecord(Optional<byte[]> key, Optional<byte[]> value, Headers headers) {
  /** The headers that a record for a target has from its fire. */
  public static final List<String> AS_ON_THE_FIRE =
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

  /**
   * True for a delayed record: a definition that fires once, with a record of its own for its
   * target. Such definitions come by the million and interest only until they have fired. The topic
   * of revisions does not have their content.
   */
  public static boolean isDelayed(Schedule schedule) {
    return hasRecord(schedule) && schedule.getTrigger() instanceof OnceTrigger;
  }

  /** True for a definition with a record of its own for its target. */
  public static boolean hasRecord(Schedule schedule) {
    return schedule.getTarget() != null && schedule.getTarget().getRecord() != null;
  }

  /**
   * @param key of the fire's record in the topic fires
   * @param value the fire, as it is there
   * @param headers of that record
   * @param schedule the definition in the fire
   */
  public static TargetRecord of(
      byte[] key, byte[] value, Headers headers, Schedule schedule, Target target) {
    if (target.getRecord() != null) {
      return raw(key, schedule, target.getRecord());
    }
    RecordHeaders own = new RecordHeaders();
    for (String name : AS_ON_THE_FIRE) {
      Optional.ofNullable(headers.lastHeader(name)).ifPresent(own::add);
    }
    boolean isPayload = target.getValue() == TargetValue.PAYLOAD;
    contentType(headers, schedule, isPayload)
        .ifPresent(type -> own.add(HeaderNames.CONTENT_TYPE, type));
    own.add(HeaderNames.FIRE_KEY, key);
    schedule.getHeaders().forEach((name, text) -> own.add(name, utf8(text)));
    return new TargetRecord(
        Optional.of(target.getKey() == null ? key : utf8(target.getKey())),
        Optional.of(isPayload ? payload(schedule) : value),
        own);
  }

  private static TargetRecord raw(byte[] fireKey, Schedule schedule, RawRecord record) {
    List<RawHeader> given = record.getHeaders();
    Header[] headers = new Header[given.size() + 1];
    for (int i = 0; i < given.size(); i++) {
      headers[i] =
          new RecordHeader(given.get(i).getName(), optional(given.get(i).getValue()).orElse(null));
    }
    headers[given.size()] = new RecordHeader(HeaderNames.ID, scheduleId(fireKey));
    return new TargetRecord(
        optional(record.getKey()), optional(schedule.getPayload()), new RecordHeaders(headers));
  }

  /** The part of a fire key before its first bar, which no id contains. */
  public static byte[] scheduleId(byte[] fireKey) {
    int end = 0;
    while (end < fireKey.length && fireKey[end] != '|') {
      end++;
    }
    return Arrays.copyOf(fireKey, end);
  }

  private static Optional<byte[]> optional(@Nullable ByteBuffer buffer) {
    if (buffer == null) {
      return Optional.empty();
    }
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return Optional.of(bytes);
  }

  private static Optional<byte[]> contentType(
      Headers headers, Schedule schedule, boolean isPayload) {
    return isPayload
        ? Optional.ofNullable(schedule.getContentType()).map(TargetRecord::utf8)
        : Optional.ofNullable(headers.lastHeader(HeaderNames.CONTENT_TYPE)).map(Header::value);
  }

  /** Never null, which would be a tombstone: a payload target without a payload is rejected. */
  private static byte[] payload(Schedule schedule) {
    return optional(schedule.getPayload()).orElseGet(() -> new byte[0]);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

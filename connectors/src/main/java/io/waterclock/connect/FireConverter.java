package io.waterclock.connect;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.text.Quoted;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;

/**
 * Converts fires, in any of their formats, to flat structs with one field for each column of a
 * table of runs. Sink connectors use it as their {@code value.converter}; it does not write.
 * Thread-safe.
 */
public final class FireConverter extends FlatConverter<Fire> {
  static final Schema SCHEMA =
      SchemaBuilder.struct()
          .name("io.waterclock.connect.Fire")
          .field("fire_id", Schema.STRING_SCHEMA)
          .field("schedule_id", Schema.STRING_SCHEMA)
          .field("occurrence", TIME)
          .field("due", TIME)
          .field("fired_at", TIME)
          .field("cause", Schema.STRING_SCHEMA)
          .field("revision", Schema.STRING_SCHEMA)
          .field("collapsed_count", Schema.OPTIONAL_INT64_SCHEMA)
          .field("collapsed_first", MAYBE_TIME)
          .field("type", Schema.OPTIONAL_STRING_SCHEMA)
          .field("queue", Schema.OPTIONAL_STRING_SCHEMA)
          .field("priority", Schema.INT32_SCHEMA)
          .field("owner", Schema.OPTIONAL_STRING_SCHEMA)
          .field("content_type", Schema.OPTIONAL_STRING_SCHEMA)
          .field("payload", Schema.OPTIONAL_STRING_SCHEMA)
          .field("next_occurrence", MAYBE_TIME)
          .build();

  public FireConverter() {
    super("fires", RecordCodecs.fire());
  }

  @Override
  Struct struct(Fire fire) {
    Struct struct =
        new Struct(SCHEMA)
            .put("fire_id", fireId(fire))
            .put("schedule_id", scheduleId(fire.getScheduleId()))
            .put("occurrence", date(fire.getOccurrence()))
            .put("due", date(fire.getDue()))
            .put("fired_at", date(fire.getFiredAt()))
            .put("cause", fire.getCause().name())
            .put("revision", text(fire.getRevision()))
            .put("type", text(fire.getSchedule().getType()))
            .put("queue", text(fire.getSchedule().getQueue()))
            .put("priority", fire.getSchedule().getPriority())
            .put("owner", text(fire.getSchedule().getOwner()))
            .put("content_type", text(fire.getSchedule().getContentType()))
            .put("next_occurrence", date(fire.getNext()));
    Optional.ofNullable(fire.getCollapsed())
        .ifPresent(
            others ->
                struct
                    .put("collapsed_count", others.getCount())
                    .put("collapsed_first", date(others.getFirst())));
    Optional.ofNullable(fire.getSchedule().getPayload())
        .ifPresent(payload -> struct.put("payload", payload(payload)));
    return struct;
  }

  private static String fireId(Fire fire) {
    try {
      return UUID.fromString(fire.getFireId()).toString();
    } catch (IllegalArgumentException e) {
      throw new DataException(
          "the fire has the fire_id %s, which is no UUID".formatted(Quoted.of(fire.getFireId())),
          e);
    }
  }

  /** The payload as text, or in base64 if it is not text that a database stores. */
  private static String payload(ByteBuffer payload) {
    return decoded(payload)
        .orElseGet(() -> Base64.getEncoder().encodeToString(Utils.toArray(payload)));
  }

  private static Optional<String> decoded(ByteBuffer payload) {
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(payload.duplicate()).toString())
          .filter(text -> text.indexOf(ZERO) < 0);
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}

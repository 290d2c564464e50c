package io.waterclock.connect;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.registry.PatientSchemas;
import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.schemas.registry.SchemaRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.storage.Converter;
import org.jspecify.annotations.Nullable;

/**
 * Reads fires, in whichever format they are, as flat structs: a field for each column of a table of
 * runs. For sink connectors, as their {@code value.converter}; it does not write. Thread-safe.
 */
public final class FireConverter implements Converter, Versioned {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Schema TIME = Timestamp.SCHEMA;
  private static final Schema MAYBE_TIME = Timestamp.builder().optional().build();

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
          .build();

  private volatile SchemaSource schemas = SchemaSource.none();
  private volatile Optional<SchemaRegistry> registry = Optional.empty();

  @Override
  public String version() {
    return PluginVersion.get();
  }

  @Override
  public ConfigDef config() {
    return new ConfigDef()
        .define(
            RegistrySettings.URL,
            ConfigDef.Type.STRING,
            "",
            ConfigDef.Importance.MEDIUM,
            "The schema registry, for fires in Confluent's wire format; other settings of it are"
                + " those of kafka-avro-deserializer.");
  }

  /**
   * @throws ConfigException if it is for keys, or the registry's settings are wrong
   */
  @Override
  public void configure(Map<String, ?> given, boolean isKey) {
    if (isKey) {
      throw new ConfigException(
          "FireConverter is for values; the key.converter of fires is"
              + " org.apache.kafka.connect.storage.StringConverter");
    }
    Map<String, String> settings = new HashMap<>();
    given.forEach((key, value) -> settings.put(key, String.valueOf(value)));
    List<String> problems = new ArrayList<>();
    registry = RegistrySettings.parse(settings, problems).map(SchemaRegistry::new);
    if (!problems.isEmpty()) {
      throw new ConfigException(String.join("; ", problems));
    }
    registry.ifPresent(asked -> schemas = new PatientSchemas(asked, PATIENCE));
  }

  @Override
  public byte[] fromConnectData(String topic, Schema schema, Object value) {
    throw new DataException("FireConverter reads fires and does not write them");
  }

  /**
   * @throws DataException if the bytes are no fire
   * @throws RetriableException if the registry does not answer
   */
  @Override
  public SchemaAndValue toConnectData(String topic, byte @Nullable [] value) {
    if (value == null) {
      return SchemaAndValue.NULL;
    }
    try {
      return new SchemaAndValue(SCHEMA, struct(RecordCodecs.fire().decode(value, schemas)));
    } catch (UndecodableException e) {
      throw new DataException(e.getMessage(), e);
    } catch (SchemaUnavailableException e) {
      throw new RetriableException(e.getMessage(), e);
    }
  }

  private static Struct struct(Fire fire) {
    Struct struct =
        new Struct(SCHEMA)
            .put("fire_id", fire.getFireId())
            .put("schedule_id", fire.getScheduleId())
            .put("occurrence", date(fire.getOccurrence()))
            .put("due", date(fire.getDue()))
            .put("fired_at", date(fire.getFiredAt()))
            .put("cause", fire.getCause().name())
            .put("revision", fire.getRevision())
            .put("type", fire.getSchedule().getType())
            .put("queue", fire.getSchedule().getQueue())
            .put("priority", fire.getSchedule().getPriority())
            .put("owner", fire.getSchedule().getOwner())
            .put("content_type", fire.getSchedule().getContentType());
    Optional.ofNullable(fire.getCollapsed())
        .ifPresent(
            others ->
                struct
                    .put("collapsed_count", others.getCount())
                    .put("collapsed_first", date(others.getFirst())));
    Optional.ofNullable(fire.getSchedule().getPayload())
        .ifPresent(payload -> struct.put("payload", text(payload)));
    return struct;
  }

  /** A payload that is no text stands in base64. */
  private static String text(ByteBuffer payload) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(payload.duplicate()).toString();
    } catch (CharacterCodingException e) {
      byte[] bytes = new byte[payload.remaining()];
      payload.duplicate().get(bytes);
      return Base64.getEncoder().encodeToString(bytes);
    }
  }

  private static Date date(Instant instant) {
    return Date.from(instant);
  }

  @Override
  public void close() {
    registry.ifPresent(SchemaRegistry::close);
  }
}

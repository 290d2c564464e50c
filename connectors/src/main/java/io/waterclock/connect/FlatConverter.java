package io.waterclock.connect;

import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.schemas.registry.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.storage.Converter;
import org.jspecify.annotations.Nullable;

/**
 * Converts the values of one Waterclock topic, in any of its formats, to flat structs for sink
 * connectors. It does not write. Thread-safe.
 */
abstract class FlatConverter<T extends SpecificRecordBase> implements Converter, Versioned {
  static final Schema TIME = Timestamp.SCHEMA;
  static final Schema MAYBE_TIME = Timestamp.builder().optional().build();

  static final char ZERO = '\0';

  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final String values;
  private final RecordCodec<T> codec;
  private volatile SchemaSource schemas = SchemaSource.none();
  private volatile Optional<SchemaRegistry> registry = Optional.empty();

  /**
   * @param values the plural of their name, for messages
   */
  FlatConverter(String values, RecordCodec<T> codec) {
    this.values = values;
    this.codec = codec;
  }

  abstract Struct struct(T value);

  @Override
  public String version() {
    return PluginVersion.get();
  }

  @Override
  public ConfigDef config() {
    return definition().settings();
  }

  SettingDefinitions definition() {
    return new SettingDefinitions()
        .text(MEDIUM, RegistrySettings.URL)
        .doc(
            "The URL of the schema registry, for values in Confluent's wire format. Its other"
                + " settings have the names that kafka-avro-deserializer uses.");
  }

  /**
   * @throws ConfigException if the converter is for keys, or a setting is wrong
   */
  @Override
  public void configure(Map<String, ?> given, boolean isKey) {
    if (isKey) {
      throw new ConfigException(
          getClass().getSimpleName()
              + " converts values only; set key.converter to"
              + " org.apache.kafka.connect.storage.StringConverter");
    }
    registry = RegistrySettings.among(given).map(SchemaRegistry::new);
    registry.ifPresent(asked -> schemas = asked.waiting(PATIENCE));
  }

  @Override
  public byte[] fromConnectData(String topic, Schema schema, Object value) {
    throw new DataException(
        getClass().getSimpleName() + " reads " + values + " and does not write them");
  }

  /**
   * @throws DataException if the bytes are not a valid value
   * @throws RetriableException if the registry does not answer
   */
  @Override
  public SchemaAndValue toConnectData(String topic, byte @Nullable [] value) {
    if (value == null) {
      return SchemaAndValue.NULL;
    }
    try {
      Struct struct = struct(codec.decode(value, schemas));
      return new SchemaAndValue(struct.schema(), struct);
    } catch (UndecodableException e) {
      throw new DataException(e.getMessage(), e);
    } catch (SchemaUnavailableException e) {
      throw new RetriableException(e.getMessage(), e);
    }
  }

  /** The value of a nullable column. Null also for years that databases do not store. */
  static @Nullable Date date(@Nullable Instant instant) {
    return instant == null || instant.isBefore(FIRST) || instant.isAfter(LAST)
        ? null
        : Date.from(instant);
  }

  /** The value of a text column: databases do not store a zero character. */
  static @Nullable String text(@Nullable String text) {
    return text == null ? null : text.replace(ZERO, '\ufffd');
  }

  /**
   * The value of a text column that is part of a key, and so of an index, which stores no long
   * texts.
   *
   * @throws DataException if the text is not the id of a schedule
   */
  static String scheduleId(String text) {
    try {
      return ScheduleId.parse(text).value();
    } catch (InvalidIdException e) {
      throw new DataException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    registry.ifPresent(SchemaRegistry::close);
  }
}

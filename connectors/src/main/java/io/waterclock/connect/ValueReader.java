package io.waterclock.connect;

import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.registry.PatientSchemas;
import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.schemas.registry.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of one of our topics, in whichever format they are, for a converter.
 * Thread-safe.
 *
 * @param <T> what the values are
 */
final class ValueReader<T extends SpecificRecordBase> implements AutoCloseable {
  static final Schema TIME = Timestamp.SCHEMA;
  static final Schema MAYBE_TIME = Timestamp.builder().optional().build();

  static final char ZERO = '\0';

  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final String converter;
  private final RecordCodec<T> codec;
  private volatile SchemaSource schemas = SchemaSource.none();
  private volatile Optional<SchemaRegistry> registry = Optional.empty();

  /**
   * @param converter its name, for messages
   */
  ValueReader(String converter, RecordCodec<T> codec) {
    this.converter = converter;
    this.codec = codec;
  }

  static ConfigDef config() {
    return new ConfigDef()
        .define(
            RegistrySettings.URL,
            ConfigDef.Type.STRING,
            "",
            ConfigDef.Importance.MEDIUM,
            "The schema registry, for values in Confluent's wire format; other settings of it are"
                + " those of kafka-avro-deserializer.");
  }

  /**
   * @throws ConfigException if it is for keys, or the registry's settings are wrong
   */
  void configure(Map<String, ?> given, boolean isKey) {
    if (isKey) {
      throw new ConfigException(
          converter
              + " is for values; the key.converter beside it is"
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

  /**
   * @throws DataException if the bytes are no such value
   * @throws RetriableException if the registry does not answer
   */
  T read(byte[] value) {
    try {
      return codec.decode(value, schemas);
    } catch (UndecodableException e) {
      throw new DataException(e.getMessage(), e);
    } catch (SchemaUnavailableException e) {
      throw new RetriableException(e.getMessage(), e);
    }
  }

  /** For a column that may be null, as it is for what no database takes: years beyond 9999. */
  static @Nullable Date date(@Nullable Instant instant) {
    return instant == null || instant.isBefore(FIRST) || instant.isAfter(LAST)
        ? null
        : Date.from(instant);
  }

  /** For a column; no database takes a zero character in a text. */
  static @Nullable String text(@Nullable String said) {
    return said == null ? null : said.replace(ZERO, '\ufffd');
  }

  @Override
  public void close() {
    registry.ifPresent(SchemaRegistry::close);
  }
}

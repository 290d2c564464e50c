package io.waterclock.connect;

import static io.waterclock.connect.ValueReader.MAYBE_TIME;
import static io.waterclock.connect.ValueReader.TIME;
import static io.waterclock.connect.ValueReader.date;
import static io.waterclock.connect.ValueReader.text;

import io.waterclock.schemas.FireIds;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Outcome;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.storage.Converter;
import org.jspecify.annotations.Nullable;

/**
 * Reads outcomes, in whichever format they are, as flat structs: a field for each column of a table
 * of results, whose key is the fire id. A later outcome of a fire stands in the place of an earlier
 * one. For sink connectors, as their {@code value.converter}; it does not write. Thread-safe.
 */
public final class OutcomeConverter implements Converter, Versioned {
  private static final String PREFIX = "prefix";

  static final Schema SCHEMA =
      SchemaBuilder.struct()
          .name("io.waterclock.connect.Outcome")
          .field("fire_id", Schema.STRING_SCHEMA)
          .field("schedule_id", Schema.STRING_SCHEMA)
          .field("occurrence", TIME)
          .field("status", Schema.STRING_SCHEMA)
          .field("attempt", Schema.INT32_SCHEMA)
          .field("started_at", MAYBE_TIME)
          .field("ended_at", MAYBE_TIME)
          .field("output", Schema.OPTIONAL_STRING_SCHEMA)
          .field("error", Schema.OPTIONAL_STRING_SCHEMA)
          .field("reason", Schema.OPTIONAL_STRING_SCHEMA)
          .build();

  private final ValueReader<Outcome> reader =
      new ValueReader<>("OutcomeConverter", RecordCodecs.outcome());
  private volatile FireIds ids = FireIds.of(Topics.ofDefault().ceSource());

  @Override
  public String version() {
    return PluginVersion.get();
  }

  @Override
  public ConfigDef config() {
    return ValueReader.config()
        .define(
            PREFIX,
            ConfigDef.Type.STRING,
            Topics.DEFAULT_PREFIX,
            ConfigDef.Importance.MEDIUM,
            "The scheduler's prefix, from which the ids of fires follow where an outcome does not"
                + " tell them.");
  }

  /**
   * @throws ConfigException if it is for keys, or a setting is wrong
   */
  @Override
  public void configure(Map<String, ?> given, boolean isKey) {
    reader.configure(given, isKey);
    Object prefix = given.get(PREFIX);
    try {
      ids = FireIds.of(prefix == null ? Topics.ofDefault().ceSource() : source(prefix));
    } catch (InvalidIdException e) {
      throw new ConfigException(PREFIX, prefix, e.getMessage());
    }
  }

  private static String source(Object prefix) {
    return new Topics(prefix.toString()).ceSource();
  }

  @Override
  public byte[] fromConnectData(String topic, Schema schema, Object value) {
    throw new DataException("OutcomeConverter reads outcomes and does not write them");
  }

  /**
   * @throws DataException if the bytes are no outcome, or tell of no fire
   * @throws RetriableException if the registry does not answer
   */
  @Override
  public SchemaAndValue toConnectData(String topic, byte @Nullable [] value) {
    return value == null
        ? SchemaAndValue.NULL
        : new SchemaAndValue(SCHEMA, struct(reader.read(value)));
  }

  private Struct struct(Outcome outcome) {
    FireKey key = key(outcome);
    return new Struct(SCHEMA)
        .put(
            "fire_id",
            Optional.ofNullable(outcome.getFireId()).orElseGet(() -> ids.of(key).toString()))
        .put("schedule_id", key.schedule().value())
        .put("occurrence", date(key.occurrence()))
        .put("status", outcome.getState().name())
        .put("attempt", outcome.getAttempt())
        .put("started_at", date(outcome.getStartedAt()))
        .put("ended_at", date(outcome.getEndedAt()))
        .put("output", text(outcome.getOutput()))
        .put("error", text(outcome.getError()))
        .put("reason", text(outcome.getReason()));
  }

  private static FireKey key(Outcome outcome) {
    try {
      FireKey key = FireKey.parse(outcome.getFireKey());
      if (date(key.occurrence()) == null) {
        throw new DataException("the outcome is one of the occurrence " + key.occurrence());
      }
      return key;
    } catch (InvalidIdException e) {
      throw new DataException("the outcome tells of no fire: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}

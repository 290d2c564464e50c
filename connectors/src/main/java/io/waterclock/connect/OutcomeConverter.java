package io.waterclock.connect;

import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.waterclock.schemas.FireIds;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.text.Quoted;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;

/**
 * Converts outcomes, in any of their formats, to flat structs with one field for each column of a
 * table of results. The table's key is the fire id, so a later outcome of a fire replaces an
 * earlier one. Sink connectors use it as their {@code value.converter}; it does not write.
 * Thread-safe.
 */
public final class OutcomeConverter extends FlatConverter<Outcome> {
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
          .field("backfill", Schema.OPTIONAL_STRING_SCHEMA)
          .build();

  private volatile FireIds ids = FireIds.of(Topics.ofDefault().ceSource());

  public OutcomeConverter() {
    super("outcomes", RecordCodecs.outcome());
  }

  @Override
  SettingDefinitions definition() {
    return super.definition()
        .text(MEDIUM, PREFIX, Topics.DEFAULT_PREFIX)
        .doc(
            "The scheduler's prefix, from which the converter computes the ids of fires. It refuses"
                + " an outcome with another id.");
  }

  @Override
  public void configure(Map<String, ?> given, boolean isKey) {
    super.configure(given, isKey);
    String prefix = Objects.toString(given.get(PREFIX), Topics.DEFAULT_PREFIX);
    ids = FireIds.of(Setting.parse(PREFIX, prefix, Topics::new).ceSource());
  }

  @Override
  Struct struct(Outcome outcome) {
    FireKey key = key(outcome);
    return new Struct(SCHEMA)
        .put("fire_id", fireId(outcome, key))
        .put("schedule_id", key.schedule().value())
        .put("occurrence", date(key.occurrence()))
        .put("status", outcome.getState().name())
        .put("attempt", outcome.getAttempt())
        .put("started_at", date(outcome.getStartedAt()))
        .put("ended_at", date(outcome.getEndedAt()))
        .put("output", text(outcome.getOutput()))
        .put("error", text(outcome.getError()))
        .put("reason", text(outcome.getReason()))
        .put("backfill", text(outcome.getBackfill()));
  }

  /** As the scheduler, it takes no other id: that would be the row of another fire, or of none. */
  private String fireId(Outcome outcome, FireKey key) {
    String id = ids.of(key).toString();
    if (outcome.getFireId() != null && !outcome.getFireId().equals(id)) {
      throw new DataException(
          ("the outcome has the fire_id %s, and that of the fire %s is %s; set %s if the"
                  + " scheduler's prefix is another one")
              .formatted(Quoted.of(outcome.getFireId()), key, id, PREFIX));
    }
    return id;
  }

  private static FireKey key(Outcome outcome) {
    try {
      FireKey key = FireKey.parse(outcome.getFireKey());
      if (date(key.occurrence()) == null) {
        throw new DataException(
            "the outcome has the occurrence " + key.occurrence() + ", which no database stores");
      }
      return key;
    } catch (InvalidIdException e) {
      throw new DataException("the outcome names no fire: " + e.getMessage(), e);
    }
  }
}

package io.waterclock.connect;

import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.waterclock.connect.rows.IdText;
import io.waterclock.schemas.avro.Cause;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.transforms.Transformation;
import org.jspecify.annotations.Nullable;

/**
 * Turns a fire into columns of the row that defines its schedule: the time of the last run and of
 * the next run. For sinks that update rows, with {@link FireConverter} as their {@code
 * value.converter}. It shares settings with {@link ScheduleRow}, which reads the same table.
 *
 * <p>It drops fires of schedules that are not rows of the table, and fires of backfills, which
 * concern past occurrences. It does not write a column for which the fire has no value: the next
 * run after the last occurrence. Connect calls it from the task's thread.
 *
 * @param <R> the type of the records
 */
public final class RunTimes<R extends ConnectRecord<R>> implements Transformation<R>, Versioned {
  private static final String ID_COLUMN = "id.column";
  private static final String ID_PREFIX = "id.prefix";
  private static final String ID_TYPE = "id.type";
  private static final String LAST_RUN = "last_run.column";
  private static final String NEXT_RUN = "next_run.column";
  private static final String TEXT = "text";
  private static final String NUMBER = "number";
  private static final String UUID = "uuid";

  /** The JDBC sink finds the column types of PostgreSQL by the names of these schemas. */
  private static final Schema UUID_SCHEMA =
      SchemaBuilder.string().name("io.debezium.data.Uuid").version(1).build();

  private static final Schema ZONED_TIME =
      SchemaBuilder.string().name("io.debezium.time.ZonedTimestamp").version(1).build();

  private static final ConfigDef DEFINITION = definition();

  private record Columns(
      String prefix,
      String idType,
      String id,
      Optional<String> lastRun,
      Optional<String> nextRun) {}

  private @Nullable Columns columns;

  @Override
  public String version() {
    return PluginVersion.get();
  }

  @Override
  public ConfigDef config() {
    return DEFINITION;
  }

  private static ConfigDef definition() {
    return ReadyMappings.define(
            "The ready mapping with which ScheduleRow reads the table. Empty: none.")
        .text(MEDIUM, ID_TYPE, TEXT, TEXT, NUMBER, UUID)
        .doc("The type of the id's column: text, number (a whole number) or uuid.")
        .text(MEDIUM, ID_COLUMN)
        .doc("The column with the id, as in ScheduleRow.")
        .text(MEDIUM, ID_PREFIX)
        .doc("The prefix of each schedule id, as in ScheduleRow.")
        .text(MEDIUM, LAST_RUN)
        .doc("The column for the time of the last fire. Empty: none.")
        .text(MEDIUM, NEXT_RUN)
        .doc("The column for the next occurrence. Empty: none.")
        .settings();
  }

  /**
   * @throws ConfigException with the error and the fix
   */
  @Override
  public void configure(Map<String, ?> given) {
    AbstractConfig config = new AbstractConfig(DEFINITION, ReadyMappings.with(given), false);
    Columns read =
        new Columns(
            config.getString(ID_PREFIX),
            config.getString(ID_TYPE),
            Setting.text(config, ID_COLUMN)
                .orElseThrow(
                    () ->
                        new ConfigException(
                            ID_COLUMN + " is missing: set it to the column with the row's id")),
            Setting.text(config, LAST_RUN),
            Setting.text(config, NEXT_RUN));
    if (read.lastRun().isEmpty() && read.nextRun().isEmpty()) {
      throw new ConfigException(
          "no column is configured: set " + LAST_RUN + ", " + NEXT_RUN + " or both");
    }
    columns = read;
  }

  /**
   * @return null for a fire that changes no row
   * @throws DataException if the record is not a fire from FireConverter
   */
  @Override
  public @Nullable R apply(R record) {
    if (record.value() == null) {
      return null;
    }
    if (!(record.value() instanceof Struct fire)
        || fire.schema().field("next_occurrence") == null) {
      throw new DataException(
          "the record is not a fire: set value.converter to io.waterclock.connect.FireConverter");
    }
    Columns wanted = configured();
    boolean isBackfill = fire.getString("cause").equals(Cause.BACKFILL.name());
    Optional<Object> id = isBackfill ? Optional.empty() : id(wanted, fire.getString("schedule_id"));
    return id.map(row -> row(wanted, row, fire))
        .filter(row -> row.schema().fields().size() > 1)
        .map(row -> with(record, row))
        .orElse(null);
  }

  private static Optional<Object> id(Columns wanted, String scheduleId) {
    if (!scheduleId.startsWith(wanted.prefix())) {
      return Optional.empty();
    }
    String rest = IdText.read(scheduleId.substring(wanted.prefix().length()));
    return switch (wanted.idType()) {
      case NUMBER -> number(rest);
      case UUID ->
          rest.matches("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
              ? Optional.of(rest)
              : Optional.empty();
      default -> Optional.of(rest);
    };
  }

  private static Optional<Object> number(String text) {
    try {
      return Optional.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Struct row(Columns wanted, Object id, Struct fire) {
    Map<String, Instant> times = new HashMap<>();
    wanted.lastRun().ifPresent(column -> time(fire, "fired_at", column, times));
    if (!fire.getString("cause").equals(Cause.TRIGGERED.name())) {
      wanted.nextRun().ifPresent(column -> time(fire, "next_occurrence", column, times));
    }
    SchemaBuilder schema = SchemaBuilder.struct().name("io.waterclock.connect.RunTimes");
    schema.field(wanted.id(), idSchema(wanted.idType()));
    times.keySet().forEach(column -> schema.field(column, ZONED_TIME));
    Struct row = new Struct(schema.build()).put(wanted.id(), id);
    times.forEach((column, time) -> row.put(column, time.toString()));
    return row;
  }

  private static void time(Struct fire, String field, String column, Map<String, Instant> into) {
    if (fire.get(field) instanceof Date date) {
      into.put(column, date.toInstant());
    }
  }

  private static Schema idSchema(String type) {
    return switch (type) {
      case NUMBER -> Schema.INT64_SCHEMA;
      case UUID -> UUID_SCHEMA;
      default -> Schema.STRING_SCHEMA;
    };
  }

  private R with(R from, Struct row) {
    return from.newRecord(
        from.topic(),
        from.kafkaPartition(),
        from.keySchema(),
        from.key(),
        row.schema(),
        row,
        from.timestamp(),
        from.headers());
  }

  private Columns configured() {
    if (columns == null) {
      throw new IllegalStateException("call configure first");
    }
    return columns;
  }

  @Override
  public void close() {}
}

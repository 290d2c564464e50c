package io.waterclock.connect;

import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;

import io.waterclock.connect.rows.IdText;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Instant;
import java.util.Date;
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
 * Turns fires and outcomes into columns of the row that defines their schedule. For sinks that
 * update rows. It shares settings with {@link ScheduleRow}, which reads the same table.
 *
 * <p>With {@link FireConverter} as the sink's {@code value.converter} it writes the time of the
 * next run: the next occurrence, if it was still to come when the schedule fired. With {@link
 * OutcomeConverter} it writes the time of the last run: when a worker started its first attempt. A
 * fire that no worker starts is no run.
 *
 * <p>It drops records of schedules that are not rows of the table, and fires of backfills, which
 * concern past occurrences. Connect calls it from the task's thread.
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
        .doc("The column for the time when the last run started, from outcomes. Empty: none.")
        .text(MEDIUM, NEXT_RUN)
        .doc("The column for the next occurrence, from fires. Empty: none.")
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
   * @return null for a record that changes no row
   * @throws DataException if the record is from neither FireConverter nor OutcomeConverter
   */
  @Override
  public @Nullable R apply(R record) {
    if (record.value() == null) {
      return null;
    }
    Columns wanted = configured();
    if (record.value() instanceof Struct read) {
      if (FireConverter.SCHEMA.name().equals(read.schema().name())) {
        return written(record, wanted, read, wanted.nextRun(), nextRun(read));
      }
      if (OutcomeConverter.SCHEMA.name().equals(read.schema().name())) {
        return written(record, wanted, read, wanted.lastRun(), lastRun(read));
      }
    }
    throw new DataException(
        "the record is neither a fire nor an outcome: set value.converter to"
            + " io.waterclock.connect.FireConverter for the next run, or to"
            + " io.waterclock.connect.OutcomeConverter for the last run");
  }

  /** Empty after the last occurrence, and for fires of past occurrences. */
  private static Optional<Instant> nextRun(Struct fire) {
    return fire.getString("cause").equals(Cause.BACKFILL.name())
        ? Optional.empty()
        : time(fire, "next_occurrence")
            .filter(next -> next.isAfter(time(fire, "fired_at").orElse(Instant.MAX)));
  }

  /**
   * Empty unless a run starts: a retry belongs to the run whose first attempt failed, and a
   * backfill is no run of the schedule.
   */
  private static Optional<Instant> lastRun(Struct outcome) {
    return outcome.getString("status").equals(OutcomeState.STARTED.name())
            && outcome.getString("backfill") == null
            && outcome.getInt32("attempt") == 1
        ? time(outcome, "started_at")
        : Optional.empty();
  }

  private static Optional<Instant> time(Struct from, String field) {
    return from.get(field) instanceof Date date ? Optional.of(date.toInstant()) : Optional.empty();
  }

  private @Nullable R written(
      R record, Columns wanted, Struct read, Optional<String> column, Optional<Instant> time) {
    Optional<Object> id = id(wanted, read.getString("schedule_id"));
    return id.isPresent() && column.isPresent() && time.isPresent()
        ? with(record, row(wanted, id.get(), column.get(), time.get()))
        : null;
  }

  /**
   * Empty where no row has the schedule, such as 007 or ~2B7 where ids are numbers. Also where the
   * id has a zero character, as no row has: databases refuse to look.
   */
  private static Optional<Object> id(Columns wanted, String scheduleId) {
    return scheduleId.startsWith(wanted.prefix())
        ? IdText.read(scheduleId.substring(wanted.prefix().length()))
            .flatMap(text -> id(wanted.idType(), text))
        : Optional.empty();
  }

  private static Optional<Object> id(String type, String text) {
    return switch (type) {
      case NUMBER -> number(text);
      case UUID ->
          text.matches("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
              ? Optional.of(text)
              : Optional.empty();
      default -> Optional.<Object>of(text).filter(id -> text.indexOf(FlatConverter.ZERO) < 0);
    };
  }

  private static Optional<Object> number(String text) {
    try {
      long number = Long.parseLong(text);
      return Optional.<Object>of(number).filter(id -> text.equals(Long.toString(number)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Struct row(Columns wanted, Object id, String column, Instant time) {
    Schema schema =
        SchemaBuilder.struct()
            .name("io.waterclock.connect.RunTimes")
            .field(wanted.id(), idSchema(wanted.idType()))
            .field(column, ZONED_TIME)
            .build();
    return new Struct(schema).put(wanted.id(), id).put(column, time.toString());
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

package io.waterclock.connect;

import io.waterclock.connect.rows.RowChange;
import io.waterclock.connect.rows.RowResult;
import io.waterclock.connect.rows.RowRules;
import io.waterclock.schemas.Headers;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.ExportedState;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.transforms.Transformation;
import org.jspecify.annotations.Nullable;

/**
 * Turns rows of a table, or Debezium's change events, into records of the topic of schedules: the
 * key is the schedule's id, the value its definition as JSON, a delete is a tombstone. What cannot
 * be a schedule goes to another topic, with the reason in a header, and stops nothing.
 *
 * <p>Keys and values are text: the connector's {@code key.converter} and {@code value.converter}
 * must be {@code org.apache.kafka.connect.storage.StringConverter}, its {@code header.converter}
 * the default. A record bears the time at which the row was changed, so that an edit takes effect
 * when it was made, however late it is read.
 *
 * <p>Used by one task's thread, as all transformations are. Costs a parse of the definition.
 *
 * @param <R> the kind of record
 */
public final class ScheduleRow<R extends ConnectRecord<R>> implements Transformation<R>, Versioned {
  private static final int MAX_REASON = 4_000;
  private static final int MOST_BYTES_OF_A_CHAR = 3;

  private final InstantSource clock;
  private @Nullable ScheduleRowConfig config;
  private @Nullable RowRules rules;

  public ScheduleRow() {
    this(InstantSource.system());
  }

  ScheduleRow(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public String version() {
    return PluginVersion.get();
  }

  @Override
  public ConfigDef config() {
    return ScheduleRowConfig.DEFINITION;
  }

  @Override
  public void configure(Map<String, ?> given) {
    ScheduleRowConfig read = ScheduleRowConfig.of(given);
    config = read;
    rules = new RowRules(read.mapping());
  }

  @Override
  public @Nullable R apply(R record) {
    try {
      Optional<RowChange> change = RowChanges.of(record, settings().idColumn(), clock.instant());
      return change.isEmpty() ? null : write(record, change.get());
    } catch (DataException e) {
      return refused(
          record, new RowResult.Refused(Optional.empty(), String.valueOf(e.getMessage())));
    }
  }

  private R write(R record, RowChange change) {
    RowResult result = rules().apply(change);
    if (result instanceof RowResult.Refused refused) {
      return refused(record, refused);
    }
    long at = change.at().toEpochMilli();
    if (result instanceof RowResult.Deletes deletes) {
      return make(record, deletes.id().value(), null, at, new ConnectHeaders());
    }
    RowResult.Defines defines = (RowResult.Defines) result;
    String definition = defines.definition().toString();
    int bytes = size(definition);
    if (bytes > settings().maxBytes()) {
      return refused(
          record,
          new RowResult.Refused(
              Optional.of(defines.id().value()),
              "the definition has "
                  + bytes
                  + " bytes, and max.bytes allows "
                  + settings().maxBytes()
                  + "; store what is large elsewhere, and let the payload say where"));
    }
    ConnectHeaders headers = new ConnectHeaders();
    defines.beginsWith().ifPresent(state -> headers.addString(Headers.IMPORT, text(state)));
    return make(record, defines.id().value(), definition, at, headers);
  }

  private R make(R from, String id, @Nullable String value, long at, ConnectHeaders headers) {
    return from.newRecord(
        settings().topic(),
        null,
        Schema.STRING_SCHEMA,
        id,
        Schema.OPTIONAL_STRING_SCHEMA,
        value,
        at,
        headers);
  }

  private R refused(R from, RowResult.Refused refused) {
    String reason = refused.reason();
    ConnectHeaders headers = new ConnectHeaders();
    headers.addString(
        Headers.ERROR, reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON) : reason);
    headers.addString(Headers.ORIGIN_TOPIC, from.topic());
    return from.newRecord(
        settings().errorsTopic(),
        null,
        Schema.OPTIONAL_STRING_SCHEMA,
        refused.id().orElseGet(() -> PlainValues.text(from.key())),
        Schema.OPTIONAL_STRING_SCHEMA,
        within(PlainValues.text(from.value())),
        clock.millis(),
        headers);
  }

  /** As much of a row as a record may hold. */
  private @Nullable String within(@Nullable String row) {
    return row == null || size(row) <= settings().maxBytes()
        ? row
        : row.substring(0, Math.min(row.length(), settings().maxBytes() / MOST_BYTES_OF_A_CHAR));
  }

  private static int size(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** As text, since Connect's default converter of headers writes bytes as base64. */
  private static String text(ExportedState state) {
    return new String(
        RecordCodecs.exportedState().encode(state, WireFormat.JSON), StandardCharsets.UTF_8);
  }

  private ScheduleRowConfig settings() {
    return started(config);
  }

  private RowRules rules() {
    return started(rules);
  }

  private static <T> T started(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("configure comes first");
    }
    return part;
  }

  @Override
  public void close() {}
}

package io.waterclock.connect;

import io.waterclock.connect.rows.RowChange;
import io.waterclock.connect.rows.RowResult;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.text.SafeText;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.components.Versioned;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.transforms.Transformation;
import org.jspecify.annotations.Nullable;

/**
 * Turns rows of a table, or Debezium's change events, into records of the schedules topic: the key
 * is the schedule's id, the value is its definition as JSON, and a delete is a tombstone. An update
 * that only makes a row due now is a command that triggers its schedule. It sends a row that cannot
 * be a schedule to another topic, with the reason in a header, and the task continues.
 *
 * <p>Keys and values are text: the connector's {@code key.converter} and {@code value.converter}
 * must be {@code org.apache.kafka.connect.storage.StringConverter}, its {@code header.converter}
 * the default. A record has the time of the row's change, so an edit takes effect from that time,
 * however late the task reads it.
 *
 * <p>Connect calls it from the task's thread. A call parses the definition.
 */
public final class ScheduleRow<R extends ConnectRecord<R>> implements Transformation<R>, Versioned {
  private static final int MAX_REASON = 4_000;
  private static final int MOST_BYTES_OF_A_CHAR = 3;

  private final InstantSource clock;
  private @Nullable ScheduleRowConfig config;

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
    config = ScheduleRowConfig.of(given);
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
    RowResult result = settings().rules().apply(change);
    if (result instanceof RowResult.Refused refused) {
      return refused(record, refused);
    }
    long at = change.at().toEpochMilli();
    if (result instanceof RowResult.Deletes deletes) {
      return make(record, settings().topic(), deletes.id(), null, at, new ConnectHeaders());
    }
    if (result instanceof RowResult.Triggers triggers) {
      String command = text(RecordCodecs.command(), triggers.command());
      return make(
          record, settings().commandsTopic(), triggers.id(), command, at, new ConnectHeaders());
    }
    RowResult.Defines defines = (RowResult.Defines) result;
    String definition = defines.definition().toString();
    int bytes = size(definition);
    if (bytes > settings().maxBytes()) {
      return refused(
          record,
          new RowResult.Refused(
              Optional.of(defines.id().value()),
              ("the definition has %s bytes, and max.bytes allows %s; store large data"
                      + " elsewhere, and put its address into the payload")
                  .formatted(bytes, settings().maxBytes())));
    }
    ConnectHeaders headers = new ConnectHeaders();
    defines
        .beginsWith()
        .ifPresent(
            state ->
                headers.addString(HeaderNames.IMPORT, text(RecordCodecs.exportedState(), state)));
    return make(record, settings().topic(), defines.id(), definition, at, headers);
  }

  private R make(
      R from,
      String topic,
      ScheduleId id,
      @Nullable String value,
      long at,
      ConnectHeaders headers) {
    return from.newRecord(
        topic,
        null,
        Schema.STRING_SCHEMA,
        id.value(),
        Schema.OPTIONAL_STRING_SCHEMA,
        value,
        at,
        headers);
  }

  private R refused(R from, RowResult.Refused refused) {
    ConnectHeaders headers = new ConnectHeaders();
    headers.addString(HeaderNames.ERROR, SafeText.cut(refused.reason(), MAX_REASON));
    headers.addString(HeaderNames.ORIGIN_TOPIC, from.topic());
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

  /** The beginning of a row that fits into a record. */
  private @Nullable String within(@Nullable String row) {
    return row == null || size(row) <= settings().maxBytes()
        ? row
        : SafeText.beginning(row, settings().maxBytes() / MOST_BYTES_OF_A_CHAR);
  }

  private static int size(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** As text: Connect's default header converter writes bytes as base64. */
  private static <T extends SpecificRecordBase> String text(RecordCodec<T> codec, T value) {
    return new String(codec.encode(value, WireFormat.JSON), StandardCharsets.UTF_8);
  }

  private ScheduleRowConfig settings() {
    if (config == null) {
      throw new IllegalStateException("call configure first");
    }
    return config;
  }

  @Override
  public void close() {}
}

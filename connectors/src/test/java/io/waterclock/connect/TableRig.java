package io.waterclock.connect;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.testkit.SchedulerHarness;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * A table whose changes reach a scheduler as Debezium's events: through {@link ScheduleRow},
 * without a database or a broker. All happens at the scheduler's time.
 */
final class TableRig implements AutoCloseable {
  static final Schema MICROS =
      SchemaBuilder.int64().name("io.debezium.time.MicroTimestamp").optional().build();
  static final Schema TEXT = Schema.OPTIONAL_STRING_SCHEMA;
  static final Schema LONG = Schema.OPTIONAL_INT64_SCHEMA;
  static final Schema INT = Schema.OPTIONAL_INT32_SCHEMA;
  static final Schema BOOL = Schema.OPTIONAL_BOOLEAN_SCHEMA;

  /** A dead letter. */
  record Bad(@Nullable Object key, @Nullable Object value, String reason) {}

  final SchedulerHarness scheduler;
  final List<Bad> bad = new ArrayList<>();
  private final ScheduleRow<SourceRecord> transformation;
  private final Schema row;
  private final Schema key;
  private final String keyColumn;
  private boolean wholeRows;

  TableRig(String mapping, String keyColumn, Map<String, Schema> columns, Instant now) {
    this(Map.of("mapping", mapping, "id.is.primary.key", "true"), keyColumn, columns, now);
  }

  TableRig(
      Map<String, String> settings, String keyColumn, Map<String, Schema> columns, Instant now) {
    this.scheduler = SchedulerHarness.startingAt(now);
    this.transformation = new ScheduleRow<>((InstantSource) scheduler::now);
    transformation.configure(settings);
    SchemaBuilder rowBuilder = SchemaBuilder.struct().name("db.public.table.Value").optional();
    columns.forEach(rowBuilder::field);
    this.row = rowBuilder.build();
    this.keyColumn = keyColumn;
    this.key =
        SchemaBuilder.struct()
            .name("db.public.table.Key")
            .field(keyColumn, Optional.ofNullable(columns.get(keyColumn)).orElseThrow())
            .build();
  }

  /** As after {@code ALTER TABLE ... REPLICA IDENTITY FULL}. */
  TableRig withWholeRows() {
    wholeRows = true;
    return this;
  }

  static Map<String, @Nullable Object> row(Object... namesAndValues) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      row.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return row;
  }

  static Map<String, @Nullable Object> with(
      Map<String, @Nullable Object> row, String name, @Nullable Object value) {
    Map<String, @Nullable Object> changed = new LinkedHashMap<>(row);
    changed.put(name, value);
    return changed;
  }

  void insert(Map<String, @Nullable Object> after) {
    event("c", null, after);
  }

  void snapshot(Map<String, @Nullable Object> after) {
    event("r", null, after);
  }

  /** Debezium reports a changed key as a delete and an insert. */
  void update(Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
    if (Objects.equals(before.get(keyColumn), after.get(keyColumn))) {
      event("u", wholeRows ? before : null, after);
    } else {
      delete(before);
      event("c", null, after, before.get(keyColumn));
    }
  }

  void delete(Map<String, @Nullable Object> before) {
    event("d", before, null);
  }

  void advance(Duration time) {
    scheduler.advance(time);
  }

  /** The fires so far: their times of day in UTC and the number of collapsed occurrences. */
  List<String> fires(String id) {
    return scheduler.fires(id).stream()
        .map(
            fire ->
                fire.getOccurrence().toString().substring(11, 19)
                    + (fire.getCollapsed() == null ? "" : " +" + fire.getCollapsed().getCount()))
        .toList();
  }

  private void event(
      String op,
      @Nullable Map<String, @Nullable Object> before,
      @Nullable Map<String, @Nullable Object> after) {
    event(op, before, after, null);
  }

  private void event(
      String op,
      @Nullable Map<String, @Nullable Object> before,
      @Nullable Map<String, @Nullable Object> after,
      @Nullable Object oldKey) {
    Schema source = SchemaBuilder.struct().field("ts_ms", Schema.INT64_SCHEMA).build();
    Schema envelope =
        SchemaBuilder.struct()
            .name("db.public.table.Envelope")
            .field("before", row)
            .field("after", row)
            .field("source", source)
            .field("op", Schema.STRING_SCHEMA)
            .build();
    Struct value =
        new Struct(envelope)
            .put("before", struct(before))
            .put("after", struct(after))
            .put("source", new Struct(source).put("ts_ms", scheduler.now().toEpochMilli()))
            .put("op", op);
    Map<String, @Nullable Object> whole = after == null ? before : after;
    Struct id = new Struct(key).put(keyColumn, whole == null ? null : whole.get(keyColumn));
    SourceRecord record =
        new SourceRecord(Map.of(), Map.of(), "db.public.table", null, key, id, envelope, value, 0L);
    if (oldKey != null) {
      record.headers().add("__debezium.oldkey", new Struct(key).put(keyColumn, oldKey), key);
    }
    deliver(record);
  }

  private @Nullable Struct struct(@Nullable Map<String, @Nullable Object> values) {
    if (values == null) {
      return null;
    }
    Struct struct = new Struct(row);
    values.forEach(
        (name, value) ->
            struct.put(
                name,
                value instanceof Instant at
                    ? ChronoUnit.MICROS.between(Instant.EPOCH, at)
                    : value));
    return struct;
  }

  private void deliver(SourceRecord record) {
    SourceRecord out = transformation.apply(record);
    if (out == null) {
      return;
    }
    Map<String, String> headers = new HashMap<>();
    for (Header header : out.headers()) {
      headers.put(header.key(), String.valueOf(header.value()));
    }
    if (out.topic().equals(scheduler.topics().commands())) {
      scheduler.command(
          (String) out.key(),
          ((String) out.value()).getBytes(StandardCharsets.UTF_8),
          Instant.ofEpochMilli(out.timestamp()),
          new RecordHeaders());
      return;
    }
    if (!out.topic().equals(scheduler.topics().schedules())) {
      bad.add(new Bad(out.key(), out.value(), headers.getOrDefault(HeaderNames.ERROR, "")));
      return;
    }
    RecordHeaders all = new RecordHeaders();
    headers.forEach((name, value) -> all.add(name, value.getBytes(StandardCharsets.UTF_8)));
    scheduler.send(
        (String) out.key(),
        out.value() == null ? null : ((String) out.value()).getBytes(StandardCharsets.UTF_8),
        Instant.ofEpochMilli(out.timestamp()),
        all);
  }

  @Override
  public void close() {
    scheduler.close();
  }
}

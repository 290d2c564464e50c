package io.waterclock.connect;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** Rows of the tables that have a ready mapping, with right, extreme and wrong values. */
final class OddRows {
  private static final String NOON = "2026-03-04T12:00:00Z";

  /** By the names of the mappings. */
  private static final Map<String, Map<String, Object>> RIGHT =
      Map.of(
          "jobs",
          Map.of(
              "name",
              "a",
              "job_class",
              "J",
              "anchor",
              NOON,
              "interval",
              5L,
              "interval_unit",
              "minutes",
              "timezone",
              "UTC",
              "args",
              "{}",
              "priority",
              1L,
              "enabled",
              true,
              "catch_up",
              false),
          "polls",
          Map.of("guid", "a", "interval", 60L, "next_run", NOON, "last_run", NOON, "owner", "o"),
          "workflows",
          Map.of(
              "id",
              7L,
              "workflow_id",
              "w",
              "schedule_type",
              "one-time",
              "schedule_expr",
              NOON,
              "status",
              "active",
              "input_data",
              "{}"),
          "tasks",
          Map.of(
              "id",
              "a",
              "kind",
              "interval",
              "interval_ms",
              60_000L,
              "paused",
              false,
              "next_run_at",
              NOON));

  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "now",
          "a",
          "active",
          "cron",
          "once",
          "interval",
          "one-time",
          "true",
          "30m",
          "1 month",
          "* * * * *",
          "*/7 3 L * *",
          "@daily",
          "minutes",
          "UTC",
          "Mars/Base",
          "{}",
          "{\"a\":1e999999999}",
          "[",
          "2026-03-04T10:00:00Z",
          "2026-03-04 10:00:00",
          "+999999999-12-31T23:59:59Z",
          "-999999999-01-01T00:00:00Z",
          "P1Y2M3DT4H",
          "PT-1S",
          "999999999999999999999",
          "1e999999999",
          "-1",
          "0",
          "infinity",
          "__debezium_unavailable_value",
          "\u0000\ud800",
          "x".repeat(300));
  private static final List<Number> NUMBERS =
      List.of(
          0L,
          1L,
          -1L,
          60,
          Integer.MIN_VALUE,
          Long.MAX_VALUE,
          Long.MIN_VALUE,
          (byte) 1,
          0.5,
          Double.NaN,
          Float.NEGATIVE_INFINITY,
          1e300,
          new BigDecimal("1E+400"),
          new BigDecimal("5.00"));
  private static final List<String> TIMES =
      List.of(
          "io.debezium.time.Timestamp", "io.debezium.time.MicroTimestamp",
          "io.debezium.time.NanoTimestamp", "io.debezium.time.MicroDuration");
  private static final List<String> TIME_TEXTS =
      List.of("io.debezium.time.ZonedTimestamp", "io.debezium.time.Interval");
  private static final List<String> OPS = List.of("c", "u", "d", "r", "t", "x");

  private final SplittableRandom random;
  private final Map<String, Object> right;
  private final String idColumn;

  OddRows(SplittableRandom random, String mapping) {
    this.random = random;
    this.right = RIGHT.getOrDefault(mapping, Map.of());
    this.idColumn =
        List.of("name", "guid", "id").stream().filter(right::containsKey).findFirst().orElseThrow();
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  SourceRecord record() {
    Object value = random.nextBoolean() ? map() : struct();
    if (random.nextBoolean()) {
      Map<String, @Nullable Object> event = new HashMap<>();
      event.put("op", one(OPS));
      event.put("before", random.nextBoolean() ? null : map());
      event.put("after", random.nextInt(10) == 0 ? null : value);
      event.put("ts_ms", one(NUMBERS));
      value = event;
    }
    Object key = isOdd() ? oddKey() : key(value);
    return new SourceRecord(
        Map.of(), Map.of(), "t", null, null, key, null, random.nextInt(50) == 0 ? null : value);
  }

  private Object oddKey() {
    return random.nextBoolean() ? Map.of("id", one(TEXTS)) : one(TEXTS);
  }

  /** The value of the row's id, from the source. */
  private @Nullable Object key(Object value) {
    Object row =
        value instanceof Map<?, ?> event && event.get("after") != null ? event.get("after") : value;
    if (row instanceof Struct struct) {
      return struct.schema().field(idColumn) == null ? null : struct.get(idColumn);
    }
    return row instanceof Map<?, ?> columns ? columns.get(idColumn) : null;
  }

  /** Right but for some columns. */
  private Map<String, @Nullable Object> map() {
    Map<String, @Nullable Object> row = new LinkedHashMap<>(right);
    row.replaceAll((column, value) -> isOdd() ? plain() : value);
    return row;
  }

  private boolean isOdd() {
    return random.nextInt(5) == 0;
  }

  private @Nullable Object plain() {
    List<Supplier<@Nullable Object>> kinds =
        List.of(
            () -> one(TEXTS),
            () -> one(TEXTS),
            () -> one(TEXTS),
            () -> one(NUMBERS),
            random::nextBoolean,
            () -> null,
            () -> new byte[] {1, (byte) 200},
            () -> List.of(1, "a"));
    return one(kinds).get();
  }

  private Struct struct() {
    SchemaBuilder schema = SchemaBuilder.struct();
    Map<String, Object> values = new HashMap<>();
    right.forEach(
        (column, value) -> {
          if (!isOdd()) {
            schema.field(column, schema(value));
            values.put(column, value);
          } else if (random.nextBoolean()) {
            schema.field(column, SchemaBuilder.int64().name(one(TIMES)).build());
            values.put(column, one(NUMBERS).longValue());
          } else {
            schema.field(column, SchemaBuilder.string().name(one(TIME_TEXTS)).build());
            values.put(column, one(TEXTS));
          }
        });
    Struct row = new Struct(schema.build());
    values.forEach(row::put);
    return row;
  }

  private static Schema schema(Object value) {
    if (value instanceof Long) {
      return Schema.INT64_SCHEMA;
    }
    return value instanceof Boolean ? Schema.BOOLEAN_SCHEMA : Schema.STRING_SCHEMA;
  }
}

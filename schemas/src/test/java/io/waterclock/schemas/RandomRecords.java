package io.waterclock.schemas;

import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;

/** Valid records of any type, drawn from a seed. Fields hold their default half of the time. */
public final class RandomRecords {
  private static final List<String> ZONES = List.of("Europe/Berlin", "+02:00", "Z", "Africa/Cairo");
  private static final List<String> CONTENT_TYPES =
      List.of("application/json", "application/vnd.x+json; v=1", "text/plain", "application/xml");
  private static final List<String> PAYLOADS =
      List.of(
          "{\"amount\":42,\"text\":\"Zürich 🕰\"}",
          "{ \"spaced\": 1.50 }",
          "[1.50,1e3,-0.0,123456789012345678901234567890]",
          "null",
          "\"text\"",
          "{\"a\":1,\"a\":2}",
          "plain text",
          "");

  private final SplittableRandom random;

  public RandomRecords(long seed) {
    this.random = new SplittableRandom(seed);
  }

  public <T extends SpecificRecordBase> T next(RecordCodec<T> codec) {
    @SuppressWarnings("unchecked")
    T record = (T) record(codec.schema());
    return record;
  }

  private SpecificRecordBase record(Schema schema) {
    SpecificData data = SpecificData.getForSchema(schema);
    SpecificRecordBase record = (SpecificRecordBase) data.newRecord(null, schema);
    for (Schema.Field field : schema.getFields()) {
      boolean isDefault = field.hasDefaultValue() && random.nextBoolean();
      Object value =
          isDefault
              ? data.deepCopy(field.schema(), data.getDefaultValue(field))
              : value(field.name(), field.schema());
      record.put(field.pos(), value);
    }
    if (record instanceof Schedule schedule && schedule.getTimeoutNone()) {
      schedule.setTimeoutMs(null);
    }
    return record;
  }

  private Object value(String name, Schema schema) {
    if (name.equals("trigger") && schema.getType() == Schema.Type.UNION) {
      return trigger();
    }
    if (schema.getLogicalType() instanceof LogicalTypes.TimestampMillis) {
      return instant();
    }
    if (schema.getLogicalType() instanceof LogicalTypes.Date) {
      return LocalDate.ofEpochDay(random.nextInt(100_000));
    }
    return switch (schema.getType()) {
      case UNION -> value(name, pick(schema.getTypes().stream().filter(this::isNotNull).toList()));
      case RECORD -> record(schema);
      case STRING -> text(name);
      case BOOLEAN -> random.nextBoolean();
      case INT -> random.nextInt() >>> random.nextInt(32);
      case LONG -> name.endsWith("_ms") ? number() & Long.MAX_VALUE : number();
      case BYTES -> bytes();
      case ENUM -> SpecificData.get().createEnum(pick(schema.getEnumSymbols()), schema);
      case ARRAY -> list(schema);
      case MAP -> map(schema);
      default -> throw new IllegalArgumentException(schema.toString());
    };
  }

  private boolean isNotNull(Schema schema) {
    return schema.getType() != Schema.Type.NULL;
  }

  private Object trigger() {
    return switch (random.nextInt(10)) {
      case 6 -> new RRuleTrigger("FREQ=DAILY;COUNT=" + random.nextInt(9), null, null);
      case 7 -> new RRuleTrigger("FREQ=MONTHLY;BYDAY=-1FR", instant(), null);
      case 8 -> new RRuleTrigger("FREQ=DAILY", null, local());
      case 9 -> new EveryTrigger(1L + random.nextInt(100), Unit.DAY, null, local());
      case 0 -> new CronTrigger("0 9 * * " + random.nextInt(7));
      case 1 ->
          new EveryTrigger(1L + random.nextInt(100), pick(List.of(Unit.values())), null, null);
      case 2 ->
          new EveryTrigger(
              1L + random.nextInt(1 << 20), pick(List.of(Unit.values())), instant(), null);
      case 3 -> new OnceTrigger(instant(), null);
      case 4 -> new OnceTrigger(null, number() & Long.MAX_VALUE);
      default -> new OnceTrigger(null, 0L);
    };
  }

  private LocalDateTime local() {
    return LocalDateTime.ofInstant(instant(), ZoneOffset.UTC);
  }

  private Instant instant() {
    return Instant.ofEpochMilli(
        random.nextInt(4) == 0 ? random.nextLong() : random.nextLong(-1L << 40, 1L << 42));
  }

  private long number() {
    return random.nextLong() >> random.nextInt(64);
  }

  private String text(String name) {
    return switch (name) {
      case "timezone" -> pick(ZONES);
      case "content_type" -> pick(CONTENT_TYPES);
      default -> random.nextInt(8) == 0 ? "" : "té\"x\n|" + random.nextInt(1000) + "🕰";
    };
  }

  private ByteBuffer bytes() {
    if (random.nextInt(3) == 0) {
      byte[] any = new byte[random.nextInt(40)];
      random.nextBytes(any);
      return ByteBuffer.wrap(any);
    }
    return ByteBuffer.wrap(pick(PAYLOADS).getBytes(StandardCharsets.UTF_8));
  }

  private List<Object> list(Schema schema) {
    List<Object> items = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      items.add(value("item", schema.getElementType()));
    }
    return items;
  }

  private Map<String, Object> map(Schema schema) {
    Map<String, Object> map = new HashMap<>();
    for (int i = random.nextInt(20); i > 0; i--) {
      map.put("k" + random.nextInt(1 << 16), value("entry", schema.getValueType()));
    }
    return map;
  }

  private <X> X pick(List<X> from) {
    return from.get(random.nextInt(from.size()));
  }

  static Schedule schedule(long seed) {
    return new RandomRecords(seed).next(RecordCodecs.schedule());
  }
}

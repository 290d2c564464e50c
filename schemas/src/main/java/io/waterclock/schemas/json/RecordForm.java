package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.text.Nearest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * One type of record as a JSON object. Thread-safe.
 *
 * @param translated translates the object before it is read, see {@link CronExtension} and {@link
 *     DailyTime}
 * @param zoned the location with the zone for times without an offset
 */
public record RecordForm(
    Schema schema,
    SpecificData data,
    List<Member> members,
    BiFunction<ObjectNode, Reading, ObjectNode> translated,
    BiFunction<ObjectNode, Reading, Reading> zoned)
    implements ValueForm {

  /** Names of other schedulers that no spelling leads to ours. */
  private static final Map<String, String> OTHER_NAMES =
      Map.ofEntries(
          Map.entry("retries", "max_attempts"),
          Map.entry("retry", "max_attempts"),
          Map.entry("max_retries", "max_attempts"),
          Map.entry("retry_delay", "backoff"),
          Map.entry("delay", "in"),
          Map.entry("after", "in"),
          Map.entry("interval", "every"),
          Map.entry("rate", "every"),
          Map.entry("schedule", "cron"),
          Map.entry("expression", "cron"),
          Map.entry("tz", "timezone"),
          Map.entry("body", "payload"),
          Map.entry("data", "payload"),
          Map.entry("misfire", "catch_up"),
          Map.entry("ttl", "expires"),
          Map.entry("exclude", "except"),
          Map.entry("paused", "enabled"));

  @Override
  public ObjectNode write(Object value) {
    ObjectNode out = JsonNodeFactory.instance.objectNode();
    members.forEach(member -> member.write((SpecificRecordBase) value, out));
    return out;
  }

  /** Nothing if anything in the object is broken. */
  @Override
  public Optional<Object> read(JsonNode node, Reading at) {
    int before = at.found();
    SpecificRecordBase record = readBestEffort(node, at);
    return at.found() == before ? Optional.of(record) : Optional.empty();
  }

  /** Always returns a record. A broken field has its default, or null if it has none. */
  SpecificRecordBase readBestEffort(JsonNode node, Reading at) {
    SpecificRecordBase record = blank();
    if (!(node instanceof ObjectNode written)) {
      at.mismatch(node, "an object", example());
      return record;
    }
    if (isOfConnect(written)) {
      at.report(
          "is the envelope {\"schema\": ..., \"payload\": ...} of Kafka Connect's JsonConverter;"
              + " set value.converter.schemas.enable=false there",
          example());
      return record;
    }
    ObjectNode object = translated.apply(written, at);
    Reading inside = zoned.apply(object, at);
    members.forEach(member -> member.read(object, record, inside));
    reportUnknown(object, at);
    return record;
  }

  /** Connect's JsonConverter writes it unless schemas.enable is false. */
  private static boolean isOfConnect(ObjectNode object) {
    return object.size() == 2 && object.has("schema") && object.has("payload");
  }

  /** A record that holds its defaults, and null where there is none. */
  SpecificRecordBase blank() {
    SpecificRecordBase record = (SpecificRecordBase) data.newRecord(null, schema);
    for (Schema.Field field : schema.getFields()) {
      if (field.hasDefaultValue()) {
        record.put(field.pos(), data.deepCopy(field.schema(), data.getDefaultValue(field)));
      }
    }
    return record;
  }

  @Override
  public String example() {
    if (members.isEmpty()) {
      return "{}";
    }
    Member first = members.get(0);
    String name = first.names().get(0);
    return "{\"" + name + "\": " + first.example(name) + "}";
  }

  private void reportUnknown(ObjectNode object, Reading at) {
    Map<String, Member> known = new HashMap<>();
    members.forEach(member -> member.names().forEach(name -> known.put(name, member)));
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      if (!known.containsKey(entry.getKey())) {
        reportUnknown(entry.getKey(), known, at);
      }
    }
  }

  private static void reportUnknown(String name, Map<String, Member> known, Reading at) {
    if (known.isEmpty() || at.isFull()) {
      at.field(name).reportUnknown("is an unknown field", "{}");
      return;
    }
    String nearest =
        Optional.ofNullable(OTHER_NAMES.get(name))
            .filter(known::containsKey)
            .orElseGet(() -> Nearest.to(name, known.keySet()));
    String example = Objects.requireNonNull(known.get(nearest)).example(nearest);
    at.field(name)
        .reportUnknown(
            "is an unknown field; the nearest valid one is \"" + nearest + "\"",
            at.field(nearest).example(example));
  }
}

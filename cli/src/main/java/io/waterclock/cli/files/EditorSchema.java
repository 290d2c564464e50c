package io.waterclock.cli.files;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.json.RecordForms;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * A JSON Schema of the files, with which editors complete and check them. It follows from the Avro
 * schemas of the records, whose descriptions it contains. It accepts what {@link DefinitionFiles}
 * reads; what a definition means, only the scheduler checks.
 */
public final class EditorSchema {
  private static final String MS = "_ms";
  private static final List<String> KINDS = List.of("schedule", "calendar", "limit");
  private static final List<String> TRIGGERS =
      List.of("cron", "every", "rrule", "at", "in", "time");

  private EditorSchema() {}

  /** The schema, on several lines. */
  public static String text() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "Schedules, calendars and limits of Waterclock");
    ArrayNode choices = schema.putArray("anyOf");
    KINDS.forEach(kind -> choices.addObject().put("$ref", "#/$defs/" + kind));
    ArrayNode inList =
        choices.addObject().put("type", "array").putObject("items").putArray("anyOf");
    KINDS.forEach(kind -> inList.addObject().put("$ref", "#/$defs/" + kind));
    ObjectNode defs = schema.putObject("$defs");
    schedule(defs.putObject("schedule"));
    ObjectNode calendar = object(defs.putObject("calendar"), Calendar.SCHEMA$, "calendar");
    fields(calendar, Calendar.SCHEMA$);
    ObjectNode limit = object(defs.putObject("limit"), Limit.SCHEMA$, "limit");
    fields(limit, Limit.SCHEMA$);
    return schema.toPrettyString();
  }

  private static void schedule(ObjectNode schedule) {
    Schema record = io.waterclock.schemas.avro.Schedule.SCHEMA$;
    ObjectNode properties = object(schedule, record, "schedule");
    text(properties, "cron", doc(CronTrigger.SCHEMA$.getField("expression")));
    text(properties, "every", EveryTrigger.SCHEMA$.getDoc());
    text(properties, "rrule", doc(RRuleTrigger.SCHEMA$.getField("rule")));
    text(properties, "anchor", doc(EveryTrigger.SCHEMA$.getField("anchor")));
    text(properties, "at", "Occurs once, at this time; now means when the record is written.");
    text(properties, "in", "Occurs once, this time after the record is written, such as PT90S.");
    text(
        properties,
        "time",
        "Occurs each day at this time, such as 16:00; mostly with business_day.");
    text(properties, "calendar", "One name, in place of except.");
    fields(properties, record);
    ArrayNode oneTrigger = schedule.putArray("oneOf");
    TRIGGERS.forEach(name -> oneTrigger.addObject().putArray("required").add(name));
  }

  /** The properties of a record with a name, which allows no other ones. */
  private static ObjectNode object(ObjectNode target, Schema record, String name) {
    target.put("type", "object").put("description", record.getDoc());
    target.putArray("required").add(name);
    target.put("additionalProperties", false);
    ObjectNode properties = target.putObject("properties");
    text(properties, name, "The name: letters, digits and . _ ~ : / @ -");
    return properties;
  }

  private static void text(ObjectNode properties, String name, String description) {
    properties.putObject(name).put("type", "string").put("description", description);
  }

  /** Names and forms as {@code RecordForms} has them; null is the same as nothing. */
  private static void fields(ObjectNode properties, Schema record) {
    for (Schema.Field field : record.getFields()) {
      switch (field.name()) {
        case "trigger", "timeout_none" -> {}
        case "payload" -> {
          properties.putObject("payload").put("description", "JSON, or a text.");
          text(properties, "payload_base64", "The payload as base64.");
        }
        default -> {
          Schema type = RecordForms.required(field.schema());
          boolean isDuration = type.getType() == Schema.Type.LONG && field.name().endsWith(MS);
          String name =
              isDuration
                  ? field.name().substring(0, field.name().length() - MS.length())
                  : field.name();
          ObjectNode form = properties.putObject(name);
          Optional.ofNullable(field.doc()).ifPresent(doc -> form.put("description", doc));
          if (isDuration) {
            form.putArray("type").add("string").add("null");
            form.putArray("examples").add("PT1M").add("90s");
          } else {
            form(form, type);
          }
        }
      }
    }
  }

  private static void form(ObjectNode form, Schema type) {
    switch (type.getType()) {
      case BOOLEAN -> form.putArray("type").add("boolean").add("null");
      case INT -> form.putArray("type").add("integer").add("null");
      case LONG ->
          form.putArray("type")
              .add(
                  type.getLogicalType() instanceof LogicalTypes.TimestampMillis
                      ? "string"
                      : "integer")
              .add("null");
      case ENUM -> symbols(form, type);
      case ARRAY -> {
        form.putArray("type").add("array").add("null");
        form(form.putObject("items"), RecordForms.required(type.getElementType()));
      }
      case MAP -> {
        form.putArray("type").add("object").add("null");
        form.putObject("additionalProperties").put("type", "string");
      }
      case RECORD -> {
        if (type.getName().equals("DateRange")) {
          form.put("type", "string");
          form.put("pattern", "^\\s*\\d{4}-\\d\\d-\\d\\d(/\\d{4}-\\d\\d-\\d\\d)?\\s*$");
        } else {
          form.putArray("type").add("object").add("null");
          form.put("additionalProperties", false);
          fields(form.putObject("properties"), type);
        }
      }
      default -> form.putArray("type").add("string").add("null");
    }
  }

  /** Editors offer the symbols in lower case; readers take either case, and - for _. */
  private static void symbols(ObjectNode form, Schema type) {
    ArrayNode choices = form.putArray("anyOf");
    ArrayNode offered = choices.addObject().putArray("enum");
    type.getEnumSymbols().forEach(symbol -> offered.add(symbol.toLowerCase(Locale.ROOT)));
    String any =
        String.join("|", type.getEnumSymbols()).replaceAll("[A-Z]", "[$0$0]").replace("_", "[_-]");
    choices.addObject().put("type", "string").put("pattern", "^(" + eitherCase(any) + ")$");
    choices.addObject().put("type", "null");
  }

  /** {@code [AA]} becomes {@code [Aa]}. */
  private static String eitherCase(String pattern) {
    StringBuilder text = new StringBuilder(pattern);
    for (int at = text.indexOf("["); at >= 0; at = text.indexOf("[", at + 1)) {
      if (text.charAt(at + 1) != '_') {
        text.setCharAt(at + 2, Character.toLowerCase(text.charAt(at + 2)));
      }
    }
    return text.toString();
  }

  private static String doc(Schema.Field field) {
    return Optional.ofNullable(field.doc()).orElse("");
  }
}

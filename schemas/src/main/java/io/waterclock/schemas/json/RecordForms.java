package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.TriggerCommand;
import io.waterclock.schemas.json.ValueForm.EnumForm;
import io.waterclock.schemas.json.ValueForm.ListForm;
import io.waterclock.schemas.json.ValueForm.MapForm;
import io.waterclock.schemas.json.ValueForm.ScalarForm;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;

/**
 * Derives JSON forms from schemas: names as in the schema, instants as ISO-8601 UTC, {@code _ms}
 * fields as ISO durations under the name without that ending, enums as in Avro, defaults left out,
 * bytes as base64 under a name with {@code _base64}. Only triggers, payloads, ranges of dates and
 * the actions of commands have forms of their own.
 */
public final class RecordForms {
  private static final String MS = "_ms";
  private static final String BASE64 = "_base64";
  private static final String TIMEZONE = "timezone";

  private RecordForms() {}

  public static RecordForm of(Schema schema) {
    SpecificData data = SpecificData.getForSchema(schema);
    List<Member> members = new ArrayList<>();
    for (Schema.Field field : schema.getFields()) {
      members.addAll(members(schema, field, data));
    }
    return new RecordForm(
        schema,
        data,
        List.copyOf(members),
        is(schema, Schedule.SCHEMA$)
            ? (object, at) -> CronExtension.translated(DailyTime.translated(object, at), at)
            : (object, at) -> object,
        is(schema, Schedule.SCHEMA$) ? RecordForms::inZone : (o, at) -> at);
  }

  private static List<Member> members(Schema record, Schema.Field field, SpecificData data) {
    if (is(record, Schedule.SCHEMA$)) {
      return scheduleMembers(record, field, data);
    }
    if (is(record, TriggerCommand.SCHEMA$)) {
      return List.of(new PayloadMember(field.pos(), Optional.empty()));
    }
    if (is(record, Command.SCHEMA$) && field.name().equals("action")) {
      return List.of(ActionMember.of(field, RecordForms::of));
    }
    return List.of(fieldMember(field, data));
  }

  private static List<Member> scheduleMembers(
      Schema record, Schema.Field field, SpecificData data) {
    return switch (field.name()) {
      case "trigger" -> List.of(new TriggerMember(field.pos()));
      case TIMEZONE -> List.of(new FieldMember(field, TIMEZONE, TextForm.ZONE, data));
      case "payload" ->
          List.of(
              new PayloadMember(field.pos(), Optional.of(record.getField("content_type").pos())));
      case "content_type", "timeout_none" -> List.of();
      case "timeout_ms" ->
          List.of(new TimeoutMember(field.pos(), record.getField("timeout_none").pos()));
      default -> List.of(fieldMember(field, data));
    };
  }

  private static Member fieldMember(Schema.Field field, SpecificData data) {
    Schema schema = required(field.schema());
    String name = field.name();
    if (schema.getType() == Schema.Type.LONG && name.endsWith(MS)) {
      return new FieldMember(
          field, name.substring(0, name.length() - MS.length()), TextForm.DURATION_MS, data);
    }
    return new FieldMember(
        field,
        schema.getType() == Schema.Type.BYTES ? name + BASE64 : name,
        valueForm(schema),
        data);
  }

  private static ValueForm valueForm(Schema schema) {
    if (schema.getLogicalType() instanceof LogicalTypes.TimestampMillis) {
      return TextForm.INSTANT;
    }
    if (is(schema, DateRange.SCHEMA$)) {
      return TextForm.DATES;
    }
    return switch (schema.getType()) {
      case STRING -> TextForm.STRING;
      case BOOLEAN -> ScalarForm.BOOLEAN;
      case INT -> ScalarForm.INT;
      case LONG -> ScalarForm.LONG;
      case BYTES -> TextForm.BASE64;
      case ENUM -> EnumForm.of(schema);
      case ARRAY -> new ListForm(valueForm(schema.getElementType()));
      case MAP -> new MapForm(valueForm(schema.getValueType()));
      case RECORD -> of(schema);
      default -> throw new IllegalArgumentException("no JSON form for " + schema.getType());
    };
  }

  /** The type beside null in an optional field; in other fields, their type. */
  public static Schema required(Schema schema) {
    return schema.isUnion()
        ? schema.getTypes().stream()
            .filter(type -> type.getType() != Schema.Type.NULL)
            .findFirst()
            .orElseThrow()
        : schema;
  }

  /**
   * Times without an offset are in the record's zone. An invalid one is reported when its field is
   * read.
   */
  private static Reading inZone(ObjectNode object, Reading at) {
    try {
      return Member.value(object, TIMEZONE)
          .filter(node -> node.isTextual())
          .map(node -> at.in(Instants.zone(node.textValue())))
          .orElse(at);
    } catch (InvalidValueException e) {
      return at;
    }
  }

  private static boolean is(Schema schema, Schema other) {
    return other.getFullName().equals(schema.getFullName());
  }
}

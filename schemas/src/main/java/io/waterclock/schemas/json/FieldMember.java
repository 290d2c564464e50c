package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;

/** A field under one name. A field that holds its default is left out. */
record FieldMember(Schema.Field field, String name, ValueForm form, SpecificData data)
    implements Member {
  @Override
  public List<String> names() {
    return List.of(name);
  }

  @Override
  public void write(SpecificRecordBase record, ObjectNode to) {
    Object value = record.get(field.pos());
    if (value == null
        || (field.hasDefaultValue() && Objects.equals(value, data.getDefaultValue(field)))) {
      return;
    }
    to.set(name, form.write(value));
  }

  @Override
  public void read(ObjectNode from, SpecificRecordBase record, Reading at) {
    Optional<JsonNode> value = Member.value(from, name);
    if (value.isPresent()) {
      form.read(value.get(), at.field(name)).ifPresent(v -> record.put(field.pos(), v));
    } else if (!field.hasDefaultValue()) {
      at.field(name).report("is missing", at.field(name).example(form.example()));
    }
  }

  @Override
  public String example(String ignored) {
    return form.example();
  }
}

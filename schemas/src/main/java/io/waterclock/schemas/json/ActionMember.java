package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * The action of a command: exactly one of its kinds, under the kind's name in snake case, for
 * example {@code "cancel_backfill": {"backfill": "..."}} for a CancelBackfillCommand.
 */
record ActionMember(int pos, Map<String, RecordForm> kinds) implements Member {
  private static final String ENDING = "Command";

  static ActionMember of(Schema.Field field, Function<Schema, RecordForm> form) {
    Map<String, RecordForm> kinds = new LinkedHashMap<>();
    for (Schema kind : field.schema().getTypes()) {
      kinds.put(name(kind), form.apply(kind));
    }
    return new ActionMember(field.pos(), kinds);
  }

  @Override
  public List<String> names() {
    return List.copyOf(kinds.keySet());
  }

  @Override
  public void write(SpecificRecordBase record, ObjectNode to) {
    if (record.get(pos) instanceof SpecificRecordBase action) {
      String name = name(action.getSchema());
      to.set(name, form(name).write(action));
    }
  }

  @Override
  public void read(ObjectNode from, SpecificRecordBase record, Reading at) {
    List<String> given =
        names().stream().filter(name -> Member.value(from, name).isPresent()).toList();
    String choices = String.join(", ", names());
    if (given.isEmpty()) {
      at.report("there is no action: one of " + choices + " must be given", "\"pause\": {}");
    } else if (given.size() > 1) {
      at.report(
          String.join(" and ", given) + " are given; exactly one of " + choices + " is right",
          "\"pause\": {}");
    }
    for (String name : given) {
      JsonNode node = from.get(name);
      Optional<Object> action = form(name).read(node, at.field(name));
      action.filter(a -> given.size() == 1).ifPresent(a -> record.put(pos, a));
    }
  }

  @Override
  public String example(String name) {
    return form(name).example();
  }

  private RecordForm form(String name) {
    return Objects.requireNonNull(kinds.get(name), name);
  }

  private static String name(Schema kind) {
    String type = kind.getName();
    return type.substring(0, type.length() - ENDING.length())
        .replaceAll("([a-z])([A-Z])", "$1_$2")
        .toLowerCase(Locale.ROOT);
  }
}

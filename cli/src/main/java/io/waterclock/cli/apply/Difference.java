package io.waterclock.cli.apply;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.json.FieldDifference;
import java.util.List;
import java.util.Optional;

/**
 * A difference between the files and the cluster.
 *
 * @param what "schedule", "calendar" or "limit"
 * @param value the record to write; empty for a delete
 * @param effect lines about occurrences
 */
record Difference(
    Kind kind,
    String what,
    String name,
    Optional<byte[]> value,
    List<FieldDifference> fields,
    List<String> effect) {

  enum Kind {
    ADD("+"),
    EDIT("~"),
    REMOVE("-");

    private final String mark;

    Kind(String mark) {
      this.mark = mark;
    }
  }

  boolean isSchedule() {
    return what.equals("schedule");
  }

  boolean isCalendar() {
    return what.equals("calendar");
  }

  boolean isLimit() {
    return what.equals("limit");
  }

  /** For people, on several lines. */
  List<String> lines() {
    List<String> lines = new java.util.ArrayList<>();
    lines.add(kind.mark + " " + what + " " + name);
    fields.forEach(field -> lines.add("    " + field));
    effect.forEach(line -> lines.add("    " + line));
    return lines;
  }

  ObjectNode json() {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.put("change", kind.name().toLowerCase(java.util.Locale.ROOT)).put(what, name);
    fields.forEach(
        field -> {
          ObjectNode both = tree.withObject("/fields").putObject(field.name());
          field.before().ifPresent(value -> both.set("before", value));
          field.after().ifPresent(value -> both.set("after", value));
        });
    effect.forEach(line -> tree.withArray("/effect").add(line));
    return tree;
  }
}

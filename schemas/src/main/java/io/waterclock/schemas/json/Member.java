package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * One part of a record in its JSON object: mostly a field, sometimes several names for a choice.
 * Thread-safe.
 */
interface Member {
  /** The names that belong to this part. */
  List<String> names();

  void write(SpecificRecordBase record, ObjectNode to);

  /**
   * Sets the valid fields of a record that has its defaults, and reports the problems of the
   * others.
   */
  void read(ObjectNode from, SpecificRecordBase record, Reading at);

  /** A valid value under one of the names, as JSON. */
  String example(String name);

  /** The value under a name. JSON null is the same as nothing. */
  static Optional<JsonNode> value(ObjectNode from, String name) {
    return Optional.ofNullable(from.get(name))
        .filter(node -> !node.isNull() && !node.isMissingNode());
  }
}

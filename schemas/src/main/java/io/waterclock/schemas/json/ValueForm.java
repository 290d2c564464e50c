package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** How the values of one Avro type are written in JSON. Thread-safe. */
interface ValueForm {
  JsonNode write(Object value);

  /** The value, or nothing after reporting why not. */
  Optional<Object> read(JsonNode node, Reading at);

  /** A valid value, as JSON. */
  String example();
}

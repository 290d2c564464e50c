package io.waterclock.cli.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads text as JSON or as the documents of a YAML file. Aliases of YAML are not expanded. */
final class Documents {
  private static final ObjectReader JSON = new JsonMapper().readerFor(JsonNode.class);
  private static final ObjectReader YAML = new YAMLMapper().readerFor(JsonNode.class);

  private Documents() {}

  /**
   * All documents; JSON is YAML, too.
   *
   * @throws BrokenSourceException at the first line that is neither
   */
  static List<JsonNode> yaml(String text) {
    return read(text.stripLeading().startsWith("{") ? JSON : YAML, text);
  }

  /**
   * All values of a JSON text; those of a list one by one.
   *
   * @throws BrokenSourceException at the first line that is not JSON
   */
  static List<JsonNode> json(String text) {
    return read(JSON, text).stream()
        .flatMap(value -> value.isArray() ? list(value) : Stream.of(value))
        .toList();
  }

  static Stream<JsonNode> list(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }

  /**
   * The time of a field; empty if it is no text.
   *
   * @throws BrokenSourceException if the text is no time with an offset
   */
  static Optional<Instant> time(JsonNode object, String field) {
    JsonNode time = object.path(field);
    try {
      return Optional.ofNullable(time.textValue())
          .map(text -> OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeParseException e) {
      throw new BrokenSourceException(field + " is no time: " + time, e);
    }
  }

  private static List<JsonNode> read(ObjectReader reader, String text) {
    try (MappingIterator<JsonNode> values = reader.readValues(text)) {
      return values.readAll();
    } catch (JsonProcessingException e) {
      String line = e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ";
      throw new BrokenSourceException(
          line + e.getOriginalMessage().lines().findFirst().orElse("not readable"), e);
    } catch (IOException | StackOverflowError e) {
      throw new BrokenSourceException("the text cannot be read: " + e.getMessage(), e);
    }
  }
}

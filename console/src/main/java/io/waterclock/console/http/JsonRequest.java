package io.waterclock.console.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.waterclock.schemas.text.Quoted;
import java.io.CharConversionException;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The body of a change. Each method throws {@link BadRequestException} for a wrong field. */
record JsonRequest(JsonNode tree) {
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  /** In memory, a token takes up to twenty times its bytes; no definition needs as many. */
  private static final int MOST_TOKENS = 250_000;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxTokenCount(MOST_TOKENS).build())
                  .build())
          .build();

  static JsonRequest parse(byte[] body) {
    try {
      JsonNode tree = MAPPER.readTree(body);
      if (tree.isObject()) {
        return new JsonRequest(tree);
      }
      throw new BadRequestException("the body is no JSON object");
    } catch (JsonProcessingException e) {
      throw new BadRequestException("the body is no JSON: " + e.getOriginalMessage());
    } catch (CharConversionException e) {
      throw new BadRequestException("the body is no text: " + e.getMessage());
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory", e);
    }
  }

  /** A text that is not empty. */
  Optional<String> text(String field) {
    return Optional.of(tree.path(field))
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText)
        .filter(value -> !value.isEmpty());
  }

  /**
   * The same if it has no other fields than these, each a text: to ignore one would choose more.
   */
  JsonRequest ofTexts(String name, List<String> fields) {
    for (Map.Entry<String, JsonNode> each : tree.properties()) {
      if (!fields.contains(each.getKey()) || !each.getValue().isTextual()) {
        throw new BadRequestException(
            "%s may have the texts %s, and not %s: %s"
                .formatted(
                    name,
                    String.join(", ", fields),
                    Quoted.of(each.getKey()),
                    Quoted.of(each.getValue().toString())));
      }
    }
    return this;
  }

  String required(String field) {
    return text(field).orElseThrow(() -> new BadRequestException(field + " is missing"));
  }

  Instant instant(String field) {
    return instant(field, text(field).orElse(""));
  }

  /**
   * An instant of the years 1 to 9999: what is computed with others leaves room before and after.
   */
  static Instant instant(String field, String text) {
    try {
      Instant read = Instant.parse(text);
      if (!read.isBefore(FIRST) && !read.isAfter(LAST)) {
        return read;
      }
    } catch (DateTimeException e) {
      // the same answer
    }
    throw new BadRequestException(
        field + " must be an instant such as 2026-11-24T09:00:00Z, not " + Quoted.of(text));
  }

  boolean isTrue(String field) {
    return tree.path(field).asBoolean(false);
  }

  List<String> texts(String field) {
    List<String> found = new ArrayList<>();
    tree.path(field).forEach(one -> found.add(one.asText()));
    return found;
  }

  Map<String, String> map(String field) {
    Map<String, String> found = new LinkedHashMap<>();
    tree.path(field).properties().forEach(one -> found.put(one.getKey(), one.getValue().asText()));
    return found;
  }
}

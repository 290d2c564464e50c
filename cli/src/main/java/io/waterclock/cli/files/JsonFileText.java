package io.waterclock.cli.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Reads the values of a JSON file, one or several after each other. For one thread. */
record JsonFileText(JsonParser parser) {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(Located.MOST_DEPTH).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /**
   * Hands over each value, or each item of a value that is a list.
   *
   * @throws BrokenFileException at the first line that is not JSON; the values before it were
   *     handed over
   */
  static void read(String text, Consumer<Located> each) throws BrokenFileException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      new JsonFileText(parser).read(each);
    } catch (JsonProcessingException e) {
      throw new BrokenFileException(
          e.getLocation() == null ? 1 : e.getLocation().getLineNr(),
          "is not JSON: " + e.getOriginalMessage().lines().findFirst().orElse(""));
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  private void read(Consumer<Located> each) throws IOException, BrokenFileException {
    for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
      if (token != JsonToken.START_ARRAY) {
        each.accept(located());
        continue;
      }
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        each.accept(located());
      }
    }
  }

  private Located located() throws IOException, BrokenFileException {
    Map<String, Integer> lines = new HashMap<>();
    int line = line();
    return new Located(value(new Located.Path("", 0, lines)), line, lines);
  }

  private JsonNode value(Located.Path at) throws IOException, BrokenFileException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(at);
      case START_ARRAY -> array(at);
      case VALUE_STRING -> Located.NODES.textNode(parser.getText());
      case VALUE_NUMBER_INT -> integer();
      case VALUE_NUMBER_FLOAT -> decimal();
      case VALUE_TRUE, VALUE_FALSE -> Located.NODES.booleanNode(parser.getBooleanValue());
      default -> Located.NODES.nullNode();
    };
  }

  private ObjectNode object(Located.Path at) throws IOException, BrokenFileException {
    ObjectNode object = Located.NODES.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      Located.Path field = at.field(name, line());
      parser.nextToken();
      object.set(name, value(field));
    }
    return object;
  }

  private ArrayNode array(Located.Path at) throws IOException, BrokenFileException {
    ArrayNode array = Located.NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(at.item(array.size(), line())));
    }
    return array;
  }

  private JsonNode integer() throws IOException {
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? Located.NODES.numberNode(parser.getBigIntegerValue())
        : Located.NODES.numberNode(parser.getLongValue());
  }

  private JsonNode decimal() throws IOException, BrokenFileException {
    try {
      return Located.NODES.numberNode(new BigDecimal(parser.getText()));
    } catch (NumberFormatException e) {
      throw new BrokenFileException(line(), "has a number whose exponent is too large");
    }
  }

  private int line() {
    return parser.currentTokenLocation().getLineNr();
  }
}

package io.waterclock.schemas.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Hex;
import io.waterclock.schemas.text.InvalidValueException;
import io.waterclock.schemas.text.Utf8Text;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * JSON text and trees. Numbers keep their digits. Depth is bounded by {@value #MAX_DEPTH} and the
 * text by {@value #MAX_BYTES} bytes, so that bad input costs no more than its size. Thread-safe.
 */
public final class JsonText {
  static final int MAX_DEPTH = 200;
  static final int MAX_BYTES = 32 << 20;

  /**
   * A payload that is deeper is shown as bytes, so that it stays within the depth when it is nested
   * in a fire.
   */
  private static final int MAX_EMBEDDED_DEPTH = MAX_DEPTH - 20;

  private static final String EXAMPLE = "{\"every\": \"PT5M\"}";

  /** How Jackson's message begins. */
  private static final String DUPLICATE = "Duplicate field ";

  /**
   * What Jackson's messages have beside the reason: names of its settings, and what it has read,
   * which may be a part of a payload or of a header.
   */
  private static final Pattern DETAILS =
      Pattern.compile(
          " \\(start marker at \\[Source[^]]*]\\)|, from `[^`]*`|(?<=token) '[^']*'|(?<=value) \\([^)]*\\)");

  private static final JsonMapper STRICT = mapper(MAX_DEPTH, true);
  private static final JsonMapper LENIENT = mapper(MAX_DEPTH, false);
  private static final JsonMapper EMBEDDED = mapper(MAX_EMBEDDED_DEPTH, true);

  private JsonText() {}

  /**
   * Whether the bytes look like a JSON object: an opening brace, after a byte order mark and
   * whitespace if there are.
   */
  public static boolean isAt(byte[] bytes) {
    int at = hasMark(bytes) ? 3 : 0;
    while (at < bytes.length && isSpace(bytes[at])) {
      at++;
    }
    return at < bytes.length && bytes[at] == '{';
  }

  /**
   * Reads one JSON value, or reports why not. A field given twice is reported, and its last value
   * read.
   */
  public static Optional<JsonNode> parse(byte[] bytes, Reading at) {
    if (bytes.length > MAX_BYTES) {
      at.report("is longer than " + MAX_BYTES + " bytes", EXAMPLE);
      return Optional.empty();
    }
    String text;
    try {
      int start = hasMark(bytes) ? 3 : 0;
      text = Utf8Text.decode(bytes, start, bytes.length - start);
    } catch (CharacterCodingException e) {
      at.report("is not UTF-8 text (bytes " + Hex.first(bytes) + ")", EXAMPLE);
      return Optional.empty();
    }
    return parse(text, STRICT, at);
  }

  /**
   * Reads one JSON value; of a field given twice, the last value.
   *
   * @throws JsonProcessingException if the text is anything else
   */
  public static JsonNode parse(String text) throws JsonProcessingException {
    return parse(text, LENIENT);
  }

  private static Optional<JsonNode> parse(String text, JsonMapper mapper, Reading at) {
    try {
      return Optional.of(parse(text, mapper));
    } catch (JsonProcessingException e) {
      if (e.getOriginalMessage().startsWith(DUPLICATE)) {
        given(e, at).report("is given twice" + where(e), EXAMPLE);
        return parse(text, LENIENT, at);
      }
      at.report(
          "is not valid JSON: " + DETAILS.matcher(e.getOriginalMessage()).replaceAll("") + where(e),
          EXAMPLE);
      return Optional.empty();
    }
  }

  /** The field at which Jackson stands, or the one around it that hides its fields. */
  private static Reading given(JsonProcessingException e, Reading at) {
    Deque<String> names = new ArrayDeque<>();
    JsonStreamContext context = ((JsonParser) e.getProcessor()).getParsingContext();
    for (; context != null; context = context.getParent()) {
      Optional.ofNullable(context.getCurrentName()).ifPresent(names::addFirst);
    }
    Reading field = at;
    while (!names.isEmpty() && !field.isHidden()) {
      field = field.field(names.removeFirst());
    }
    return field;
  }

  /**
   * A payload that is JSON: the unchanged text in UTF-8.
   *
   * @throws InvalidValueException if it is not one JSON value
   */
  public static byte[] payload(String json) {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    Reading reading = Reading.start(ZoneOffset.UTC);
    parse(bytes, reading);
    List<Problem> problems = reading.problems();
    if (!problems.isEmpty()) {
      throw new InvalidValueException(
          "the payload " + problems.get(0).getMessage(), "{\"amount\": 42}");
    }
    return bytes;
  }

  /** The tree of a payload, if the payload is exactly what writing that tree gives. */
  static Optional<JsonNode> parseExact(byte[] payload) {
    try {
      JsonNode tree = parse(Utf8Text.decode(payload, 0, payload.length), EMBEDDED);
      return Arrays.equals(bytes(tree), payload) ? Optional.of(tree) : Optional.empty();
    } catch (CharacterCodingException | JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /** Compact text in UTF-8. */
  public static byte[] bytes(JsonNode tree) {
    try {
      return STRICT.writeValueAsString(tree).getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("a tree that cannot be written", e);
    }
  }

  private static JsonNode parse(String text, JsonMapper mapper) throws JsonProcessingException {
    try (JsonParser parser = mapper.createParser(text)) {
      JsonNode tree = tree(parser, mapper);
      if (tree == null) {
        throw new JsonParseException(parser, "there is no value");
      }
      if (parser.nextToken() != null) {
        throw new JsonParseException(parser, "something follows the value");
      }
      return tree;
    } catch (JsonProcessingException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory", e);
    }
  }

  /** Jackson lets an exponent beyond its range through as a NumberFormatException. */
  private static @Nullable JsonNode tree(JsonParser parser, JsonMapper mapper) throws IOException {
    try {
      return mapper.readTree(parser);
    } catch (NumberFormatException e) {
      throw new JsonParseException(parser, "a number's exponent is too large");
    }
  }

  private static String where(JsonProcessingException e) {
    return e.getLocation() == null
        ? ""
        : " (line "
            + e.getLocation().getLineNr()
            + ", column "
            + e.getLocation().getColumnNr()
            + ")";
  }

  private static boolean hasMark(byte[] bytes) {
    return bytes.length >= 3
        && bytes[0] == (byte) 0xEF
        && bytes[1] == (byte) 0xBB
        && bytes[2] == (byte) 0xBF;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\r' || b == '\n';
  }

  private static JsonMapper mapper(int depth, boolean strict) {
    StreamReadConstraints bounds =
        StreamReadConstraints.builder().maxNestingDepth(depth).maxStringLength(MAX_BYTES).build();
    return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(bounds).build())
        .configure(StreamReadFeature.STRICT_DUPLICATE_DETECTION, strict)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
        .build();
  }
}

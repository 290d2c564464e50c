package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.text.Dates;
import io.waterclock.schemas.text.Durations;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.InvalidValueException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Function;

/**
 * Values that are written as a JSON string.
 *
 * @param kind the term for such a text in messages
 */
record TextForm(String kind, Function<Object, String> toText, Parser parser, String exampleText)
    implements ValueForm {

  /** Reads the text. */
  interface Parser {
    /**
     * @throws InvalidValueException if the text is not of the kind
     */
    Object parse(String text, Reading at);
  }

  static final TextForm STRING = any("a text", "text");
  static final TextForm INSTANT =
      new TextForm(
          "an ISO-8601 date and time",
          v -> Instants.text((Instant) v),
          (text, at) -> Instants.parse(text, at.zone()),
          "2026-12-24T18:00:00Z");

  /** An instant, or a local time where the text has no offset. */
  static final TextForm TIME =
      new TextForm(
          INSTANT.kind(),
          v ->
              v instanceof Instant instant
                  ? Instants.text(instant)
                  : Instants.text((LocalDateTime) v),
          (text, at) -> Instants.instantOrLocal(text),
          INSTANT.exampleText());

  static final TextForm DURATION_MS =
      new TextForm(
          "a duration",
          v -> Duration.ofMillis((Long) v).toString(),
          (text, at) -> Durations.parse(text).toMillis(),
          "PT1M");
  static final TextForm ZONE =
      new TextForm("a time zone", v -> (String) v, TextForm::parseZone, "Europe/Berlin");
  static final TextForm DATES =
      new TextForm(
          "a date or a range of dates",
          v -> Dates.text((DateRange) v),
          (text, at) -> Dates.parse(text),
          "2026-12-24/2027-01-01");
  static final TextForm BASE64 =
      new TextForm(
          "base64 text",
          v -> Base64.getEncoder().encodeToString(bytes((ByteBuffer) v)),
          (text, at) -> parseBase64(text),
          "AAEC");

  /** Texts that reading does not check. */
  static TextForm any(String kind, String exampleText) {
    return new TextForm(kind, v -> (String) v, (text, at) -> text, exampleText);
  }

  /** Texts without the space around them, that reading does not check otherwise. */
  static TextForm stripped(String kind, String exampleText) {
    return new TextForm(kind, v -> (String) v, (text, at) -> text.strip(), exampleText);
  }

  @Override
  public JsonNode write(Object value) {
    return TextNode.valueOf(toText.apply(value));
  }

  @Override
  public Optional<Object> read(JsonNode node, Reading at) {
    if (!node.isTextual()) {
      return at.mismatch(node, kind, example());
    }
    try {
      return Optional.of(parser.parse(node.textValue(), at));
    } catch (InvalidValueException e) {
      at.report(e.what(), at.example(TextNode.valueOf(e.example()).toString()));
      return Optional.empty();
    }
  }

  @Override
  public String example() {
    return '"' + exampleText + '"';
  }

  /** A copy of what is between position and limit. */
  static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static Object parseZone(String text, Reading at) {
    Instants.zone(text);
    return text.strip();
  }

  private static Object parseBase64(String text) {
    try {
      return ByteBuffer.wrap(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw new InvalidValueException("is not base64", "AAEC"); // a payload, which some may not see
    }
  }
}

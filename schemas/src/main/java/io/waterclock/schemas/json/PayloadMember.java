package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.waterclock.schemas.text.Quoted;
import io.waterclock.schemas.text.Utf8Text;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * A payload and, where the record has one, its media type. A JSON payload is written as JSON if
 * that reproduces the exact bytes; a text as a string; any other payload, and one of unknown type,
 * as base64.
 *
 * <p>A record without a media type of its own (a command that replaces a payload) shows JSON where
 * the bytes are JSON.
 */
record PayloadMember(int pos, Optional<Integer> contentTypePos) implements Member {
  private static final String PAYLOAD = "payload";
  private static final String PAYLOAD_BASE64 = "payload_base64";
  private static final String CONTENT_TYPE = "content_type";
  private static final String JSON = "application/json";
  private static final TextForm MEDIA_TYPE = TextForm.any("a media type", JSON);

  @Override
  public List<String> names() {
    return contentTypePos.isPresent()
        ? List.of(PAYLOAD, PAYLOAD_BASE64, CONTENT_TYPE)
        : List.of(PAYLOAD, PAYLOAD_BASE64);
  }

  @Override
  public void write(SpecificRecordBase record, ObjectNode to) {
    Optional<String> type = contentTypePos.map(p -> (String) record.get(p));
    if (record.get(pos) instanceof ByteBuffer payload) {
      Optional<JsonNode> readable = readable(TextForm.bytes(payload), type);
      if (readable.isPresent()) {
        to.set(PAYLOAD, readable.get());
      } else {
        to.set(PAYLOAD_BASE64, TextForm.BASE64.write(payload));
      }
    }
    type.ifPresent(t -> to.put(CONTENT_TYPE, t));
  }

  @Override
  public void read(ObjectNode from, SpecificRecordBase record, Reading at) {
    Optional<String> type =
        Member.value(from, CONTENT_TYPE)
            .filter(node -> contentTypePos.isPresent())
            .flatMap(node -> MEDIA_TYPE.read(node, at.field(CONTENT_TYPE)))
            .map(text -> (String) text);
    contentTypePos.ifPresent(p -> record.put(p, type.orElse(null)));
    Optional<JsonNode> value = Member.value(from, PAYLOAD);
    Optional<JsonNode> base64 = Member.value(from, PAYLOAD_BASE64);
    if (value.isPresent() && base64.isPresent()) {
      at.field(PAYLOAD)
          .report("both payload and payload_base64 are given; one of them is right", example());
    } else if (base64.isPresent()) {
      TextForm.BASE64
          .read(base64.get(), at.field(PAYLOAD_BASE64))
          .ifPresent(b -> record.put(pos, b));
    } else if (value.isPresent()) {
      readPayload(value.get(), type, record, at.field(PAYLOAD));
    }
  }

  @Override
  public String example(String name) {
    return switch (name) {
      case PAYLOAD -> "{\"amount\": 42}";
      case PAYLOAD_BASE64 -> TextForm.BASE64.example();
      default -> MEDIA_TYPE.example();
    };
  }

  private String example() {
    return '"' + PAYLOAD + "\": " + example(PAYLOAD);
  }

  private void readPayload(
      JsonNode value, Optional<String> type, SpecificRecordBase record, Reading at) {
    if (type.isEmpty() || isJson(type.get())) {
      record.put(pos, ByteBuffer.wrap(JsonText.bytes(value)));
      contentTypePos.ifPresent(p -> record.put(p, type.orElse(JSON)));
    } else if (value.isTextual()) {
      record.put(pos, ByteBuffer.wrap(value.textValue().getBytes(StandardCharsets.UTF_8)));
    } else {
      at.report(
          "is %s where a text must be, because content_type is %s"
              .formatted(at.shown(value), Quoted.of(type.get())),
          at.example("\"text\""));
    }
  }

  private Optional<JsonNode> readable(byte[] payload, Optional<String> type) {
    if (contentTypePos.isEmpty() || type.filter(PayloadMember::isJson).isPresent()) {
      return JsonText.parseExact(payload).filter(tree -> !tree.isNull());
    }
    return type.filter(PayloadMember::isText).flatMap(t -> text(payload));
  }

  private static Optional<JsonNode> text(byte[] payload) {
    try {
      return Optional.of(TextNode.valueOf(Utf8Text.decode(payload, 0, payload.length)));
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static boolean isJson(String contentType) {
    String type = mediaType(contentType);
    return type.equals(JSON) || type.endsWith("+json");
  }

  private static boolean isText(String contentType) {
    return mediaType(contentType).startsWith("text/");
  }

  private static String mediaType(String contentType) {
    int parameters = contentType.indexOf(';');
    return (parameters < 0 ? contentType : contentType.substring(0, parameters))
        .strip()
        .toLowerCase(Locale.ROOT);
  }
}

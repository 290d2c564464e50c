package io.waterclock.connect.rules;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.json.JsonText;
import io.waterclock.schemas.text.Utf8Text;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A fire as a CloudEvent over HTTP (CloudEvents 1.0, HTTP protocol binding and JSON format).
 * Immutable.
 *
 * @param structured true: one JSON document with attributes and data; false: attributes in headers,
 *     data as the body
 * @param payloadOnly true: the data is the schedule's payload; false: the whole fire
 */
public record EventForm(boolean structured, boolean payloadOnly, String source) {
  /** The header with the fire id, by which a receiver detects duplicates. */
  public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

  private static final String CONTENT_TYPE = "Content-Type";
  private static final String STRUCTURED_JSON = "application/cloudevents+json; charset=UTF-8";
  private static final String JSON = "application/json";
  private static final String BYTES = "application/octet-stream";

  /**
   * The headers and the body of a request, without signatures and authorisation. Never compared.
   *
   * @param body callers must not change it
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Message(List<HttpHeader> headers, byte[] body) {
    public Message {
      headers = List.copyOf(headers);
    }
  }

  public Message of(Fire fire, String fireKey) {
    List<HttpHeader> headers = new ArrayList<>();
    headers.add(new HttpHeader(IDEMPOTENCY_KEY, ascii(fire.getFireId())));
    headers.add(new HttpHeader(HeaderNames.FIRE_KEY, ascii(fireKey)));
    Optional<String> type = dataType(fire);
    byte[] data = data(fire);
    if (structured) {
      headers.add(new HttpHeader(CONTENT_TYPE, STRUCTURED_JSON));
      return new Message(headers, document(fire, type, data));
    }
    headers.add(new HttpHeader("ce-specversion", HeaderNames.SPECVERSION));
    headers.add(new HttpHeader("ce-id", ascii(fire.getFireId())));
    headers.add(new HttpHeader("ce-source", source));
    headers.add(new HttpHeader("ce-type", HeaderNames.FIRE_TYPE));
    headers.add(new HttpHeader("ce-subject", ascii(fire.getScheduleId())));
    headers.add(new HttpHeader("ce-time", fire.getOccurrence().toString()));
    headers.add(new HttpHeader(CONTENT_TYPE, type.orElse(BYTES)));
    return new Message(headers, data);
  }

  private Optional<String> dataType(Fire fire) {
    return payloadOnly
        ? Optional.ofNullable(fire.getSchedule().getContentType()).filter(EventForm::isSafe)
        : Optional.of(JSON);
  }

  private byte[] data(Fire fire) {
    if (!payloadOnly) {
      return RecordCodecs.fire().encode(fire, WireFormat.JSON);
    }
    ByteBuffer payload = fire.getSchedule().getPayload();
    byte[] bytes = new byte[payload == null ? 0 : payload.remaining()];
    if (payload != null) {
      payload.duplicate().get(bytes);
    }
    return bytes;
  }

  private byte[] document(Fire fire, Optional<String> type, byte[] data) {
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.put("specversion", HeaderNames.SPECVERSION);
    event.put("id", fire.getFireId());
    event.put("source", source);
    event.put("type", HeaderNames.FIRE_TYPE);
    event.put("subject", fire.getScheduleId());
    event.put("time", fire.getOccurrence().toString());
    if (data.length > 0) {
      type.ifPresent(given -> event.put("datacontenttype", given));
      Optional<JsonNode> json = type.filter(EventForm::isJson).flatMap(given -> tree(data));
      if (json.isPresent()) {
        event.set("data", json.get());
      } else {
        event.put("data_base64", data);
      }
    }
    return event.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static Optional<JsonNode> tree(byte[] data) {
    try {
      return Optional.of(JsonText.parse(Utf8Text.decode(data, 0, data.length)));
    } catch (CharacterCodingException | JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static boolean isJson(String type) {
    String media = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return media.equals(JSON) || media.endsWith("+json");
  }

  /** Text of a schedule may go into a header only if it cannot end the header. */
  private static boolean isSafe(String text) {
    return text.chars().allMatch(c -> c >= ' ' && c < 127);
  }

  /**
   * Percent-encodes text for a header: a command's id may contain any character, and so may a
   * record that no scheduler has written.
   */
  static String ascii(String key) {
    StringBuilder out = new StringBuilder();
    for (byte b : key.getBytes(StandardCharsets.UTF_8)) {
      if (b > ' ' && b < 127 && b != '%') {
        out.append((char) b);
      } else {
        out.append(String.format("%%%02X", b & 0xff));
      }
    }
    return out.toString();
  }
}

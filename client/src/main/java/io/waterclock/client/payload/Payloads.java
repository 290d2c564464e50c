package io.waterclock.client.payload;

import java.lang.reflect.Type;

/**
 * Calls a mapper, and explains its failures.
 *
 * @param mapper used for all payloads
 */
public record Payloads(PayloadMapper mapper) {
  /**
   * @throws PayloadException if the object has no form as a payload
   */
  public byte[] write(Object value) {
    if (value instanceof byte[] || value instanceof CharSequence) {
      throw new IllegalArgumentException(
          "payload(Object) is for objects; for bytes and text there are payload(bytes,"
              + " contentType), payloadJson(json) and payloadText(text)");
    }
    try {
      return mapper.write(value);
    } catch (Exception e) {
      throw new PayloadException(
          "an object of %s cannot become a payload: %s"
              .formatted(value.getClass().getTypeName(), firstLine(e)),
          e);
    }
  }

  /**
   * @param of whose payload it is, for messages
   * @throws PayloadException if the payload is empty, or not one of the type
   */
  public Object read(byte[] payload, Type type, String of) {
    if (payload.length == 0) {
      throw new PayloadException(
          "%s has no payload, and the handler wants %s".formatted(of, type.getTypeName()),
          new IllegalArgumentException("empty"));
    }
    try {
      return mapper.read(payload, type);
    } catch (Exception e) {
      throw new PayloadException(
          "the payload of %s is not %s: %s".formatted(of, type.getTypeName(), firstLine(e)), e);
    }
  }

  /** Jackson adds the place in the source, which is an array of bytes. */
  private static String firstLine(Exception failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }
}

package io.waterclock.schemas.json;

import java.nio.ByteBuffer;
import java.util.Locale;

/** What the media type says of a payload. */
final class Payloads {
  static final String JSON = "application/json";

  private Payloads() {}

  static boolean isJson(String contentType) {
    String type = mediaType(contentType);
    return type.equals(JSON) || type.endsWith("+json");
  }

  static boolean isText(String contentType) {
    return mediaType(contentType).startsWith("text/");
  }

  /** A copy of what is between position and limit. */
  static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static String mediaType(String contentType) {
    int parameters = contentType.indexOf(';');
    return (parameters < 0 ? contentType : contentType.substring(0, parameters))
        .strip()
        .toLowerCase(Locale.ROOT);
  }
}

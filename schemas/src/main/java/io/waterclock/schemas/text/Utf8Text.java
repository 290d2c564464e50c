package io.waterclock.schemas.text;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Decodes UTF-8 and rejects invalid bytes, which {@link String} would replace. */
public final class Utf8Text {
  private static final char REPLACEMENT = '\uFFFD';

  private Utf8Text() {}

  /** As fast as {@code new String} unless the text holds a replacement character. */
  public static String decode(byte[] bytes, int offset, int length)
      throws CharacterCodingException {
    String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) < 0) {
      return text;
    }
    return StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(bytes, offset, length))
        .toString();
  }
}

package io.waterclock.client.worker;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;

/** Text for outcomes and dead letters, within bounds. */
final class Text {
  private Text() {}

  /** As much of a text as fits into so many bytes of UTF-8; no character is cut in two. */
  static String cut(String text, int maxBytes) {
    if (text.length() <= maxBytes / 3) {
      return text;
    }
    CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    CharBuffer from = CharBuffer.wrap(text);
    encoder.encode(from, ByteBuffer.allocate(maxBytes), true);
    return text.substring(0, from.position());
  }

  static String stackTrace(Throwable error) {
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }
}

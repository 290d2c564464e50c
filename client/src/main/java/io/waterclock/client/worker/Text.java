package io.waterclock.client.worker;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;

/** Bounded text for outcomes and dead letters. */
final class Text {
  private Text() {}

  /** The beginning of a text that fits into {@code maxBytes} of UTF-8, cut between characters. */
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

package io.waterclock.client.retry;

import io.waterclock.schemas.text.SafeText;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Failures as bounded text, for outcomes, dead letters and records that wait for a retry. */
public final class FailureText {
  private FailureText() {}

  /** The beginning of a text that fits into {@code maxBytes} of UTF-8, cut between characters. */
  public static String cut(String text, int maxBytes) {
    if (text.length() <= maxBytes / 3) {
      return text;
    }
    CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    CharBuffer from = CharBuffer.wrap(text);
    encoder.encode(from, ByteBuffer.allocate(maxBytes), true);
    return text.substring(0, from.position());
  }

  /** A failure and its causes, as far as they can say it; the stack trace is for the log. */
  public static String of(Throwable failure) {
    Set<Throwable> chain = Collections.newSetFromMap(new IdentityHashMap<>());
    StringJoiner text = new StringJoiner("; caused by ");
    for (Throwable each = failure; each != null && chain.add(each); each = cause(each)) {
      text.add(SafeText.of(each));
    }
    return text.toString();
  }

  private static @Nullable Throwable cause(Throwable failure) {
    try {
      return failure.getCause();
    } catch (RuntimeException | Error e) {
      return null;
    }
  }
}

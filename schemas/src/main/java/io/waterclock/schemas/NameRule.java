package io.waterclock.schemas;

import io.waterclock.schemas.text.Hex;
import io.waterclock.schemas.text.Quoted;
import io.waterclock.schemas.text.Utf8Text;
import java.nio.charset.CharacterCodingException;

/**
 * The rule for names on Waterclock's topics: a letter or digit first, then letters, digits and
 * {@code . _ ~ : / @ -}.
 *
 * @param what the term for such a name in messages
 * @param one the same with its article
 * @param maxLength in characters, which are bytes, as all are ASCII
 */
record NameRule(String what, String one, int maxLength, String example) {
  private static final boolean[] INNER = inner();

  /** The rule for a person. */
  private String text() {
    return ("%s is 1 to %s characters, a letter or digit first, then letters, digits and . _ ~ : /"
            + " @ - , for example \"%s\"")
        .formatted(one, maxLength, example);
  }

  /**
   * @throws InvalidIdException if the value breaks the rule
   */
  void check(String value) {
    if (value.isEmpty()) {
      throw new InvalidIdException(what + " is empty; " + text());
    }
    if (value.length() > maxLength) {
      throw new InvalidIdException(
          what + " has " + value.length() + " characters; at most " + maxLength + "; " + text());
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c >= INNER.length || !INNER[c]) {
        throw new InvalidIdException(
            "%s %s has %s at position %s; %s"
                .formatted(what, Quoted.of(value), name(c), i, text()));
      }
    }
    if (!isAlphanumeric(value.charAt(0))) {
      throw new InvalidIdException(
          what + " " + Quoted.of(value) + " begins with " + name(value.charAt(0)) + "; " + text());
    }
  }

  /**
   * The text of a record key, not checked yet.
   *
   * @throws InvalidIdException if the bytes are not UTF-8
   */
  String decode(byte[] utf8) {
    try {
      return Utf8Text.decode(utf8, 0, utf8.length);
    } catch (CharacterCodingException e) {
      throw new InvalidIdException(
          what + " is not UTF-8 text (bytes " + Hex.first(utf8) + "); " + text());
    }
  }

  private static String name(char c) {
    return c > ' ' && c < 127
        ? "'" + c + "'"
        : c == ' ' ? "a space" : String.format("U+%04X", (int) c);
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  private static boolean[] inner() {
    boolean[] allowed = new boolean[128];
    for (char c = 0; c < allowed.length; c++) {
      allowed[c] = isAlphanumeric(c) || "._~:/@-".indexOf(c) >= 0;
    }
    return allowed;
  }
}

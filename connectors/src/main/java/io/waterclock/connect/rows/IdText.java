package io.waterclock.connect.rows;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts the text of a row's id to a part of a schedule's id, and back.
 *
 * <p>A schedule's id consists of ASCII letters, ASCII digits and {@code . _ ~ : / @ -}. Each byte,
 * in UTF-8, of any other character is written as {@code ~} and two hexadecimal digits in upper
 * case: {@code nightly report} is {@code nightly~20report}. A {@code ~} before two such digits is
 * written as {@code ~7E}; every other character stays the same. Different texts have different
 * results, and {@link #read} converts each result back.
 */
public final class IdText {
  private static final Pattern ESCAPE = Pattern.compile("~[0-9A-F]{2}");
  private static final String ALLOWED = "._~:/@-";

  private IdText() {}

  /**
   * Converts a text to a part of a schedule's id.
   *
   * @return empty if the text is not valid Unicode: it contains half of a surrogate pair
   */
  static Optional<String> written(String text) {
    StringBuilder out = new StringBuilder(text.length());
    Matcher escape = ESCAPE.matcher(text);
    for (int i = 0; i < text.length(); ) {
      int character = text.codePointAt(i);
      if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
        return Optional.empty();
      }
      boolean isPlain =
          isAllowed(character)
              && !(character == '~' && escape.region(i, text.length()).lookingAt());
      if (isPlain) {
        out.append((char) character);
      } else {
        for (byte b : Character.toString(character).getBytes(StandardCharsets.UTF_8)) {
          out.append(String.format("~%02X", b & 0xff));
        }
      }
      i += Character.charCount(character);
    }
    return Optional.of(out.toString());
  }

  /**
   * The text that {@link #written} has converted.
   *
   * @return empty if it converts no text to this
   */
  public static Optional<String> read(String written) {
    byte[] bytes = new byte[written.length()];
    int length = 0;
    Matcher escape = ESCAPE.matcher(written);
    for (int i = 0; i < written.length(); ) {
      boolean isEscape = escape.region(i, written.length()).lookingAt();
      bytes[length++] =
          (byte)
              (isEscape
                  ? Integer.parseInt(written.substring(i + 1, i + 3), 16)
                  : written.charAt(i));
      i += isEscape ? 3 : 1;
    }
    String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
    return Optional.of(text).filter(read -> written(read).filter(written::equals).isPresent());
  }

  private static boolean isAllowed(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || (c > 0 && ALLOWED.indexOf(c) >= 0);
  }
}

package io.waterclock.schemas.text;

import java.util.HexFormat;

/**
 * Makes text from outside safe for people to read in a log, a terminal or a header.
 *
 * <p>A client that may write records controls names, notes and payloads. These can contain line
 * ends that forge log lines, escape sequences that control a terminal, and marks that change the
 * text direction. This class writes such characters as {@code \\uXXXX} in UTF-16, like JSON, so
 * that JSON keeps its meaning: control characters (C0, DEL and C1), format characters (all that
 * change the direction among them), line and paragraph separators, and halves of surrogate pairs.
 *
 * <p>Examines each character, and copies the text only if it changes. Thread-safe.
 */
public final class SafeText {
  private SafeText() {}

  /**
   * The text of an object of others, which may be unsafe; the name of its class if it has none, or
   * throws instead.
   */
  public static String of(Object object) {
    try {
      String text = object.toString();
      if (text != null) {
        return text;
      }
    } catch (RuntimeException | Error e) {
      // its class says more than why it has no words
    }
    return object.getClass().getName();
  }

  /** The text as one line. */
  public static String line(String text) {
    return shown(text, false);
  }

  /** The text with its line ends and tabs. */
  public static String lines(String text) {
    return shown(text, true);
  }

  /**
   * The text, or its beginning and three dots if it is longer than {@code longest} UTF-16 units. A
   * character that takes two units is not divided.
   */
  public static String cut(String text, int longest) {
    return text.length() <= longest ? text : beginning(text, longest) + "...";
  }

  /** The first {@code longest} UTF-16 units at most, without a half of a character at the end. */
  public static String beginning(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    boolean isPairDivided = longest > 0 && Character.isHighSurrogate(text.charAt(longest - 1));
    return text.substring(0, isPairDivided ? longest - 1 : longest);
  }

  /** True for what a line for people must not hold. */
  public static boolean isUnsafe(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  /** A character as in JSON: {@code \\u00a0}, {@code \\n}. */
  static String escaped(char c) {
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> "\\u" + HexFormat.of().toHexDigits(c);
    };
  }

  private static boolean isShown(int codePoint, boolean layout) {
    return isUnsafe(codePoint) && !(layout && (codePoint == '\n' || codePoint == '\t'));
  }

  private static String shown(String text, boolean layout) {
    if (text.codePoints().noneMatch(codePoint -> isShown(codePoint, layout))) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            codePoint -> {
              if (isShown(codePoint, layout)) {
                for (char unit : Character.toChars(codePoint)) {
                  out.append(escaped(unit));
                }
              } else {
                out.appendCodePoint(codePoint);
              }
            });
    return out.toString();
  }
}

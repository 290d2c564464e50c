package io.waterclock.occurrences.core;

import java.util.HexFormat;
import java.util.Locale;

/**
 * Shortens text from outside, so that a message that quotes it stays one readable line, and writes
 * what a reader could not see as in JSON: a line end as {@code \\n}, a no-break space as {@code
 * \\u00a0}.
 */
public final class Quote {

  private static final int LONGEST = 40;

  private Quote() {}

  public static String of(String text) {
    StringBuilder line = new StringBuilder(LONGEST + 3);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      String shown = isHidden(c) ? escaped(c) : String.valueOf(c);
      if (line.length() + shown.length() > LONGEST) {
        return line.append("...").toString();
      }
      line.append(shown);
    }
    return line.toString();
  }

  /** The code and the name of a character: {@code U+00A0 (no-break space)}. */
  public static String name(char c) {
    String name = Character.getName(c);
    return "U+%04X%s"
        .formatted((int) c, name == null ? "" : " (" + name.toLowerCase(Locale.ROOT) + ")");
  }

  private static String escaped(char c) {
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> "\\u" + HexFormat.of().toHexDigits(c);
    };
  }

  /**
   * Control characters, characters that change the text direction, and spaces other than the
   * ordinary one.
   */
  private static boolean isHidden(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      case Character.SPACE_SEPARATOR -> c != ' ';
      default -> false;
    };
  }
}

package io.waterclock.occurrences.core;

/** Shortens text from outside, so that a message that quotes it stays one readable line. */
public final class Quote {

  private static final int LONGEST = 40;

  private Quote() {}

  public static String of(String text) {
    StringBuilder line = new StringBuilder(LONGEST);
    for (int i = 0; i < Math.min(text.length(), LONGEST); i++) {
      char c = text.charAt(i);
      line.append(isUnsafe(c) ? ' ' : c);
    }
    return line + (text.length() > LONGEST ? "..." : "");
  }

  /** Control characters and characters that change the text direction. */
  private static boolean isUnsafe(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}

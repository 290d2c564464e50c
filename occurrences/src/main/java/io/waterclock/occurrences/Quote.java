package io.waterclock.occurrences;

/** Shortens what a stranger wrote, so that a message about it stays one readable line. */
final class Quote {

  private static final int LONGEST = 40;
  private static final char DELETE = 127;

  private Quote() {}

  static String of(String text) {
    StringBuilder line = new StringBuilder(LONGEST);
    for (int i = 0; i < Math.min(text.length(), LONGEST); i++) {
      char c = text.charAt(i);
      line.append(c < ' ' || c == DELETE ? ' ' : c);
    }
    return line + (text.length() > LONGEST ? "..." : "");
  }
}

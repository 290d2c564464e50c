package io.waterclock.occurrences;

/** Shortens what a stranger wrote, so that a message about it stays one readable line. */
final class Quote {

  private static final int LONGEST = 40;

  private Quote() {}

  static String of(String text) {
    String line = text.replaceAll("\\p{Cntrl}", " ");
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
  }
}

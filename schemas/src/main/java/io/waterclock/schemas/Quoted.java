package io.waterclock.schemas;

/** Text of others inside a message for people: quoted, cut short, without control characters. */
final class Quoted {
  private static final int MAX_LENGTH = 60;

  private Quoted() {}

  static String of(String text) {
    StringBuilder out = new StringBuilder(Math.min(text.length(), MAX_LENGTH) + 5).append('"');
    int shown = Math.min(text.length(), MAX_LENGTH);
    for (int i = 0; i < shown; i++) {
      char c = text.charAt(i);
      out.append(Character.isISOControl(c) || Character.isSurrogate(c) ? '?' : c);
    }
    return out.append(shown < text.length() ? "..." : "").append('"').toString();
  }
}

package io.waterclock.schemas.text;

/**
 * Text from outside, quoted in a message for people: shortened, with a question mark for each
 * character that {@link SafeText} escapes.
 */
public final class Quoted {
  private static final int MAX_LENGTH = 60;

  private Quoted() {}

  public static String of(String text) {
    return '"' + cut(text) + '"';
  }

  /** The text without quotes. */
  public static String cut(String text) {
    int shown = Math.min(text.length(), MAX_LENGTH);
    StringBuilder out = new StringBuilder(shown + 3);
    for (int i = 0; i < shown; i++) {
      char c = text.charAt(i);
      out.append(SafeText.isUnsafe(c) ? '?' : c);
    }
    return out.append(shown < text.length() ? "..." : "").toString();
  }
}

package io.waterclock.schemas.text;

/**
 * Text from outside, quoted in a message for people: shortened, with what a reader could not see
 * written as in JSON: what {@link SafeText} escapes, and spaces other than the ordinary one.
 */
public final class Quoted {
  private static final int MAX_LENGTH = 60;

  private Quoted() {}

  public static String of(String text) {
    return '"' + cut(text) + '"';
  }

  /** The text without quotes. */
  public static String cut(String text) {
    StringBuilder out = new StringBuilder(MAX_LENGTH + 3);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      String shown = isOddSpace(c) ? SafeText.escaped(c) : SafeText.line(String.valueOf(c));
      if (out.length() + shown.length() > MAX_LENGTH) {
        return out.append("...").toString();
      }
      out.append(shown);
    }
    return out.toString();
  }

  private static boolean isOddSpace(char c) {
    return c != ' ' && Character.getType(c) == Character.SPACE_SEPARATOR;
  }
}

package io.waterclock.schemas.text;

import java.util.Locale;

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
      String shown = isHidden(c) ? SafeText.escaped(c) : String.valueOf(c);
      if (out.length() + shown.length() > MAX_LENGTH) {
        return out.append("...").toString();
      }
      out.append(shown);
    }
    return out.toString();
  }

  /** The code and the name of a character: {@code U+00A0 (no-break space)}. */
  public static String name(char c) {
    String name = Character.getName(c);
    return "U+%04X%s"
        .formatted((int) c, name == null ? "" : " (" + name.toLowerCase(Locale.ROOT) + ")");
  }

  private static boolean isHidden(char c) {
    return SafeText.isUnsafe(c) || (c != ' ' && Character.getType(c) == Character.SPACE_SEPARATOR);
  }
}

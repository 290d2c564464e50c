package io.waterclock.schemas;

import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The name of a schedule: 1 to 255 characters {@code [A-Za-z0-9][A-Za-z0-9._~:/@-]*}. ASCII by that
 * rule, so a length in characters is a length in bytes.
 */
public record ScheduleId(String value) implements Comparable<ScheduleId> {
  private static final int MAX_LENGTH = 255;
  private static final String RULE =
      "an id is 1 to 255 characters, a letter or digit first, then letters, digits and . _ ~ : / @ - ,"
          + " for example \"billing/invoice-42\"";
  private static final boolean[] INNER = inner();

  /**
   * @throws InvalidIdException if the value breaks the rule
   */
  public ScheduleId {
    check(value);
  }

  /**
   * @throws InvalidIdException if the text breaks the rule
   */
  public static ScheduleId parse(String text) {
    return new ScheduleId(text);
  }

  /**
   * Reads a record key.
   *
   * @throws InvalidIdException if the bytes are not UTF-8 or break the rule
   */
  public static ScheduleId parse(byte[] utf8) {
    try {
      return new ScheduleId(Utf8Text.decode(utf8, 0, utf8.length));
    } catch (CharacterCodingException e) {
      throw new InvalidIdException(
          "schedule id is not UTF-8 text (bytes " + Hex.first(utf8) + "); " + RULE);
    }
  }

  /** Reads back what {@link #utf8} gave, without the cost of a decoder. */
  public static ScheduleId ofUtf8(byte[] utf8) {
    return new ScheduleId(new String(utf8, StandardCharsets.US_ASCII));
  }

  /** The id as a record key. */
  public byte[] utf8() {
    return value.getBytes(StandardCharsets.US_ASCII);
  }

  /** The order of the ids' characters, which is the order of their bytes. */
  @Override
  public int compareTo(ScheduleId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }

  private static void check(String value) {
    if (value.isEmpty()) {
      throw new InvalidIdException("schedule id is empty; " + RULE);
    }
    if (value.length() > MAX_LENGTH) {
      throw new InvalidIdException(
          "schedule id has " + value.length() + " characters; at most 255; " + RULE);
    }
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c >= INNER.length || !INNER[c]) {
        throw new InvalidIdException(
            "schedule id "
                + Quoted.of(value)
                + " has "
                + name(c)
                + " at position "
                + i
                + "; "
                + RULE);
      }
    }
    if (!isAlphanumeric(value.charAt(0))) {
      throw new InvalidIdException(
          "schedule id "
              + Quoted.of(value)
              + " begins with "
              + name(value.charAt(0))
              + "; "
              + RULE);
    }
  }

  private static String name(char c) {
    return c > ' ' && c < 127
        ? "'" + c + "'"
        : c == ' ' ? "a space" : String.format("U+%04X", (int) c);
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  private static boolean[] inner() {
    boolean[] allowed = new boolean[128];
    for (char c = 0; c < allowed.length; c++) {
      allowed[c] = isAlphanumeric(c) || "._~:/@-".indexOf(c) >= 0;
    }
    return allowed;
  }
}

package io.waterclock.schemas;

import java.nio.charset.StandardCharsets;

/** The name of a calendar: 1 to 64 characters {@code [A-Za-z0-9][A-Za-z0-9._~:/@-]*}. */
public record CalendarName(String value) implements Comparable<CalendarName> {
  private static final NameRule RULE = new NameRule("calendar name", "a name", 64, "holidays-de");

  /**
   * @throws InvalidIdException if the value breaks the rule
   */
  public CalendarName {
    RULE.check(value);
  }

  /**
   * Reads a record key.
   *
   * @throws InvalidIdException if the bytes are not UTF-8 or break the rule
   */
  public static CalendarName parse(byte[] utf8) {
    return new CalendarName(RULE.decode(utf8));
  }

  /** The name as a record key. */
  public byte[] utf8() {
    return value.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public int compareTo(CalendarName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}

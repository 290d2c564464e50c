package io.waterclock.schemas;

import java.nio.charset.StandardCharsets;

/**
 * The name of a group of schedules with a limit: 1 to 64 characters {@code
 * [A-Za-z0-9][A-Za-z0-9._~:/@-]*}.
 */
public record LimitName(String value) implements Comparable<LimitName> {
  private static final NameRule RULE = new NameRule("limit", "a name", 64, "etl");

  /**
   * @throws InvalidIdException if the value breaks the rule
   */
  public LimitName {
    RULE.check(value);
  }

  /**
   * Reads a record key.
   *
   * @throws InvalidIdException if the bytes are not UTF-8 or break the rule
   */
  public static LimitName parse(byte[] utf8) {
    return new LimitName(RULE.decode(utf8));
  }

  /** The name as a record key. */
  public byte[] utf8() {
    return value.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public int compareTo(LimitName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}

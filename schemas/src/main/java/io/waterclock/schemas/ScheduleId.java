package io.waterclock.schemas;

import java.nio.charset.StandardCharsets;

/**
 * The name of a schedule: 1 to 255 characters {@code [A-Za-z0-9][A-Za-z0-9._~:/@-]*}. ASCII by that
 * rule, so a length in characters is a length in bytes.
 */
public final class ScheduleId implements Comparable<ScheduleId> {
  private static final NameRule RULE =
      new NameRule("schedule id", "an id", 255, "billing/invoice-42");

  private final String value;
  private final byte[] utf8;

  /**
   * @throws InvalidIdException if the value breaks the rule
   */
  public ScheduleId(String value) {
    this(value, value.getBytes(StandardCharsets.US_ASCII));
  }

  private ScheduleId(String value, byte[] utf8) {
    RULE.check(value);
    this.value = value;
    this.utf8 = utf8;
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
    return new ScheduleId(RULE.decode(utf8));
  }

  /** Reads back what {@link #utf8} gave, without the cost of a decoder; keeps the array. */
  public static ScheduleId ofUtf8(byte[] utf8) {
    return new ScheduleId(new String(utf8, StandardCharsets.US_ASCII), utf8);
  }

  /** The id as text. */
  public String value() {
    return value;
  }

  /** The id as a record key; not to be changed. */
  public byte[] utf8() {
    return utf8;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ScheduleId that && value.equals(that.value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
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
}

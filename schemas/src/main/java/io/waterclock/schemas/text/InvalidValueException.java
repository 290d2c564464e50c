package io.waterclock.schemas.text;

/**
 * Text that is no interval, duration, instant or time zone. The message names the problem and gives
 * a valid example.
 */
public final class InvalidValueException extends IllegalArgumentException {
  private final String what;
  private final String example;

  public InvalidValueException(String what, String example) {
    super(what + "; for example " + example);
    this.what = what;
    this.example = example;
  }

  /** The problem, without the example. */
  public String what() {
    return what;
  }

  /** A valid value. */
  public String example() {
    return example;
  }
}

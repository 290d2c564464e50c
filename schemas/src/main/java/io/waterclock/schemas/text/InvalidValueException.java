package io.waterclock.schemas.text;

import io.waterclock.schemas.avro.Problem;

/**
 * Text that is no interval, duration, instant or time zone. The message names the problem and gives
 * a valid example.
 */
public final class InvalidValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String what;
  private final String example;

  public InvalidValueException(String what, String example) {
    super(what + "; for example " + example);
    this.what = what;
    this.example = example;
  }

  /** The same as a problem of no particular field; its example is the bare value. */
  public Problem problem() {
    return new Problem("", what, example);
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

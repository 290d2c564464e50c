package io.waterclock.occurrences.core;

/**
 * A number of occurrences.
 *
 * @param exact false if counting stopped early: there are at least {@code value}
 */
public record Count(long value, boolean exact) {

  public static Count exactly(long value) {
    return new Count(value, true);
  }
}

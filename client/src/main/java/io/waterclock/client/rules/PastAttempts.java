package io.waterclock.client.rules;

/**
 * What a group has done about a fire before this run of it.
 *
 * @param waits how often it has waited for a retry; 0 for a fire that comes for the first time
 * @param attempts how often it was tried
 * @param isReturn true if it has waited, for a retry or in the line behind another fire
 */
public record PastAttempts(int waits, int attempts, boolean isReturn) {
  /** The fire comes for the first time. */
  public static final PastAttempts NONE = new PastAttempts(0, 0, false);

  /**
   * @throws IllegalArgumentException if a number is below zero
   */
  public PastAttempts {
    if (waits < 0 || attempts < 0) {
      throw new IllegalArgumentException("below zero: " + waits + " waits, " + attempts + " tries");
    }
  }

  /** Of a fire that returns. */
  public static PastAttempts of(int waits, int attempts) {
    return new PastAttempts(waits, attempts, true);
  }
}

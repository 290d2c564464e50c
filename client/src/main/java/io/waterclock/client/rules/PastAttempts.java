package io.waterclock.client.rules;

/**
 * What a group has done about a fire before this run of it.
 *
 * @param waits how often it has waited for a retry; 0 for a fire that comes for the first time
 * @param attempts how often it was tried
 */
public record PastAttempts(int waits, int attempts) {
  /** The fire comes for the first time. */
  public static final PastAttempts NONE = new PastAttempts(0, 0);

  /**
   * @throws IllegalArgumentException if a number is below zero
   */
  public PastAttempts {
    if (waits < 0 || attempts < 0) {
      throw new IllegalArgumentException("below zero: " + waits + " waits, " + attempts + " tries");
    }
  }

  /** True if the fire has waited for a retry. */
  public boolean isReturn() {
    return waits > 0;
  }
}

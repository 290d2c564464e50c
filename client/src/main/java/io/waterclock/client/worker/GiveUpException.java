package io.waterclock.client.worker;

/**
 * Thrown by a {@link FireHandler} when trying again is of no use: the fire has failed for good,
 * whatever attempts are left, and goes to the dead-letter topic with the reason {@code GIVEN_UP}.
 */
public class GiveUpException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * @param message for people: what is wrong, and what would be right
   */
  public GiveUpException(String message) {
    super(message);
  }

  /**
   * @param message for people: what is wrong, and what would be right
   * @param cause what it follows from
   */
  public GiveUpException(String message, Throwable cause) {
    super(message, cause);
  }
}

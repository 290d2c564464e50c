package io.waterclock.client.worker;

/**
 * A {@link FireHandler} throws this when a retry cannot succeed: the fire has failed for good,
 * however many attempts are left, and goes to the dead-letter topic with the reason {@code
 * GIVEN_UP}. Unchecked, so that code below a handler may throw it, too.
 */
public class GiveUpException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message for people: what is wrong, and what would be right
   */
  public GiveUpException(String message) {
    super(message);
  }

  /**
   * @param message for people: what is wrong, and what would be right
   * @param cause the original failure
   */
  public GiveUpException(String message, Throwable cause) {
    super(message, cause);
  }
}

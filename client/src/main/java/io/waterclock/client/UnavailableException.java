package io.waterclock.client;

/**
 * Kafka, one of its topics or the schema registry is not available. The message contains the
 * address. A later attempt may succeed.
 */
public final class UnavailableException extends WaterclockException {
  /**
   * @param message for people: what is wrong, and what would be right
   */
  public UnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}

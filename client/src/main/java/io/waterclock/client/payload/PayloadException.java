package io.waterclock.client.payload;

import io.waterclock.client.WaterclockException;

/**
 * An object cannot become a payload, or a payload cannot become an object. A worker does not retry
 * a fire whose handler throws this: the fire goes to the dead-letter topic with the reason {@code
 * GIVEN_UP}.
 */
public final class PayloadException extends WaterclockException {
  /**
   * @param message for people: what is wrong, and what would be right
   */
  public PayloadException(String message, Throwable cause) {
    super(message, cause);
  }
}

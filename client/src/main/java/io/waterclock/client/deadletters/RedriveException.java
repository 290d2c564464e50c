package io.waterclock.client.deadletters;

import io.waterclock.client.WaterclockException;

/** A redrive or a discard has ended early. What was reported as done is done. */
public final class RedriveException extends WaterclockException {
  /**
   * @param message for people: what is wrong, and what would be right
   */
  public RedriveException(String message, Throwable cause) {
    super(message, cause);
  }
}

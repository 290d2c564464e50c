package io.waterclock.client.schedules;

import io.waterclock.client.WaterclockException;

/**
 * The request was not written: Kafka is away or refuses the record, or its transaction was aborted.
 * No scheduler will read it.
 */
public final class NotWrittenException extends WaterclockException {
  /**
   * @param message what was not written, and why
   */
  public NotWrittenException(String message, Throwable cause) {
    super(message, cause);
  }
}

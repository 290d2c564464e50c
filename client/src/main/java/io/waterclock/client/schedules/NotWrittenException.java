package io.waterclock.client.schedules;

/**
 * Nothing was asked: Kafka is away, refuses the record, or the transaction with it was aborted. No
 * scheduler will see it.
 */
public final class NotWrittenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotWrittenException(String message, Throwable cause) {
    super(message, cause);
  }
}

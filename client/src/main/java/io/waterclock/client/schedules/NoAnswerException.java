package io.waterclock.client.schedules;

/**
 * No scheduler has answered in time. The record may be written, and is taken up by a scheduler that
 * starts or comes to it later: the message says what was sent, where it is, and how to send it
 * again without doing it twice.
 */
public final class NoAnswerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoAnswerException(String message, Throwable cause) {
    super(message, cause);
  }
}

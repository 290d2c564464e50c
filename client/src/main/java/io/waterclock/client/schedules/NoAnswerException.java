package io.waterclock.client.schedules;

import io.waterclock.client.WaterclockException;

/**
 * No scheduler has answered in time. The record may be written; then a scheduler handles it when it
 * starts or reads it later. The message contains the record, its position, and how to repeat the
 * request without a second effect.
 */
public final class NoAnswerException extends WaterclockException {
  NoAnswerException(String message, Throwable cause) {
    super(message, cause);
  }
}

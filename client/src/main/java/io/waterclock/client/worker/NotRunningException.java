package io.waterclock.client.worker;

import io.waterclock.client.WaterclockException;
import org.jspecify.annotations.Nullable;

/** A worker is not RUNNING in time, or never will be. The message contains its state and why. */
public final class NotRunningException extends WaterclockException {
  private static final long serialVersionUID = 1L;

  NotRunningException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

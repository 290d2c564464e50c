package io.waterclock.client;

import org.jspecify.annotations.Nullable;

/**
 * The base of this library's exceptions. Those of Kafka's clients and of a schema registry are
 * causes of them. A wrong argument or setting is an {@link IllegalArgumentException}, a call at the
 * wrong time an {@link IllegalStateException}.
 */
public class WaterclockException extends RuntimeException {
  /**
   * @param message for people: what is wrong, and what would be right
   */
  public WaterclockException(String message) {
    super(message);
  }

  /**
   * @param message for people: what is wrong, and what would be right
   */
  public WaterclockException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}

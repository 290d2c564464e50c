package io.waterclock.client.topics;

import java.util.Optional;

/**
 * The root causes of failures: the exception of a Kafka client's constructor does not contain its
 * reason.
 */
public final class Reasons {
  private Reasons() {}

  /** The message of the deepest cause, or its class name if it has no message. */
  public static String of(Throwable failure) {
    Throwable deepest = failure;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return Optional.ofNullable(deepest.getMessage()).orElse(deepest.toString());
  }
}

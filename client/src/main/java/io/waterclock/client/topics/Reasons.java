package io.waterclock.client.topics;

import java.util.Optional;

/** What lies at the bottom of a failure: a Kafka client that cannot be made says only that. */
public final class Reasons {
  private Reasons() {}

  /** The message of the deepest cause, or its name where it says nothing. */
  public static String of(Throwable failure) {
    Throwable deepest = failure;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return Optional.ofNullable(deepest.getMessage()).orElse(deepest.toString());
  }
}

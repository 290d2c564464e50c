package io.waterclock.topology.runtime.brokers;

/** The topics are not as they have to be, or the cluster cannot be asked; says what to do. */
public final class TopicException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TopicException(String message) {
    super(message);
  }
}

package io.waterclock.testkit;

/** Why an embedded broker did not start; the message is one sentence for people. */
public final class EmbeddedKafkaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  EmbeddedKafkaException(String message) {
    super(message);
  }

  EmbeddedKafkaException(String message, Throwable cause) {
    super(message, cause);
  }
}

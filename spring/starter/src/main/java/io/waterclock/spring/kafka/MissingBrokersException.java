package io.waterclock.spring.kafka;

/** The application has no addresses of Kafka brokers. */
public final class MissingBrokersException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MissingBrokersException() {
    super("Waterclock does not know the addresses of the Kafka brokers");
  }
}

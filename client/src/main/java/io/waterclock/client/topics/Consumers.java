package io.waterclock.client.topics;

import java.time.Duration;
import org.apache.kafka.clients.consumer.Consumer;

/** What differs between the versions of Kafka's consumer that a service may bring. */
public final class Consumers {
  private Consumers() {}

  /**
   * Closes a consumer within a bound. {@code close(CloseOptions)}, which replaces {@code
   * close(Duration)}, exists since kafka-clients 4.1; services with Spring Boot 3 have 3.9.
   */
  @SuppressWarnings("deprecation")
  public static void close(Consumer<?, ?> consumer, Duration bound) {
    consumer.close(bound);
  }
}

package io.waterclock.topology.router;

import java.util.Optional;
import org.apache.kafka.streams.processor.api.Record;

/** The destination of a fire. */
sealed interface Route {
  /**
   * The fire goes to its target.
   *
   * @param partition empty: the producer chooses it
   */
  record Delivery(String topic, Optional<Integer> partition, Record<byte[], byte[]> record)
      implements Route {}

  /** The fire goes to the dead-letter topic. */
  record Dead(String topic, Undelivered reason, String why) implements Route {}
}

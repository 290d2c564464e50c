package io.waterclock.topology.router;

import org.apache.kafka.streams.processor.api.Record;

/** Where a fire goes. */
sealed interface Route {
  /** To its target. */
  record Delivery(String topic, Record<byte[], byte[]> record) implements Route {}

  /**
   * To the dead-letter topic.
   *
   * @param why for a person
   */
  record Dead(String topic, Undelivered reason, String why) implements Route {}
}

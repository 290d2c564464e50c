package io.waterclock.runtime.router;

import org.apache.kafka.streams.processor.api.Record;

/** The destination of a fire. */
sealed interface Route {
  /** The fire goes to its target. */
  record Delivery(String topic, Record<byte[], byte[]> record) implements Route {}

  /**
   * The fire goes to the dead-letter topic.
   *
   * @param why the reason in words
   */
  record Dead(String topic, Undelivered reason, String why) implements Route {}
}

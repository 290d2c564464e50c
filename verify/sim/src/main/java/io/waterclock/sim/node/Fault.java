package io.waterclock.sim.node;

import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.scheduler.emit.Sink;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/**
 * What goes wrong at the edges of a scheduler, planted to test the judge. Each method is asked once
 * for each crossing of its edge; without a fault it returns what it gets.
 */
public interface Fault {

  /**
   * A record that a task sends.
   *
   * @param atMs the true time
   */
  record Sent(Sink sink, int partition, Message message, long atMs) {}

  default List<Sent> send(Sent sent) {
    return List.of(sent);
  }

  /** A record that a router or an intake sends. */
  default List<Message> route(Place place, Message message) {
    return List.of(message);
  }

  /** A record of an input, before the task gets it; empty if the task never gets it. */
  default Optional<LogRecord> read(Place place, LogRecord record) {
    return Optional.of(record);
  }

  /** A write to a store, as it goes to the changelog; empty if it does not. */
  default Optional<Optional<byte[]>> log(String store, Bytes key, Optional<byte[]> value) {
    return Optional.of(value);
  }

  /** A write to a store, as the store keeps it; empty if it keeps what it had. */
  default Optional<Optional<byte[]>> put(String store, Bytes key, Optional<byte[]> value) {
    return Optional.of(value);
  }

  /** A record of a changelog that a task restores; false if the task skips it. */
  default boolean restores(String store, LogRecord record) {
    return true;
  }

  /** A value that crosses an edge. */
  default <T> T at(Edge<T> edge, T value) {
    return value;
  }

  /** Whether what an edge speaks of is done. */
  default boolean keeps(Edge<Boolean> edge) {
    return at(edge, true);
  }

  /** No fault. */
  static Fault none() {
    return new Fault() {};
  }
}

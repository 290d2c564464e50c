package io.waterclock.sim.node;

import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.scheduler.emit.Sink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

  /** A record that a router sends to a target, or to the dead-letter topic. */
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

  /** Whether the gate is open. */
  default boolean isOpen(boolean isOpen) {
    return isOpen;
  }

  /** The end of an input that the gate must pass. */
  default long end(Place place, long end) {
    return end;
  }

  /** The end of another partition that must be read before the gate opens. */
  default long endOfOther(long end) {
    return end;
  }

  /** How old state on disk may be. */
  default Duration oldestState(Duration longest) {
    return longest;
  }

  /** The offsets that a commit stores. */
  default Map<Place, Long> offsets(Map<Place, Long> offsets) {
    return offsets;
  }

  /** The offset that a worker commits. */
  default long commits(long offset) {
    return offset;
  }

  /** The wall clock, in milliseconds, as the scheduler reads it. */
  default long wallMs(long ms) {
    return ms;
  }

  /** Whether the guard trusts the clock. */
  default boolean isTrusted(boolean isTrusted) {
    return isTrusted;
  }

  /** Whether a scheduler whose clock is behind knows the time of the brokers. */
  default boolean knowsBrokersTime() {
    return true;
  }

  /** Whether the task decides in this round. */
  default boolean ticks(int partition, long atMs) {
    return true;
  }

  /** Whether the brokers check that a member is in the current generation of its group. */
  default boolean isFenced() {
    return true;
  }

  /** Whether a transaction whose tasks have read nothing stores where they began to read. */
  default boolean repeatsBeginnings() {
    return true;
  }

  /** Whether offsets are committed with the transaction. */
  default boolean isAtomic() {
    return true;
  }

  /** Whether records are sent in the transaction. */
  default boolean isTransactional() {
    return true;
  }

  /** Whether a transaction is decided before the other producer begins the next. */
  default boolean decides() {
    return true;
  }

  /** Whether a stall of the thread is noticed. */
  default boolean noticesStalls() {
    return true;
  }

  /** Whether a dirty state is wiped. */
  default boolean wipes() {
    return true;
  }

  /** How long a task is idle. */
  default Duration idle(Duration time) {
    return time;
  }

  /** No fault. */
  static Fault none() {
    return new Fault() {};
  }
}

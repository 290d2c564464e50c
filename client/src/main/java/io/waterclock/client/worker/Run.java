package io.waterclock.client.worker;

import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import java.time.Instant;
import java.util.Optional;

/**
 * One attempt to run a fire, as its handler sees it. Any thread of the handler may use it; what is
 * told after the attempt has ended is ignored.
 */
public interface Run {
  /** The fire, with the definition of its schedule. */
  Fire fire();

  /** The key of its record: {@code <schedule id>|<occurrence>}. */
  String fireKey();

  /** From 1. */
  int attempt();

  /** The payload, empty if there is none. A new array for each call. */
  byte[] payload();

  /**
   * The other occurrences that this run stands for, since the scheduler or the workers were down.
   */
  Optional<Collapsed> collapsed();

  /** The end of the time box, exclusive, by this machine's clock. All attempts share it. */
  Optional<Instant> deadline();

  /** True from the deadline on, or when the worker must give the run back before. */
  boolean isCancelled();

  /**
   * Has something done when this run is cancelled, at once if it is already: closing a connection
   * that a blocking call waits for, say. Done in a thread of its own, once.
   */
  void onCancel(Runnable action);

  /** What the run before this one, or the attempt before this one, has left. */
  Optional<byte[]> checkpoint();

  /**
   * Leaves something for the next run of this schedule, whatever becomes of this one: how far it
   * has come. The last one counts. A run that succeeds and leaves nothing takes away what it found.
   *
   * @param checkpoint at most 64 KiB
   * @throws IllegalArgumentException if it is larger
   */
  void leaveCheckpoint(byte[] checkpoint);

  /** What the outcome shall tell people; cut after 16 KiB of UTF-8. The last one counts. */
  void output(String text);

  /**
   * Says that nothing had to be done, for example since it has been done before: the outcome is
   * DROPPED with this reason. Return after it.
   */
  void drop(String reason);
}

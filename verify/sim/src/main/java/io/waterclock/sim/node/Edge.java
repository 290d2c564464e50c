package io.waterclock.sim.node;

import io.waterclock.sim.broker.Place;
import java.time.Duration;
import java.util.Map;

/**
 * An edge of a process, where a value crosses that a {@link Fault} may change. Without one, those
 * that say whether something is done say that it is.
 *
 * @param <T> the value
 */
public final class Edge<T> {
  /** Whether the gate is open. */
  public static final Edge<Boolean> GATE = new Edge<>();

  /** The end of an input that the gate must pass. */
  public static final Edge<Long> INPUT_END = new Edge<>();

  /** The end of another partition that must be read before the gate opens. */
  public static final Edge<Long> OTHER_END = new Edge<>();

  /** How old state on disk may be. */
  public static final Edge<Duration> OLDEST_STATE = new Edge<>();

  /** The offsets that a commit stores. */
  public static final Edge<Map<Place, Long>> OFFSETS = new Edge<>();

  /** The offset that a worker commits. */
  public static final Edge<Long> WORKER_OFFSET = new Edge<>();

  /** The wall clock, in milliseconds, as the scheduler reads it. */
  public static final Edge<Long> WALL_MS = new Edge<>();

  /** Whether the guard trusts the clock. */
  public static final Edge<Boolean> TRUST = new Edge<>();

  /** How long a task is idle. */
  public static final Edge<Duration> IDLE = new Edge<>();

  /** Whether a scheduler whose clock is behind knows the time of the brokers. */
  public static final Edge<Boolean> BROKERS_TIME = new Edge<>();

  /** Whether the task decides in this round. */
  public static final Edge<Boolean> TICK = new Edge<>();

  /** Whether the brokers check that a member is in the current generation of its group. */
  public static final Edge<Boolean> FENCE = new Edge<>();

  /** Whether a transaction whose tasks have read nothing stores where they began to read. */
  public static final Edge<Boolean> BEGINNINGS = new Edge<>();

  /** Whether offsets are committed with the transaction. */
  public static final Edge<Boolean> ATOMIC_OFFSETS = new Edge<>();

  /** Whether records are sent in the transaction. */
  public static final Edge<Boolean> ATOMIC_RECORDS = new Edge<>();

  /** Whether a transaction is decided before the other producer begins the next. */
  public static final Edge<Boolean> DECISION = new Edge<>();

  /** Whether a stall of the thread is noticed. */
  public static final Edge<Boolean> STALL = new Edge<>();

  /** Whether a dirty state is wiped. */
  public static final Edge<Boolean> WIPE = new Edge<>();

  private Edge() {}

  /** A value that crosses this edge, of which only that is known. */
  @SuppressWarnings("unchecked")
  public T cast(Object value) {
    return (T) value;
  }
}

package io.waterclock.client.worker;

import io.waterclock.client.payload.PayloadException;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;

/**
 * One attempt to run a fire, for its handler. Any thread of the handler may use it; calls after the
 * end of the attempt have no effect.
 */
public interface Run {
  /** The most bytes of a checkpoint. */
  int MAX_CHECKPOINT = 64 * 1024;

  /** The fire, with the definition of its schedule. */
  Fire fire();

  /** The key of its record: {@code <schedule id>|<occurrence>}. */
  String fireKey();

  /** The number of this attempt, from 1. */
  int attempt();

  /** The payload; empty if there is none. A new array for each call. */
  default byte[] payload() {
    ByteBuffer payload = fire().getSchedule().getPayload();
    byte[] bytes = new byte[payload == null ? 0 : payload.remaining()];
    if (payload != null) {
      payload.duplicate().get(bytes);
    }
    return bytes;
  }

  /**
   * The payload as an object, by the worker's {@link FireWorker.Builder#payloads mapper}. {@code
   * String.class} returns it as text.
   *
   * @throws PayloadException if there is no payload, or it is not one of the type; the fire then
   *     becomes a dead letter without a retry
   */
  @SuppressWarnings("unchecked")
  default <T> T payloadAs(Class<T> type) {
    Object value = payloadAs((Type) type);
    return type.isPrimitive() ? (T) value : type.cast(value);
  }

  /** Does the same for a type with parameters, such as {@code List<Order>}. */
  Object payloadAs(Type type);

  /**
   * The other occurrences that this run stands for, because the scheduler or the workers were down.
   */
  Optional<Collapsed> collapsed();

  /** The end of the timeout, exclusive, by this machine's clock. All attempts share it. */
  Optional<Instant> deadline();

  /** True from the deadline on, or from when the worker must hand the run back. */
  boolean isCancelled();

  /**
   * Adds an action for the cancellation of this run, for example to close a connection on which a
   * blocking call waits. The worker runs it once, in a separate thread; at once if the run is
   * cancelled already.
   */
  void onCancel(Runnable action);

  /** The checkpoint that the previous run or attempt has left. */
  Optional<byte[]> checkpoint();

  /**
   * Leaves a checkpoint for the next run of this schedule, whatever the outcome of this run. The
   * last call counts. A run that succeeds without a checkpoint removes the one that it found.
   *
   * @param checkpoint at most {@link #MAX_CHECKPOINT} bytes
   * @throws IllegalArgumentException if it is larger
   * @throws IllegalStateException if the worker is {@link FireWorker.Builder#unordered}
   */
  void leaveCheckpoint(byte[] checkpoint);

  /**
   * Sets the output in the outcome, for a person; cut after 16 KiB of UTF-8. The last call counts.
   */
  void output(String text);

  /**
   * Reports that the fire needed no work, for example because it ran before: the outcome is DROPPED
   * with this reason. Return after this call.
   */
  void drop(String reason);
}

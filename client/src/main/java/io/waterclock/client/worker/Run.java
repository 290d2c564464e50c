package io.waterclock.client.worker;

import io.waterclock.client.payload.PayloadException;
import io.waterclock.client.schedules.NotWrittenException;
import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.OnceTrigger;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.time.Duration;
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
   * Makes this schedule, which fires once, fire again at an instant: it defines the schedule by the
   * definition of this fire with another instant, as {@link #put} does.
   *
   * @throws IllegalStateException if the schedule has a trigger that goes on, such as cron
   * @throws IllegalArgumentException if the instant is not after the occurrence of this fire
   * @throws NotWrittenException as {@link #put}
   */
  default void scheduleNext(Instant at) {
    if (!at.isAfter(fire().getOccurrence())) {
      throw new IllegalArgumentException(
          "the next instant %s must be after this occurrence, %s"
              .formatted(at, fire().getOccurrence()));
    }
    put(fire().getScheduleId(), own().rescheduledAt(at));
  }

  /**
   * Does the same with a time after the write of this change: run again, and the time begins again.
   */
  default void scheduleNext(Duration delay) {
    put(fire().getScheduleId(), own().rescheduledAfter(delay));
  }

  private ScheduleBuilder own() {
    Object trigger = fire().getSchedule().getTrigger();
    if (!(trigger instanceof OnceTrigger)) {
      throw new IllegalStateException(
          "%s goes on by itself, by %s; scheduleNext is for schedules that fire once. To change its"
                  .formatted(fire().getScheduleId(), trigger)
              + " trigger, put another definition");
    }
    return ScheduleBuilder.from(fire().getSchedule());
  }

  /**
   * Defines or redefines a schedule, this one or another. The call returns when the brokers have
   * the record, so before the worker commits the fire and before a transaction around the handler
   * commits: a change is never lost, and an attempt that is repeated makes it again, which changes
   * nothing if the definition is the same. In a transaction of Kafka, write it there instead, with
   * {@code Schedules.in(producer)}.
   *
   * @throws NotWrittenException if the brokers do not take the record in time; let it end the
   *     attempt
   * @throws IllegalStateException if the attempt is over
   */
  void put(String id, ScheduleBuilder definition);

  /** Deletes a schedule, this one or another, as {@link #put} defines one. */
  void delete(String id);

  /**
   * Reports that the fire needed no work, for example because it ran before: the outcome is DROPPED
   * with this reason. Return after this call.
   */
  void drop(String reason);
}

package io.waterclock.schemas;

import io.waterclock.schemas.avro.Schedule;
import java.util.Arrays;

/**
 * A definition with its Avro body, encoded once for the store and for each fire. Immutable by
 * convention: callers must not change the Avro record or the array. Equal records have equal
 * bodies, so {@code equals} compares the bodies.
 */
public final class ScheduleSnapshot {
  private final Schedule schedule;
  private final byte[] body;

  private ScheduleSnapshot(Schedule schedule, byte[] body) {
    this.schedule = schedule;
    this.body = body;
  }

  /** Encodes a record. */
  public static ScheduleSnapshot of(Schedule schedule) {
    return new ScheduleSnapshot(schedule, RecordCodecs.schedule().encodeBody(schedule));
  }

  /**
   * Reads a body, written with the current schema.
   *
   * @throws UndecodableException if the slice is not exactly one schedule
   */
  public static ScheduleSnapshot ofBody(byte[] bytes, int offset, int length) {
    byte[] body = Arrays.copyOfRange(bytes, offset, offset + length);
    return new ScheduleSnapshot(RecordCodecs.schedule().decodeBody(body, 0, length), body);
  }

  public Schedule schedule() {
    return schedule;
  }

  /** The bare Avro body, without a header; not to be changed. */
  public byte[] body() {
    return body;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ScheduleSnapshot that && Arrays.equals(body, that.body);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(body);
  }

  @Override
  public String toString() {
    return schedule.toString();
  }
}

package io.waterclock.topology.scheduler.store;

import io.waterclock.topology.scheduler.model.Timetable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/**
 * How far a partition has come: every occurrence whose (due, id) is at or below it is decided, but
 * for schedules out of step, which keep their own progress. Immutable.
 *
 * @param dueMs epoch milliseconds
 * @param id the schedule id in UTF-8; compared as unsigned bytes
 */
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode go by content
public record Position(long dueMs, byte[] id) {
  /** Sorts after every schedule id, which are ASCII. */
  private static final byte[] AFTER_ALL_IDS = {(byte) 0xFF};

  /** Everything due at or before an instant. */
  public static Position throughAllAt(long dueMs) {
    return new Position(dueMs, AFTER_ALL_IDS);
  }

  /** Everything due before an instant. */
  public static Position before(long dueMs) {
    return new Position(dueMs, new byte[0]);
  }

  /** True when an occurrence with this due instant of this schedule is decided. */
  public boolean covers(long otherDueMs, byte[] otherId) {
    return otherDueMs < dueMs || (otherDueMs == dueMs && Arrays.compareUnsigned(otherId, id) <= 0);
  }

  /** True when nothing due at this position's instant is left. */
  public boolean isThroughAll() {
    return id.length == 1 && id[0] == AFTER_ALL_IDS[0];
  }

  /** The latest instant, epoch milliseconds, at which nothing due is left. */
  public long throughMs() {
    return isThroughAll() ? dueMs : dueMs - 1;
  }

  /** The later of two positions. */
  public Position max(Position other) {
    return covers(other.dueMs, other.id) ? this : other;
  }

  /** The earlier of two positions. */
  public Position min(Position other) {
    return covers(other.dueMs, other.id) ? other : this;
  }

  /** The cursor of a schedule in step: every occurrence at or before the result is decided. */
  public Instant cursor(Timetable timetable, byte[] scheduleId) {
    return timetable.cursorAt(cursorWithoutTimetable(scheduleId));
  }

  /**
   * As {@link #cursor}, for a schedule that does not compile any more, so that its jitter cannot be
   * asked: an occurrence whose jitter reaches past the position counts as decided.
   */
  public Instant cursorWithoutTimetable(byte[] scheduleId) {
    boolean inclusive = Arrays.compareUnsigned(scheduleId, id) <= 0;
    return Instant.ofEpochMilli(inclusive ? dueMs : dueMs - 1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Position that && that.dueMs == dueMs && Arrays.equals(that.id, id);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(dueMs) * 31 + Arrays.hashCode(id);
  }

  @Override
  public String toString() {
    return Instant.ofEpochMilli(dueMs)
        + " "
        + (isThroughAll() ? "(all)" : new String(id, StandardCharsets.UTF_8));
  }
}

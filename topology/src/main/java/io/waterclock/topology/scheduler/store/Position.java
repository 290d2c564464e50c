package io.waterclock.topology.scheduler.store;

import io.waterclock.definition.Timetable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/**
 * The progress of a partition: every occurrence whose (due, id) is at or below the position is
 * decided, except those of schedules out of step, which keep their own progress. Immutable.
 *
 * @param dueMs epoch milliseconds
 * @param id the schedule id in UTF-8; compared as unsigned bytes
 */
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode go by content
public record Position(long dueMs, byte[] id) {
  /** Sorts after every schedule id, since ids are ASCII. */
  private static final byte[] AFTER_ALL_IDS = {(byte) 0xFF};

  /** The position after everything due at or before an instant. */
  public static Position throughAllAt(long dueMs) {
    return new Position(dueMs, AFTER_ALL_IDS);
  }

  /** The position after everything due before an instant. */
  public static Position before(long dueMs) {
    return new Position(dueMs, new byte[0]);
  }

  /** True when an occurrence with this due instant of this schedule is decided. */
  public boolean covers(long otherDueMs, byte[] otherId) {
    return otherDueMs < dueMs || (otherDueMs == dueMs && Arrays.compareUnsigned(otherId, id) <= 0);
  }

  /** True when everything due at this position's instant is decided. */
  public boolean isThroughAll() {
    return id.length == 1 && id[0] == AFTER_ALL_IDS[0];
  }

  /** The latest instant, epoch milliseconds, at which everything due is decided. */
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
   * As {@link #cursor}, for a schedule that no longer compiles, so its jitter is unknown: an
   * occurrence whose jitter reaches past the position counts as decided.
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

package io.waterclock.topology.scheduler.apply;

import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The schedules of a task with waiting fires of commands, and how many bytes the single fires take.
 * In memory only; filled together with the queue.
 */
public final class CommandedLanes {
  private final Map<ScheduleId, Long> manual = new LinkedHashMap<>();

  /** With the instant until which no more of its fires may run. */
  private final Map<ScheduleId, Instant> backfills = new LinkedHashMap<>();

  private long manualBytes;

  /** Updates a schedule from its state; a schedule that is new to a lane goes to its end. */
  void note(ScheduleState state) {
    CommandState commanded = state.commanded();
    if (commanded.fires().isEmpty()) {
      removeManual(state.id());
    } else {
      long bytes = commanded.fires().bytes();
      Long before = manual.put(state.id(), bytes);
      manualBytes += bytes - (before == null ? 0 : before);
    }
    if (state.hasBackfillToFire()) {
      backfills.put(state.id(), state.backfillHeldUntil().orElse(Instant.MIN));
    } else {
      backfills.remove(state.id());
    }
  }

  private void removeManual(ScheduleId id) {
    Long bytes = manual.remove(id);
    manualBytes -= bytes == null ? 0 : bytes;
  }

  /** About how many bytes the single fires take that wait. */
  public long manualBytes() {
    return manualBytes;
  }

  public boolean isEmpty() {
    return manual.isEmpty() && backfills.isEmpty();
  }

  /** Removes a schedule from both lanes. */
  public void remove(ScheduleId id) {
    removeManual(id);
    backfills.remove(id);
  }

  /** The schedule whose turn it is to fire single fires; it goes to the end of its lane. */
  public Optional<ScheduleId> nextManual() {
    Optional<ScheduleId> first = first(manual.keySet());
    first.ifPresent(id -> manual.put(id, Objects.requireNonNull(manual.remove(id))));
    return first;
  }

  /** The schedule whose turn it is to continue a backfill; it goes to the end of its lane. */
  public Optional<ScheduleId> nextBackfill() {
    Optional<ScheduleId> first = first(backfills.keySet());
    first.ifPresent(id -> backfills.put(id, Objects.requireNonNull(backfills.remove(id))));
    return first;
  }

  /** True while as many fires of the backfill run as may. */
  public boolean isHeld(ScheduleId id, Instant now) {
    return backfills.getOrDefault(id, Instant.MIN).isAfter(now);
  }

  /** How many schedules wait for single fires. */
  public int manualSize() {
    return manual.size();
  }

  /** How many schedules have running backfills. */
  public int backfillsSize() {
    return backfills.size();
  }

  private static Optional<ScheduleId> first(Set<ScheduleId> lane) {
    Iterator<ScheduleId> ids = lane.iterator();
    return ids.hasNext() ? Optional.of(ids.next()) : Optional.empty();
  }
}

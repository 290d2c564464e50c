package io.waterclock.topology.scheduler.context;

import io.waterclock.schemas.ScheduleId;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Finds the schedules that a partition of the schedules topic defines, by reading all of it. */
@FunctionalInterface
public interface DefinedSchedules {

  /**
   * Reads the partition from its beginning to its current end, on another thread.
   *
   * @return the ids whose newest record is a definition; fails when the broker does not answer
   */
  CompletableFuture<Set<ScheduleId>> of(int partition);
}

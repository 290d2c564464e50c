package io.waterclock.topology.scheduler.apply;

import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.store.States;
import io.waterclock.topology.scheduler.store.Stores;
import java.util.Optional;

/**
 * The schedules of a partition, as a task has them. Only {@link Applier} and {@link Placement}
 * change them. For the task's stream thread.
 *
 * @param number of the partition of the input topics
 * @param placement where each schedule stands
 */
public record PartitionState(
    int number, Stores stores, States states, Placement placement, Counts counts) {

  /** The state of a schedule, as of the position. */
  public Optional<ScheduleState> load(ScheduleId id) {
    return states.load(id, placement.position());
  }
}

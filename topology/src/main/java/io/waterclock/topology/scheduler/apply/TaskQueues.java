package io.waterclock.topology.scheduler.apply;

import io.waterclock.topology.scheduler.store.DueIndex;
import io.waterclock.topology.scheduler.store.DueQueue;
import io.waterclock.topology.scheduler.store.QueueHorizon;

/**
 * What a task keeps in memory of its schedules, filled from the stores at each assignment.
 *
 * @param commanded fires that commands ordered
 * @param moving schedules whose due instants change with calendars
 * @param horizon up to when {@code due} has all schedules
 */
public record TaskQueues(
    DueQueue due, CommandedLanes commanded, MovingSchedules moving, QueueHorizon horizon) {
  public static TaskQueues of(DueIndex index) {
    return new TaskQueues(
        new DueQueue(), new CommandedLanes(), new MovingSchedules(), new QueueHorizon(index));
  }
}

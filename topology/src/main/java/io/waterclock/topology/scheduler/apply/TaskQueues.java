package io.waterclock.topology.scheduler.apply;

import io.waterclock.topology.scheduler.store.DueQueue;

/**
 * What a task keeps in memory of its schedules, filled from the stores at each assignment.
 *
 * @param due what is due next
 * @param commanded fires that commands ordered
 * @param moving schedules whose due instants change with calendars
 */
public record TaskQueues(DueQueue due, CommandedLanes commanded, MovingSchedules moving) {
  public static TaskQueues empty() {
    return new TaskQueues(new DueQueue(), new CommandedLanes(), new MovingSchedules());
  }
}

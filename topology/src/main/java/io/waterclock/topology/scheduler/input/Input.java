package io.waterclock.topology.scheduler.input;

/** What the scheduler takes records from. */
public enum Input {
  SCHEDULES,
  COMMANDS,
  OUTCOMES,
  CALENDARS
}

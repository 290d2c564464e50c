package io.waterclock.topology.stream;

/** What the scheduler takes records from. */
public enum Input {
  SCHEDULES,
  COMMANDS,
  OUTCOMES,
  CALENDARS
}

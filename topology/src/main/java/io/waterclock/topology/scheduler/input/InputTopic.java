package io.waterclock.topology.scheduler.input;

/** What the scheduler takes records from. */
public enum InputTopic {
  SCHEDULES,
  COMMANDS,
  OUTCOMES,
  CALENDARS
}

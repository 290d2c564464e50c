package io.waterclock.topology.scheduler.input;

/** The input topics of the scheduler. */
public enum InputTopic {
  SCHEDULES,
  COMMANDS,
  OUTCOMES,
  CALENDARS
}

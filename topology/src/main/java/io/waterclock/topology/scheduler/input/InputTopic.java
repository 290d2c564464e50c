package io.waterclock.topology.scheduler.input;

public enum InputTopic {
  SCHEDULES,
  COMMANDS,
  OUTCOMES,
  CALENDARS
}

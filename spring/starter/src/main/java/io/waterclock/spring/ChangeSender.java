package io.waterclock.spring;

import io.waterclock.client.schedules.ScheduleCommand;
import io.waterclock.schemas.avro.Schedule;

/** Where a {@link WaterclockTemplate} sends its changes: Kafka, or the virtual clock of a test. */
public interface ChangeSender {
  /** Defines or redefines a schedule. */
  ScheduleChange put(String id, Schedule definition);

  /** Deletes a schedule. */
  ScheduleChange delete(String id);

  /** Sends a command. */
  ScheduleChange command(String id, ScheduleCommand command);
}

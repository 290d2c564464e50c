package io.waterclock.spring;

import io.waterclock.client.schedules.BulkResult;
import io.waterclock.client.schedules.CalendarBuilder;
import io.waterclock.client.schedules.ScheduleCommand;
import io.waterclock.client.schedules.Selector;
import io.waterclock.schemas.avro.Schedule;
import java.util.concurrent.CompletableFuture;

/** Where a {@link WaterclockTemplate} sends its changes: Kafka, or the virtual clock of a test. */
public interface ChangeSender {
  /** Defines or redefines a schedule. */
  ScheduleChange put(String id, Schedule definition);

  /** Deletes a schedule. */
  ScheduleChange delete(String id);

  /** Deletes every schedule that matches now, in no transaction; refuses a selector of all. */
  CompletableFuture<BulkResult> delete(Selector selector);

  /** Sends a command. */
  ScheduleChange command(String id, ScheduleCommand command);

  /** Defines or redefines a calendar; complete when it is written. */
  CompletableFuture<Void> putCalendar(String name, CalendarBuilder calendar);

  /** Deletes a calendar; complete when that is written. */
  CompletableFuture<Void> deleteCalendar(String name);
}

package io.waterclock.client.schedules;

import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;

/**
 * The changes that can be made to schedules. Every method throws {@link InvalidIdException} if what
 * it is given is no schedule id, and leaves everything else to the scheduler to judge.
 *
 * @param <T> what a change gives: the answer to come, or inside a transaction a handle for it
 */
public abstract sealed class Changes<T> permits Schedules, SchedulesInTransaction {
  Changes() {}

  abstract T send(Request request);

  /** Defines a schedule, or redefines it. A definition equal to the one in force is no change. */
  public final T put(String id, ScheduleBuilder definition) {
    return put(id, definition.build());
  }

  /** The same with a record, such as one that {@link Schedules#get} gave, changed. */
  public final T put(String id, Schedule definition) {
    return send(Request.put(id, definition));
  }

  /** The same in the JSON form, such as {@code {"every":"5m"}}; written as it stands. */
  public final T putJson(String id, String definition) {
    return send(Request.put(id, definition));
  }

  /** Deletes a schedule: what has not fired does not. */
  public final T delete(String id) {
    return send(Request.delete(id));
  }

  /** Gives a schedule a command, with all that may go with it. */
  public final T command(String id, ScheduleCommand command) {
    return send(Request.command(id, command));
  }

  /** {@link ScheduleCommand#pause()}. */
  public final T pause(String id) {
    return command(id, ScheduleCommand.pause());
  }

  /** {@link ScheduleCommand#resume()}. */
  public final T resume(String id) {
    return command(id, ScheduleCommand.resume());
  }

  /** {@link ScheduleCommand#trigger()}. */
  public final T trigger(String id) {
    return command(id, ScheduleCommand.trigger());
  }

  /** {@link ScheduleCommand#backfill}; {@link Schedules#backfillProgress} tells how far it is. */
  public final T backfill(String id, Instant from, Instant to) {
    return command(id, ScheduleCommand.backfill(from, to));
  }

  /** {@link ScheduleCommand#cancelBackfill}. */
  public final T cancelBackfill(String id, String commandId) {
    return command(id, ScheduleCommand.cancelBackfill(commandId));
  }

  /** {@link ScheduleCommand#skip}. */
  public final T skip(String id, Instant occurrence) {
    return command(id, ScheduleCommand.skip(occurrence));
  }

  /** {@link ScheduleCommand#unskip}. */
  public final T unskip(String id, Instant occurrence) {
    return command(id, ScheduleCommand.unskip(occurrence));
  }
}

package io.waterclock.client.schedules;

import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.function.UnaryOperator;

/**
 * The changes to schedules. Every method throws {@link InvalidIdException} for an invalid schedule
 * id; the scheduler checks everything else.
 *
 * @param <T> the result of a change: a future of the answer, or inside a transaction a handle
 */
public abstract sealed class Changes<T> permits Schedules, SchedulesInTransaction, Changes.Said {
  Changes() {}

  abstract T send(Request request);

  /** Defines or redefines a schedule. A definition that equals the one in force changes nothing. */
  public final T put(String id, ScheduleBuilder definition) {
    return put(id, definition.build());
  }

  /** Defines a schedule with a record, for example a changed one from {@link Schedules#get}. */
  public final T put(String id, Schedule definition) {
    return send(Request.put(id, definition));
  }

  /**
   * Defines a schedule in the JSON form, for example {@code {"every":"5m"}}; the client writes it
   * unchanged.
   */
  public final T putJson(String id, String definition) {
    return send(Request.put(id, definition));
  }

  /**
   * A schedule as a timer. Sends nothing yet.
   *
   * @throws InvalidIdException if the id is not a valid schedule id
   */
  public final Timer<T> timer(String id) {
    String valid = ScheduleId.parse(id).value();
    return new Timer<>(
        definition -> put(valid, definition), () -> delete(valid), UnaryOperator.identity());
  }

  /** Deletes a schedule; occurrences that have not fired do not fire. */
  public final T delete(String id) {
    return send(Request.delete(id));
  }

  /**
   * The same changes with a reason and an author, which histories show: in the revision for a
   * definition or a delete, and in the command for a command.
   *
   * @param why at most 1,000 characters; empty for none
   * @param who at most 255 characters; empty for none
   */
  public final Changes<T> saying(String why, String who) {
    return new Said<>(this, why, who);
  }

  /** Sends a command with all its options. */
  public T command(String id, ScheduleCommand command) {
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

  /** {@link ScheduleCommand#backfill}; {@link Schedules#backfillProgress} returns its progress. */
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

  /** Changes with a reason and an author. */
  static final class Said<T> extends Changes<T> {
    private final Changes<T> changes;
    private final String why;
    private final String who;

    private Said(Changes<T> changes, String why, String who) {
      this.changes = changes;
      this.why = why;
      this.who = who;
    }

    /** Of a definition or a delete. */
    @Override
    T send(Request request) {
      return changes.send(request.saying(why, who));
    }

    @Override
    public T command(String id, ScheduleCommand command) {
      return changes.command(id, command.saying(why, who));
    }
  }
}

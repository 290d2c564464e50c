package io.waterclock.decide.model;

import io.waterclock.definition.Validation;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** An event of a schedule. */
public sealed interface Event {

  /** The same event with the earlier lives of its schedule. */
  default Event after(Optional<EarlierLives> earlier) {
    if (this instanceof Defined it) {
      return new Defined(it.definition, it.revision, it.timestamp, earlier, it.clock, it.continues);
    }
    return this instanceof Imported it
        ? new Imported(it.schedule, it.state, it.revision, it.timestamp, earlier)
        : this;
  }

  /** The same event, where the time of the partition is earlier than that of the event. */
  default Event by(Instant clock) {
    return this instanceof Defined it
        ? new Defined(
            it.definition, it.revision, it.timestamp, it.earlier, Optional.of(clock), it.continues)
        : this;
  }

  /**
   * A valid definition arrived.
   *
   * @param definition normalised and valid, see {@link Validation}
   * @param timestamp of the record, by the clock of its producer
   * @param earlier lives of the id; empty when none is known
   * @param clock by which occurrences are due and missed; empty when it is that of the decision
   * @param continues true when it begins no new life: the import of a schedule that exists, or the
   *     end of a pause
   */
  record Defined(
      ScheduleSnapshot definition,
      String revision,
      Instant timestamp,
      Optional<EarlierLives> earlier,
      Optional<Instant> clock,
      boolean continues)
      implements Event {

    /** A definition by the clock of the decision. */
    public Defined(
        ScheduleSnapshot definition,
        String revision,
        Instant timestamp,
        Optional<EarlierLives> earlier) {
      this(definition, revision, timestamp, earlier, Optional.empty(), false);
    }

    /** A definition without known earlier lives. */
    public Defined(Schedule schedule, String revision, Instant timestamp) {
      this(ScheduleSnapshot.of(schedule), revision, timestamp, Optional.empty());
    }

    public Schedule schedule() {
      return definition.schedule();
    }

    /** The same, which begins no new life. */
    public Defined continuing() {
      return new Defined(definition, revision, timestamp, earlier, clock, true);
    }
  }

  /**
   * A valid definition arrived with the progress that it had at another scheduler.
   *
   * @param schedule normalised and valid, see {@link Validation}
   * @param state valid, as {@code ImportValidation} checks
   * @param timestamp of the record, by the clock of its producer
   * @param earlier lives of the id here; empty when none is known
   */
  record Imported(
      Schedule schedule,
      ExportedState state,
      String revision,
      Instant timestamp,
      Optional<EarlierLives> earlier)
      implements Event {

    /** An import without known earlier lives. */
    public Imported(Schedule schedule, ExportedState state, String revision, Instant timestamp) {
      this(schedule, state, revision, timestamp, Optional.empty());
    }

    /** The event for a schedule that exists: the import is an ordinary definition. */
    public Defined asDefined() {
      return new Defined(schedule, revision, timestamp).continuing();
    }
  }

  /** A tombstone arrived. */
  record Deleted(Instant timestamp) implements Event {}

  /**
   * The schedule's next occurrence may be due.
   *
   * @param through inclusive: only what is due by then is decided, since a record that is not read
   *     yet may cancel what is due later
   */
  record Due(Instant through) implements Event {
    /** Decides everything that is due by the time of the decision. */
    public Due() {
      this(Instant.MAX);
    }
  }

  /** Deciding or encoding failed; {@code reason} says why in words. */
  record Failed(String reason) implements Event {}

  /**
   * The watchdog checks the schedule: it records a completion, and removes a schedule after its
   * retention.
   *
   * @param readThrough inclusive: what was written by then is read; what is not may define again a
   *     schedule whose retention ends later
   */
  record Reviewed(Instant readThrough) implements Event {}

  /**
   * A command arrived for its first execution.
   *
   * @param timestamp of the record, by the clock of its producer
   * @param record topic-partition@offset
   */
  record Commanded(Command command, Instant timestamp, String record) implements Event {

    /** When it takes effect: its timestamp, at most now. */
    public Instant effectiveBy(Instant now) {
      return timestamp.isBefore(now) ? timestamp : now;
    }
  }

  /**
   * A worker has reported the outcome of a fire of the trigger.
   *
   * @param occurrence of the fire
   * @param startedAt by the clock of the worker
   * @param error why it failed, in words
   * @param timestamp of the record, by the clock of its producer
   * @param record topic-partition@offset
   */
  record Reported(
      Instant occurrence,
      OutcomeState outcome,
      Optional<Instant> startedAt,
      Optional<String> error,
      Instant timestamp,
      String record)
      implements Event {

    /** When it takes effect: its timestamp, at most now. */
    public Instant effectiveBy(Instant now) {
      return timestamp.isBefore(now) ? timestamp : now;
    }
  }

  /**
   * A worker has reported the outcome of a fire that a backfill has ordered.
   *
   * @param backfill the id of its command
   * @param occurrence of the fire
   * @param startedAt by the clock of the worker
   * @param timestamp of the record, by the clock of its producer
   */
  record BackfillReported(
      String backfill,
      Instant occurrence,
      OutcomeState outcome,
      Optional<Instant> startedAt,
      Instant timestamp)
      implements Event {}

  /**
   * A fire of the trigger that waited for its limit has started, or does not start any more.
   *
   * @param at when, not after the decision
   */
  record Waited(Instant occurrence, Instant at, boolean hasStarted) implements Event {}

  /**
   * It is the schedule's turn to fire the waiting fires of commands.
   *
   * @param fires the oldest that wait; one or more
   */
  record ManualDue(List<ManualFire> fires) implements Event {}

  /**
   * It is the schedule's turn to continue its oldest backfill.
   *
   * @param most how many fires; at least 1
   * @param under the replaced revision by which it fires; empty for the one in force
   */
  record BackfillDue(int most, Optional<Accepted> under) implements Event {}
}

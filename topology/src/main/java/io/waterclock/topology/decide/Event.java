package io.waterclock.topology.decide;

import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.Optional;

/** What can happen to a schedule. */
public sealed interface Event {

  /**
   * A valid definition arrived.
   *
   * @param schedule normalised and valid, see {@link Validation}
   * @param timestamp of the record, by the clock of its producer
   */
  record Defined(Schedule schedule, String revision, Instant timestamp) implements Event {}

  /**
   * A valid definition arrived that another scheduler had accepted, with how far it was there.
   *
   * @param schedule normalised and valid, see {@link Validation}
   * @param state valid, see {@link ImportValidation}
   * @param timestamp of the record, by the clock of its producer
   */
  record Imported(Schedule schedule, ExportedState state, String revision, Instant timestamp)
      implements Event {

    /** What it is for a schedule that exists. */
    Defined asDefined() {
      return new Defined(schedule, revision, timestamp);
    }
  }

  /** A tombstone arrived. */
  record Deleted(Instant timestamp) implements Event {}

  /** Its next occurrence may be due. */
  record Due() implements Event {}

  /** Deciding or emitting failed; {@code reason} is for a person. */
  record Failed(String reason) implements Event {}

  /** The walk came by: completion is recorded, what was kept long enough is removed. */
  record Reviewed() implements Event {}

  /**
   * A command arrived that was never executed before.
   *
   * @param timestamp of the record, by the clock of its producer
   */
  record Commanded(Command command, Instant timestamp) implements Event {

    /** When it takes effect: its timestamp, but for one from the future. */
    Instant effectiveBy(Instant now) {
      return timestamp.isBefore(now) ? timestamp : now;
    }
  }

  /**
   * A worker has told what became of a fire of the trigger.
   *
   * @param occurrence of the fire
   * @param startedAt by the clock of the worker
   * @param error why it failed, for people
   * @param timestamp of the record, by the clock of its producer
   */
  record Reported(
      Instant occurrence,
      OutcomeState outcome,
      Optional<Instant> startedAt,
      Optional<String> error,
      Instant timestamp)
      implements Event {

    /** When it takes effect: its timestamp, but for one from the future. */
    Instant effectiveBy(Instant now) {
      return timestamp.isBefore(now) ? timestamp : now;
    }
  }

  /**
   * It is its turn to fire what commands have ordered beside the trigger.
   *
   * @param most how many fires; at least 1
   */
  record ManualDue(int most) implements Event {}

  /**
   * It is its turn to go on with its oldest backfill.
   *
   * @param most how many fires; at least 1
   */
  record BackfillDue(int most) implements Event {}
}

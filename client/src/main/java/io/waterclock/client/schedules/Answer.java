package io.waterclock.client.schedules;

import io.waterclock.client.WaterclockException;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.text.Problems;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The scheduler's answer to a change: success, or the reason for the refusal. {@link #orThrow()}
 * turns a refusal into an exception.
 */
public sealed interface Answer {

  /** The id of the schedule. */
  String scheduleId();

  /** The revision in force after the change; empty if there is none. */
  Optional<String> revision();

  /**
   * The scheduler has carried out the change.
   *
   * @param revision empty after a delete
   * @param next the first undecided occurrence, skipped or not; empty if there are no more, or the
   *     schedule is paused: see {@code state}
   * @param isChange false if the change was in force already
   * @param commandId the id of the command, to follow or cancel a backfill; empty for a definition
   *     or a delete
   * @param state the schedule's state after the change; empty after a delete, and from a scheduler
   *     that does not send it
   * @param occurrences the answer to {@link Schedules#next(String, int)}
   * @param warnings what is valid in the definition and may not be meant, each with what would mean
   *     something else
   */
  record Accepted(
      String scheduleId,
      Optional<String> revision,
      Optional<Instant> next,
      boolean isChange,
      Optional<String> commandId,
      Optional<State> state,
      List<Instant> occurrences,
      List<Problem> warnings)
      implements Answer {
    public Accepted {
      occurrences = List.copyOf(occurrences);
      warnings = List.copyOf(warnings);
    }

    /**
     * True if the schedule never fires again, for example one with {@code after(HOUR)} that has
     * fired. A put of the same definition does not change that, except with {@link
     * ScheduleBuilder#rearm}.
     */
    public boolean neverFires() {
      return state.filter(State.COMPLETED::equals).isPresent();
    }
  }

  /**
   * The change has errors; nothing has changed.
   *
   * @param revision the revision that stays in force
   * @param problems all errors, each with a valid example
   */
  record Rejected(String scheduleId, Optional<String> revision, List<Problem> problems)
      implements Answer {
    public Rejected {
      problems = List.copyOf(problems);
    }
  }

  /**
   * Another revision is in force than the expected one, or the scheduler has read a newer record
   * before; nothing has changed.
   *
   * @param revision the revision in force
   */
  record Conflict(String scheduleId, Optional<String> revision, List<Problem> problems)
      implements Answer {
    public Conflict {
      problems = List.copyOf(problems);
    }
  }

  /** There is no such schedule. */
  record NotFound(String scheduleId) implements Answer {
    @Override
    public Optional<String> revision() {
      return Optional.empty();
    }
  }

  /** The scheduler has refused a change. The message contains all reasons. */
  final class RefusedException extends WaterclockException {
    private final transient Answer answer;

    RefusedException(Answer answer) {
      super(message(answer));
      this.answer = answer;
    }

    /** {@link Rejected}, {@link Conflict} or {@link NotFound}. */
    public Answer answer() {
      return answer;
    }

    private static String message(Answer answer) {
      String id = answer.scheduleId();
      if (answer instanceof Rejected rejected) {
        return id + " was rejected: " + Problems.text(rejected.problems());
      }
      if (answer instanceof Conflict conflict) {
        return id + " is not as expected: " + Problems.text(conflict.problems());
      }
      return "there is no schedule " + id;
    }
  }

  /**
   * The answer in a record of the answers topic.
   *
   * @param commandId the id of the command that it answers; empty for a definition or a delete
   */
  static Answer of(io.waterclock.schemas.avro.Answer record, Optional<String> commandId) {
    String id = record.getScheduleId();
    Optional<String> revision = Optional.ofNullable(record.getRevision());
    return switch (record.getVerdict()) {
      case ACCEPTED, UNCHANGED, DELETED, EXECUTED ->
          new Accepted(
              id,
              revision,
              Optional.ofNullable(record.getNext()),
              record.getVerdict() != Verdict.UNCHANGED,
              commandId,
              Optional.ofNullable(record.getState()),
              record.getOccurrences(),
              record.getWarnings());
      case NOT_FOUND -> new NotFound(id);
      case REJECTED -> new Rejected(id, revision, record.getProblems());
      case CONFLICT -> new Conflict(id, revision, record.getProblems());
    };
  }

  /**
   * Returns the answer if it is {@link Accepted}.
   *
   * @throws RefusedException with all reasons, if it is not
   */
  default Accepted orThrow() {
    if (this instanceof Accepted accepted) {
      return accepted;
    }
    throw new RefusedException(this);
  }
}

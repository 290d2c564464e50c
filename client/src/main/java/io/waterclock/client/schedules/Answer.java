package io.waterclock.client.schedules;

import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the scheduler says to a change: it is so now, or why not. Whoever takes nothing but success
 * calls {@link #orThrow()}.
 */
public sealed interface Answer {

  /** The schedule that it is about. */
  String scheduleId();

  /** The revision in force after the change; empty if there is none. */
  Optional<String> revision();

  /**
   * The scheduler has done it.
   *
   * @param revision empty after a delete
   * @param next the first occurrence that is not decided, be it skipped or not; empty if none is to
   *     come, or the schedule is paused: {@code state} tells
   * @param isChange false if things were that way already
   * @param commandId of a command, by which a backfill can be followed and cancelled; empty for a
   *     definition or a delete
   * @param state of the schedule after the change; empty after a delete, and from a scheduler that
   *     does not tell it
   * @param occurrences to a question for the next ones: see {@link Schedules#next(String, int)}
   */
  record Accepted(
      String scheduleId,
      Optional<String> revision,
      Optional<Instant> next,
      boolean isChange,
      Optional<String> commandId,
      Optional<State> state,
      List<Instant> occurrences)
      implements Answer {
    public Accepted {
      occurrences = List.copyOf(occurrences);
    }

    /**
     * True when it never fires again as things are, such as one that was {@code after(HOUR)} and
     * has fired: a put of the same definition does not change that, but for {@link
     * ScheduleBuilder#rearm}.
     */
    public boolean neverFires() {
      return state.filter(State.COMPLETED::equals).isPresent();
    }
  }

  /**
   * Something is wrong with it; nothing has changed.
   *
   * @param revision of the definition that goes on
   * @param problems all that is wrong, each with an example of what would be right
   */
  record Rejected(String scheduleId, Optional<String> revision, List<Problem> problems)
      implements Answer {
    public Rejected {
      problems = List.copyOf(problems);
    }
  }

  /**
   * Another revision is in force than the expected one, or a newer record came first; nothing has
   * changed.
   *
   * @param revision in force
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

  /**
   * The answer if it is {@link Accepted}.
   *
   * @throws RefusedException saying everything that is wrong, if it is not
   */
  default Accepted orThrow() {
    if (this instanceof Accepted accepted) {
      return accepted;
    }
    throw new RefusedException(this);
  }
}

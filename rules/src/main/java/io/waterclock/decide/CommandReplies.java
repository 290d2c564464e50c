package io.waterclock.decide;

import io.waterclock.decide.model.MissedRange;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.avro.NextCommand;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.text.Problems;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The results of commands. */
record CommandReplies(Undecided undecided) {
  Decision executed(ScheduleState after) {
    return executed(after, List.of());
  }

  Decision executed(ScheduleState after, List<MissedRange> missed) {
    ScheduleState settled = undecided.settle(after);
    return Decision.of(settled, undecided.pending(settled))
        .withMissed(missed)
        .withStatus(Optional.of(settled.life()))
        .withVerdict(Verdict.EXECUTED);
  }

  /** The schedule already is in the state that the command requests. */
  Decision unchanged(ScheduleState state) {
    return Decision.of(state, undecided.pending(state)).withVerdict(Verdict.UNCHANGED);
  }

  /**
   * The reply to a question, which changes nothing. It costs about what the search for a new
   * definition may cost, so that questions delay no other schedule.
   */
  Decision upcoming(ScheduleState state, NextCommand asked) {
    Decision unchanged = unchanged(state);
    undecided.tables().effort().stopEarly(Effort.SEARCH);
    Instant after = asked.getAfter() == null ? Instant.MIN : asked.getAfter();
    return unchanged.withUpcoming(undecided.toFire(state, asked.getCount(), after));
  }

  Decision refused(ScheduleState state, String field, String message, String example) {
    return refused(state, field, message, Optional.of(example));
  }

  /**
   * @param example empty when no value would be valid
   */
  Decision refused(ScheduleState state, String field, String message, Optional<String> example) {
    return refused(state, Verdict.REJECTED, field, message, example);
  }

  Decision refused(
      ScheduleState state,
      Verdict verdict,
      String field,
      String message,
      Optional<String> example) {
    Problem problem = Problems.of(field, message, example.orElse(null));
    return Decision.of(state, undecided.pending(state))
        .withVerdict(verdict)
        .withProblems(List.of(problem));
  }
}

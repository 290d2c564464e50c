package io.waterclock.decide;

import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Written;
import io.waterclock.schemas.avro.BackfillCommand;
import io.waterclock.schemas.avro.CancelBackfillCommand;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.NextCommand;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.avro.SkipCommand;
import io.waterclock.schemas.avro.TriggerCommand;
import io.waterclock.schemas.avro.UnskipCommand;
import io.waterclock.schemas.avro.Verdict;
import java.time.Instant;
import java.util.Optional;

/**
 * Executes commands. The caller ensures that each is executed once. A command that cannot be
 * executed is refused with the reason and does not change the schedule.
 */
record Commands(
    Undecided undecided,
    CommandReplies replies,
    Pausing pausing,
    Skipping skipping,
    CommandedFires commandedFires) {
  Decision execute(ScheduleState state, Event.Commanded event, Instant now) {
    String expected = event.command().getExpectedRevision();
    String inForce = state.current().revision();
    if (expected != null && !expected.equals(inForce)) {
      return replies.refused(
          state,
          Verdict.CONFLICT,
          "expected_revision",
          "is " + expected + ", but " + inForce + " is in force",
          Optional.of(inForce));
    }
    ScheduleState before = undecided.settle(state);
    Instant at = event.effectiveBy(now);
    Object action = event.command().getAction();
    if (action instanceof PauseCommand pause) {
      return pausing.pause(before, said(pause, event.command()), new Written(at, event.record()));
    }
    if (action instanceof ResumeCommand resume) {
      return pausing.resumeBy(before, resume, new Written(at, event.record()));
    }
    if (action instanceof SkipCommand skip) {
      return skipping.skip(before, skip.getOccurrence(), at);
    }
    if (action instanceof UnskipCommand unskip) {
      return skipping.unskip(before, unskip.getOccurrence(), at);
    }
    if (action instanceof TriggerCommand trigger) {
      return commandedFires.trigger(before, event.command().getCommandId(), trigger, at);
    }
    if (action instanceof BackfillCommand backfill) {
      return commandedFires.backfill(
          undecided.tables().withoutVainPause(before),
          event.command().getCommandId(),
          backfill,
          at);
    }
    if (action instanceof CancelBackfillCommand cancel) {
      return commandedFires.cancel(before, cancel.getBackfill());
    }
    if (action instanceof NextCommand next) {
      return replies.upcoming(before, next);
    }
    throw new IllegalStateException("unknown action " + action);
  }

  /** A pause without a note or an author of its own has those of its command. */
  private static PauseCommand said(PauseCommand pause, Command command) {
    return new PauseCommand(
        pause.getNote() == null ? command.getNote() : pause.getNote(),
        pause.getAuthor() == null ? command.getAuthor() : pause.getAuthor(),
        pause.getKeep());
  }
}

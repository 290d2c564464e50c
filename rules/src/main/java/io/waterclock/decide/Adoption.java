package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.EarlierLives;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ExportedStates;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.RevisionChange;
import io.waterclock.decide.model.Runs;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Imports a schedule with its progress from another scheduler.
 *
 * <p>Idea: occurrences decided there stay decided, and belong to the revision there. The imported
 * record is a new revision, which owns the undecided occurrences. It begins where the progress
 * ends, however long ago, and catches up as after an outage. It keeps the anchors, the bounds and
 * the effects of commands.
 *
 * <p>The progress of an earlier life of the id here counts too, as for any other definition.
 *
 * <p>The import does not trust instants later than now, which come from a clock that is ahead, and
 * the completion of a schedule that still has undecided occurrences.
 *
 * <p>In a recreated topic the record may get the name of the old revision. Then it continues as
 * that revision.
 */
record Adoption(Timetables tables, Undecided undecided) {
  Decision adopt(ScheduleId id, Event.Imported event, Instant now) {
    ExportedState received = ExportedStates.notAfter(event.state(), now);
    ExportedState exported =
        event
            .earlier()
            .map(EarlierLives::endedThrough)
            .map(ended -> ExportedStates.decidedThrough(received, ended))
            .orElse(received);
    Instant writtenAt = Instants.earlier(event.timestamp(), now);
    Accepted there =
        bounded(
            ExportedStates.accepted(event.schedule(), exported, event.revision(), writtenAt),
            event.earlier().flatMap(EarlierLives::lastOccurrence));
    boolean goesOn = event.revision().equals(exported.getRevision());
    boolean hasDecided = exported.getOlder().isEmpty() && !goesOn;
    Accepted current = hasDecided ? after(id, there, exported.getDecidedThrough(), now) : there;
    ScheduleState imported = ExportedStates.state(id, current, exported);
    Runs runs =
        imported.completedAt().isPresent()
            ? imported.runs()
            : imported.runs().redefined(there, current);
    ScheduleState settled =
        undecided.settle(
            imported
                .with(runs)
                .decidedThrough(hasDecided ? current.ownsAfter() : exported.getDecidedThrough()));
    Optional<Pending> pending = undecided.pending(settled);
    ScheduleState state = isOver(settled) ? settled : settled.completed(Optional.empty());
    return Decision.of(state, pending)
        .withRevisions(goesOn ? List.of() : revisions(state, exported, there))
        .withStatus(Optional.of(state.life()))
        .withVerdict(Verdict.ACCEPTED);
  }

  /** True when the schedule has no undecided occurrence, ignoring a pause. */
  private boolean isOver(ScheduleState settled) {
    return settled.carried().isEmpty()
        && settled.older().isEmpty()
        && settled.replayThrough().isEmpty()
        && tables.ofHead(settled).nextAfter(settled.decidedThrough()).isEmpty();
  }

  /** The revision as the owner of the undecided occurrences. */
  private Accepted after(ScheduleId id, Accepted there, Instant decidedThrough, Instant now) {
    Instant ownsAfter = Instants.later(decidedThrough, there.ownsAfter());
    Instant known = Instants.earlier(decidedThrough, now);
    Optional<Instant> last = tables.of(id, there).lastOwned(known);
    return bounded(there.owning(ownsAfter, last.or(there::ownedBefore)), there.ownedBefore());
  }

  /** The revision with the occurrences of an earlier life as owned before it. */
  private static Accepted bounded(Accepted revision, Optional<Instant> lastOccurrence) {
    boolean isOwned =
        lastOccurrence.isEmpty()
            || revision.ownedBefore().filter(at -> !at.isBefore(lastOccurrence.get())).isPresent();
    return isOwned ? revision : revision.owning(revision.ownsAfter(), lastOccurrence);
  }

  private static List<RevisionChange> revisions(
      ScheduleState state, ExportedState exported, Accepted there) {
    List<RevisionChange> changes = new ArrayList<>();
    Accepted current = state.current();
    boolean isComplete = state.completedAt().isPresent();
    for (int i = 0; i < state.older().size(); i++) {
      Accepted older = state.older().get(i).accepted();
      Accepted next = i + 1 < state.older().size() ? state.older().get(i + 1).accepted() : current;
      changes.add(new RevisionChange.Began(older));
      changes.add(new RevisionChange.Ended(older, next.effectiveAt(), RevisionEnd.REPLACED));
    }
    if (exported.getRevision() != null && !isComplete) {
      changes.add(
          new RevisionChange.Ended(
              ExportedStates.accepted(
                  there.schedule(), exported, exported.getRevision(), there.writtenAt()),
              current.ownsAfter(),
              RevisionEnd.REPLACED));
    }
    changes.add(new RevisionChange.Began(current));
    if (isComplete) {
      changes.add(new RevisionChange.Ended(current, current.ownsAfter(), RevisionEnd.COMPLETED));
    }
    return changes;
  }
}

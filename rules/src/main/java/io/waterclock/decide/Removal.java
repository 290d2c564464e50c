package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.EarlierLives;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.MissedRange;
import io.waterclock.decide.model.MissedRange.Why;
import io.waterclock.decide.model.RevisionChange;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Executes deletes: a delete wins over undecided occurrences. */
record Removal(Timetables tables, Undecided undecided) {
  Decision delete(Optional<ScheduleState> before, Event.Deleted event, Instant now) {
    Instant at = Instants.earlier(event.timestamp(), now);
    if (before.isEmpty()) {
      return gone(List.of(), List.of(), Verdict.NOT_FOUND, EarlierLives.endedAt(at));
    }
    ScheduleState state = before.get();
    Accepted current = state.current();
    Instant began = current.beganBy(now);
    Instant through = Instants.later(at, began);
    if (!tables.canCompile(state)) {
      Instant decided = Instants.later(state.decidedThrough(), through);
      EarlierLives all = new EarlierLives(decided, Optional.of(decided));
      return gone(List.of(), ended(state, through), Verdict.DELETED, all);
    }
    Instant lastDecided =
        tables.of(state.id(), current).lastOwned(state.decidedThrough()).orElse(through);
    Instant last = Instants.later(lastDecided, through);
    return gone(
        undecided.writeOff(state, through, Why.of(MissedReason.DELETED)),
        ended(state, last),
        Verdict.DELETED,
        tables.ended(state, last));
  }

  private static Decision gone(
      List<MissedRange> missed,
      List<RevisionChange> revisions,
      Verdict verdict,
      EarlierLives ended) {
    return Decision.gone(ended).withMissed(missed).withRevisions(revisions).withVerdict(verdict);
  }

  private static List<RevisionChange> ended(ScheduleState state, Instant through) {
    return state.completedAt().isPresent()
        ? List.of()
        : List.of(new RevisionChange.Ended(state.current(), through, RevisionEnd.DELETED));
  }
}

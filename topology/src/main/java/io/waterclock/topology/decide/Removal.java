package io.waterclock.topology.decide;

import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A delete wins over what is undecided. */
final class Removal {
  private final Timetables tables;
  private final Undecided undecided;

  Removal(Timetables tables, Undecided undecided) {
    this.tables = tables;
    this.undecided = undecided;
  }

  Decision delete(Optional<ScheduleState> before, Event.Deleted event, Instant now) {
    if (before.isEmpty()) {
      return Decision.gone(List.of(), List.of(), Verdict.NOT_FOUND);
    }
    ScheduleState state = before.get();
    Accepted current = state.current();
    Instant at = event.timestamp().isBefore(now) ? event.timestamp() : now;
    Instant through = at.isBefore(current.effectiveAt()) ? current.effectiveAt() : at;
    if (!tables.canCompile(state)) {
      return Decision.gone(List.of(), ended(state, through), Verdict.DELETED);
    }
    Instant lastDecided =
        tables
            .of(state.id(), current)
            .lastOwned(state.decidedThrough())
            .filter(decided -> state.older().isEmpty())
            .orElse(through);
    return Decision.gone(
        undecided.writeOff(state, through, MissedReason.DELETED),
        ended(state, lastDecided.isAfter(through) ? lastDecided : through),
        Verdict.DELETED);
  }

  private static List<RevisionChange> ended(ScheduleState state, Instant through) {
    return state.completedAt().isPresent()
        ? List.of()
        : List.of(new RevisionChange.Ended(state.current(), through, RevisionEnd.DELETED));
  }
}

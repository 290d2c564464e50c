package io.waterclock.topology.scheduler.decide;

import io.waterclock.schemas.avro.Overlap;
import io.waterclock.topology.scheduler.model.Occurrence;
import io.waterclock.topology.scheduler.model.Run;
import io.waterclock.topology.scheduler.model.ScheduleState;
import java.util.Optional;

/**
 * How the run of a schedule's latest fire bears on an occurrence that comes due before it ends. The
 * policy is that of the revision that owns the occurrence.
 */
final class Overlaps {
  private Overlaps() {}

  /** The run before whose end an occurrence is due, where its policy minds. */
  static Optional<Run> of(ScheduleState state, Occurrence occurrence) {
    Optional<Run> run = state.runs().latest();
    return run.isEmpty()
            || state.head().schedule().getOverlap() == Overlap.ALLOW
            || !occurrence.due().isBefore(run.get().endsAt())
        ? Optional.empty()
        : run;
  }

  /**
   * True for an occurrence that fires after the run instead of being missed: it is the one that
   * BUFFER_ONE holds back, or is replayed, or a Resume has ordered it.
   */
  static boolean isHeldBack(ScheduleState state, Occurrence occurrence) {
    return state.head().schedule().getOverlap() == Overlap.BUFFER_ONE
        || firesInAnyCase(state, occurrence);
  }

  /** True for what no run makes miss. */
  static boolean firesInAnyCase(ScheduleState state, Occurrence occurrence) {
    return state.isReplayed(occurrence.at()) || state.ordered(occurrence.at()).isPresent();
  }
}

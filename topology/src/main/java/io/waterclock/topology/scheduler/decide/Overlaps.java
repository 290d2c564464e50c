package io.waterclock.topology.scheduler.decide;

import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.topology.scheduler.model.Run;
import io.waterclock.topology.scheduler.model.ScheduleState;
import java.util.Optional;

/**
 * Decides how the run of the latest fire affects an occurrence that comes due before its end. The
 * policy is that of the revision that owns the occurrence.
 */
final class Overlaps {
  private Overlaps() {}

  /** The run that an occurrence overlaps, if the policy limits overlap. */
  static Optional<Run> of(ScheduleState state, Occurrence occurrence) {
    Optional<Run> run = state.runs().latest();
    return run.isEmpty()
            || state.head().schedule().getOverlap() == Overlap.ALLOW
            || !occurrence.due().isBefore(run.get().endsAt())
        ? Optional.empty()
        : run;
  }

  /**
   * True for an occurrence that fires after the run instead of being missed: BUFFER_ONE holds it
   * back, or it is part of a replay, or it is the fire of a Resume.
   */
  static boolean isHeldBack(ScheduleState state, Occurrence occurrence) {
    return state.head().schedule().getOverlap() == Overlap.BUFFER_ONE
        || firesInAnyCase(state, occurrence);
  }

  /** True for an occurrence that no run makes missed. */
  static boolean firesInAnyCase(ScheduleState state, Occurrence occurrence) {
    return state.isReplayed(occurrence.at()) || state.ordered(occurrence.at()).isPresent();
  }
}

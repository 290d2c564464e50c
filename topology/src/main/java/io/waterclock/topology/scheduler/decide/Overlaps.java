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

  /** The run before whose end an occurrence is due, if the policy limits overlap. */
  static Optional<Run> of(ScheduleState state, Occurrence occurrence) {
    Optional<Run> run = state.runs().latest();
    return run.isEmpty()
            || state.head().schedule().getOverlap() == Overlap.ALLOW
            || !occurrence.due().isBefore(run.get().endsAt())
        ? Optional.empty()
        : run;
  }

  /**
   * True for an occurrence that waits for the end of the run: BUFFER_ONE holds it back, or it is
   * part of a replay, or the fire of a Resume, or it was due before the run began.
   */
  static boolean waits(ScheduleState state, Occurrence occurrence, Run run) {
    return buffers(state)
        || firesInAnyCase(state, occurrence)
        || occurrence.due().isBefore(run.firedAt());
  }

  /** True for an occurrence that the policy applies to. */
  static boolean overlaps(ScheduleState state, Occurrence occurrence, Run run) {
    if (state.ordered(occurrence.at()).isPresent() || !run.covers(occurrence.due())) {
      return false;
    }
    return occurrence.due().isBefore(run.firedAt()) || !state.isReplayed(occurrence.at());
  }

  static boolean buffers(ScheduleState state) {
    return state.head().schedule().getOverlap() == Overlap.BUFFER_ONE;
  }

  /** True for an occurrence to which no catch-up policy applies. */
  static boolean firesInAnyCase(ScheduleState state, Occurrence occurrence) {
    return state.isReplayed(occurrence.at()) || state.ordered(occurrence.at()).isPresent();
  }
}

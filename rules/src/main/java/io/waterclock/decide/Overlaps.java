package io.waterclock.decide;

import io.waterclock.decide.model.Run;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.policy.CatchUpPolicy;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides how the run of the latest fire affects an occurrence that comes due before its end. The
 * policy is that of the revision that owns the occurrence.
 *
 * <p>With REPLAY the answer is that of a scheduler that fires in time: an occurrence overlaps the
 * run if it is due before the run would have ended then. The other policies take the run as it was
 * for what came due since it began.
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
   * When an occurrence that comes due before the end of the run is decided. One that BUFFER_ONE
   * holds back, that a Resume has ordered, or that was due before the run began, waits for its end.
   * With REPLAY, others wait until a late run has lasted as long as one in time by then.
   */
  static Instant decidedAt(ScheduleState state, Occurrence occurrence, Run run) {
    Instant due = occurrence.due();
    if (buffers(state)
        || state.ordered(occurrence.at()).isPresent()
        || due.isBefore(run.firedAt())) {
      return run.endsAt();
    }
    return replays(state) ? Instants.earlier(due.plus(run.delay()), run.endsAt()) : due;
  }

  /**
   * True for an occurrence that the policy applies to.
   *
   * @param now from {@link #decidedAt} on
   */
  static boolean overlaps(ScheduleState state, Occurrence occurrence, Run run, Instant now) {
    return state.ordered(occurrence.at()).isEmpty()
        && !occurrence.due().isAfter(coveredThrough(state, occurrence, run, now));
  }

  /**
   * The end of the stretch in which occurrences from this one on overlap the run, as far as is
   * known.
   *
   * @return inclusive
   */
  static Instant coveredThrough(ScheduleState state, Occurrence occurrence, Run run, Instant now) {
    Instant lasts = Instants.earlier(now, run.endsAt().minusMillis(1));
    if (replays(state)) {
      return lasts.minus(run.delay());
    }
    return occurrence.due().isBefore(run.firedAt())
        ? Instants.earlier(run.dueEnd(), run.firedAt()).minusMillis(1)
        : lasts;
  }

  private static boolean replays(ScheduleState state) {
    return CatchUpPolicy.of(state.head().schedule()).firesEach();
  }

  static boolean buffers(ScheduleState state) {
    return state.head().schedule().getOverlap() == Overlap.BUFFER_ONE;
  }

  /** True for an occurrence to which no catch-up policy applies. */
  static boolean firesInAnyCase(ScheduleState state, Occurrence occurrence) {
    return state.isReplayed(occurrence.at()) || state.ordered(occurrence.at()).isPresent();
  }
}

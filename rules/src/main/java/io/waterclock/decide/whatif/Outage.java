package io.waterclock.decide.whatif;

import io.waterclock.decide.Decider;
import io.waterclock.decide.Decision;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.Occurrence;
import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of the occurrences of a schedule if no scheduler decides for a while. It knows
 * nothing of runs, and of what was undecided before.
 *
 * @param due how many occurrences come due in that time
 * @param fires how many of them fire when a scheduler is back
 * @param first the first that comes due
 * @param last the last one
 * @param countedUntil exclusive: a limit of the effort or of the number of occurrences ended the
 *     count here; empty if it is complete
 * @param problem why nothing is known
 */
public record Outage(
    int due,
    int fires,
    Optional<Instant> first,
    Optional<Instant> last,
    Optional<Instant> countedUntil,
    Optional<String> problem) {

  /**
   * Costs as much as one side of a {@link WhatIf}.
   *
   * @param window the outage: the scheduler is back in its last millisecond
   * @param most the largest number of occurrences to count
   */
  public static Outage of(Plan plan, Side side, TimeFrame window, int most) {
    try {
      Forecast forecast = Forecast.of(plan, side, window, most);
      List<Instant> due = forecast.fires().stream().map(Occurrence::due).toList();
      Optional<Instant> last =
          due.isEmpty() ? Optional.empty() : Optional.of(due.get(due.size() - 1));
      return new Outage(
          due.size(),
          last.map(through -> fires(plan, side, window, through)).orElse(0),
          due.stream().findFirst(),
          last,
          forecast.brokenOffAt(),
          Optional.empty());
    } catch (InvalidTriggerException e) {
      return new Outage(
          0,
          0,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.of(String.valueOf(e.getMessage())));
    }
  }

  /** How many of the others are missed. */
  public int missed() {
    return due - fires;
  }

  /**
   * What the scheduler that is back fires.
   *
   * @param through inclusive: the last occurrence that came due
   */
  private static int fires(Plan plan, Side side, TimeFrame window, Instant through) {
    Instant back = window.end().minusMillis(1);
    Decider decider = side.decider();
    ScheduleState state = plan.withoutRuns().decidedBefore(window.now(), decider);
    int fires = 0;
    while (decider.pending(state).filter(next -> !next.due().isAfter(through)).isPresent()) {
      Decision decision =
          decider.decide(state.id(), Optional.of(state), new Event.Due(through), back);
      fires += decision.fires().size();
      state = decision.state().orElseThrow();
    }
    return fires;
  }
}

package io.waterclock.decide.whatif;

import io.waterclock.decide.Decider;
import io.waterclock.decide.Decision;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.Occurrence;
import io.waterclock.occurrences.core.EffortSpentException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The occurrences of a plan that fire in a window if a scheduler decides each when it is due,
 * ascending. It knows of no runs.
 *
 * @param brokenOffAt exclusive: only occurrences before it were searched; empty if all were
 */
record Forecast(List<Occurrence> fires, Optional<Instant> brokenOffAt) {
  /** The steps for one plan: about a second. */
  private static final long MOST_STEPS = 20_000_000;

  static final Forecast NONE = new Forecast(List.of(), Optional.empty());

  /**
   * @param most occurrences to find
   */
  static Forecast of(Plan plan, Side side, TimeFrame window, int most) {
    if (plan.isSilent()) {
      return NONE;
    }
    Decider decider = side.decider();
    List<Occurrence> fires = new ArrayList<>();
    Plan alone = plan.withoutRuns();
    ScheduleState state = alone.state();
    try {
      state = alone.decidedBefore(window.now(), decider);
      Optional<Instant> due = due(decider, state, window);
      while (due.isPresent()) {
        Decision decision =
            decider.decide(state.id(), Optional.of(state), new Event.Due(), due.get());
        for (FirePlan fire : decision.fires()) {
          fires.add(new Occurrence(fire.occurrence().at(), due.get()));
        }
        state = decision.state().orElseThrow();
        if (fires.size() >= most || decider.tables().effort().total() > MOST_STEPS) {
          return new Forecast(List.copyOf(fires), brokenOff(state));
        }
        due = due(decider, state, window);
      }
      return new Forecast(List.copyOf(fires), Optional.empty());
    } catch (EffortSpentException e) {
      return new Forecast(List.copyOf(fires), brokenOff(state));
    }
  }

  private static Optional<Instant> brokenOff(ScheduleState state) {
    return Optional.of(state.decidedThrough().plusMillis(1));
  }

  /** When the next occurrence is due in the window; what is overdue fires at once. */
  private static Optional<Instant> due(Decider decider, ScheduleState state, TimeFrame window) {
    return decider
        .pending(state)
        .map(Pending::due)
        .map(due -> due.isBefore(window.now()) ? window.now() : due)
        .filter(due -> due.isBefore(window.end()));
  }

  /** The part before an instant, exclusive. */
  Forecast before(Optional<Instant> end) {
    return end.isEmpty()
        ? this
        : new Forecast(fires.stream().filter(fire -> fire.at().isBefore(end.get())).toList(), end);
  }
}

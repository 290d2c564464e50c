package io.waterclock.topology.scheduler.count;

import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.State;
import java.util.Optional;

/**
 * The number of a task's schedules in each state.
 *
 * <p>Idea: after an assignment the rebuild reaches the schedules in the order of their ids, while
 * records change them. A change of a schedule that the rebuild has reached moves a counted
 * schedule. A change of a later one is not counted, since the rebuild will reach the schedule in
 * its new state.
 */
final class StateCounts {
  private final Tally<State> schedules = new Tally<>(State.class);
  private Optional<ScheduleId> metThrough = Optional.empty();
  private boolean allMet;

  /** Ids must ascend. */
  void met(ScheduleState state) {
    metThrough = Optional.of(state.id());
    schedules.add(state.life(), 1);
  }

  void allMet() {
    allMet = true;
  }

  void changed(ScheduleId id, Optional<ScheduleState> before, Optional<ScheduleState> after) {
    if (allMet || metThrough.filter(last -> id.compareTo(last) <= 0).isPresent()) {
      before.ifPresent(state -> schedules.add(state.life(), -1));
      after.ifPresent(state -> schedules.add(state.life(), 1));
    }
  }

  long size() {
    return schedules.sum();
  }

  long of(State life) {
    return schedules.of(life);
  }
}

package io.waterclock.topology.scheduler.count;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.State;
import io.waterclock.topology.scheduler.model.ScheduleState;
import java.util.Optional;

/**
 * How many schedules of a task are in which state of life.
 *
 * <p>Idea: after an assignment the rebuild meets the schedules in the order of their ids, and
 * records go on changing them. A change up to where the rebuild is moves a schedule that is
 * counted; one beyond that is left to the rebuild, which will meet the schedule as it is then.
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

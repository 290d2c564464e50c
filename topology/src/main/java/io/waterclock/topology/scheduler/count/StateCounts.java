package io.waterclock.topology.scheduler.count;

import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.State;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The number of a task's schedules in each state, and of each owner's schedules whose fires fail or
 * are overdue.
 *
 * <p>Idea: after an assignment the rebuild reaches the schedules in the order of their ids, while
 * records change them. A change of a schedule that the rebuild has reached moves a counted
 * schedule. A change of a later one is not counted, since the rebuild will reach the schedule in
 * its new state.
 */
final class StateCounts {
  private final Tally<State> schedules = new Tally<>(State.class);
  private final OwnerLabels owners = new OwnerLabels();
  private final Map<String, Long> failing = new HashMap<>();
  private final Map<String, Long> overdue = new HashMap<>();
  private Optional<ScheduleId> metThrough = Optional.empty();
  private boolean allMet;

  /** Ids must ascend. */
  void met(ScheduleState state) {
    metThrough = Optional.of(state.id());
    count(state, 1);
  }

  private void count(ScheduleState state, int change) {
    schedules.add(state.life(), change);
    if (state.runs().failures().failing().isPresent()) {
      failing.merge(owners.of(state), (long) change, Long::sum);
    }
    if (state.runs().watches().isOverdue()) {
      overdue.merge(owners.of(state), (long) change, Long::sum);
    }
  }

  void allMet() {
    allMet = true;
  }

  void changed(ScheduleId id, Optional<ScheduleState> before, Optional<ScheduleState> after) {
    if (allMet || metThrough.filter(last -> id.compareTo(last) <= 0).isPresent()) {
      before.ifPresent(state -> count(state, -1));
      after.ifPresent(state -> count(state, 1));
    }
  }

  long size() {
    return schedules.sum();
  }

  /** The label of the owner of a schedule; of one that is gone, from its id. */
  String owner(ScheduleId id, Optional<ScheduleState> state) {
    return state.map(owners::of).orElseGet(() -> owners.of(id, Optional.empty()));
  }

  /** By the label of the owner; owners that have none any more stay with 0. */
  Map<String, Long> failing() {
    return Map.copyOf(failing);
  }

  /** As {@link #failing}: those of which an expectation is overdue. */
  Map<String, Long> overdue() {
    return Map.copyOf(overdue);
  }

  long of(State life) {
    return schedules.of(life);
  }
}

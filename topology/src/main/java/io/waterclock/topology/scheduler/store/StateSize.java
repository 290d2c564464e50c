package io.waterclock.topology.scheduler.store;

import io.waterclock.decide.model.CarriedOccurrences;
import io.waterclock.decide.model.ManualFire;
import io.waterclock.decide.model.ReplacedRevision;
import io.waterclock.decide.model.ScheduleState;

/** Computes the size of a schedule in the stores. */
public final class StateSize {
  private static final StateCodec CODEC = new StateCodec();

  private StateSize() {}

  /**
   * The size of the largest record that stores a part of a state, key and value, in bytes. Encodes
   * all of the state.
   */
  public static int largest(ScheduleState state) {
    StoredSchedule schedule = new StoredSchedule(state.current(), state.completedAt());
    StoredProgress progress = StoredProgress.of(state);
    int largest = Math.max(CODEC.encode(schedule).length, CODEC.encode(progress).length);
    for (CarriedOccurrences carried : state.carried()) {
      largest = Math.max(largest, CODEC.encode(carried).length);
    }
    for (ReplacedRevision older : state.older()) {
      largest = Math.max(largest, CODEC.encode(older).length);
    }
    for (ManualFire fire : state.commanded().fires().added()) {
      largest = Math.max(largest, CODEC.encode(fire).length);
    }
    return ProgressStore.longestKey(state.id()) + largest;
  }
}

package io.waterclock.topology.limiter;

import io.waterclock.limits.GroupLimit;
import io.waterclock.limits.Starts;
import io.waterclock.schemas.ScheduleId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/** A group of which something waits or runs, in memory. Not thread-safe. */
final class WaitingGroup {
  final String name;
  final Starts starts = new Starts();

  /** Of each schedule, those that are not carried out, in their order. */
  final Map<ScheduleId, List<Withdrawal>> withdrawn = new HashMap<>();

  long waiting;

  /** Nothing waits in a lane before this key. Deleted keys cost until the store compacts them. */
  private final Map<GroupLimit.Lane, Bytes> floors = new HashMap<>();

  WaitingGroup(String name) {
    this.name = name;
  }

  boolean isEmpty() {
    return waiting == 0 && starts.running() == 0 && withdrawn.isEmpty();
  }

  /** Adds a withdrawal in its place, unless it is there. */
  void withdraw(ScheduleId schedule, Withdrawal withdrawal) {
    List<Withdrawal> inOrder = withdrawn.computeIfAbsent(schedule, added -> new ArrayList<>(1));
    int place = inOrder.size();
    while (place > 0 && inOrder.get(place - 1).offset() > withdrawal.offset()) {
      place--;
    }
    if (place == 0 || inOrder.get(place - 1).offset() < withdrawal.offset()) {
      inOrder.add(place, withdrawal);
    }
  }

  /** The first that concerns a fire. */
  Optional<Withdrawal> withdrawal(ScheduleId schedule, WaitingFire fire) {
    return withdrawn.getOrDefault(schedule, List.of()).stream()
        .filter(later -> fire.offset() < later.offset())
        .findFirst();
  }

  /** Where to look for the first fire of a lane. */
  Bytes floor(GroupLimit.Lane lane) {
    return floors.computeIfAbsent(lane, it -> LimiterStore.first(name, it.from()));
  }

  /** All before a key of a lane is taken. */
  void taken(GroupLimit.Lane lane, Bytes key) {
    floors.put(lane, key);
  }

  /** Something waits; if it comes before what was taken, a lane is looked through from it on. */
  void added(int priority, Bytes key) {
    floors.replaceAll(
        (lane, floor) ->
            priority >= lane.from() && priority <= lane.through() && key.compareTo(floor) < 0
                ? key
                : floor);
  }

  /** Forgets lanes that an earlier limit had. */
  void keepLanes(GroupLimit limit) {
    if (floors.size() > limit.lanes().size()) {
      floors.keySet().retainAll(limit.lanes());
    }
  }
}

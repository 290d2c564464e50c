package io.waterclock.topology.limiter;

import io.waterclock.limits.GroupLimit;
import io.waterclock.limits.Starts;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/** A group of which something waits or runs, in memory. Not thread-safe. */
final class WaitingGroup {
  final String name;
  final Starts starts = new Starts();

  long waiting;

  /** How many withdrawals are not carried out. They stay in the store: there may be very many. */
  private long withdrawals;

  /** None of them comes before this key; empty if there is none. */
  private Optional<Bytes> withdrawnFrom = Optional.empty();

  /** Nothing waits before this key that the first withdrawal concerns. */
  private Optional<Bytes> concernedFrom = Optional.empty();

  /** Nothing waits in a lane before this key. Deleted keys cost until the store compacts them. */
  private final Map<GroupLimit.Lane, Bytes> floors = new HashMap<>();

  WaitingGroup(String name) {
    this.name = name;
  }

  boolean isEmpty() {
    return waiting == 0 && starts.running() == 0 && withdrawals == 0;
  }

  /** One more withdrawal is to be carried out. */
  void withdraw(Bytes key) {
    withdrawals++;
    lookAgain(key);
  }

  /** A withdrawal that is to be carried out concerns more than before. */
  void lookAgain(Bytes key) {
    if (withdrawnFrom.filter(first -> first.compareTo(key) < 0).isEmpty()) {
      withdrew(key, Optional.empty());
    }
  }

  long withdrawals() {
    return withdrawals;
  }

  /** Where to look for the first withdrawal; empty if there is none. */
  Optional<Bytes> withdrawnFrom() {
    return withdrawnFrom;
  }

  /** Where to look for what a withdrawal concerns; empty for all fires of its schedule. */
  Optional<Bytes> concernedFrom(Bytes key) {
    return withdrawnFrom.filter(key::equals).flatMap(first -> concernedFrom);
  }

  /**
   * All withdrawals before one are carried out.
   *
   * @param concerned before which nothing waits that this one concerns
   */
  void withdrew(Bytes key, Optional<Bytes> concerned) {
    withdrawnFrom = Optional.of(key);
    concernedFrom = concerned;
  }

  /** A withdrawal is carried out. With the last one the place is forgotten. */
  void withdrew(Bytes key) {
    withdrew(key, Optional.empty());
    withdrawals--;
    if (withdrawals == 0) {
      withdrawnFrom = Optional.empty();
    }
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

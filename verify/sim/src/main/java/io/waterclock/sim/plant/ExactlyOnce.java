package io.waterclock.sim.plant;

import static io.waterclock.sim.plant.Tampering.crossing;
import static io.waterclock.sim.plant.Tampering.without;

import io.waterclock.sim.broker.Place;
import io.waterclock.sim.node.Edge;
import io.waterclock.sim.node.Fault;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Fires, missed ranges and progress commit in one transaction, of the one owner. */
final class ExactlyOnce {
  private ExactlyOnce() {}

  static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    all.put("a commit stores no offsets", crossing(Edge.OFFSETS, (offsets, count) -> Map.of()));
    all.put(
        "a commit stores offsets too far",
        crossing(
            Edge.OFFSETS,
            (offsets, count) -> {
              Map<Place, Long> further = new HashMap<>(offsets);
              further.replaceAll((place, offset) -> offset + 1);
              return further;
            }));
    all.put("offsets are committed outside the transaction", without(Edge.ATOMIC_OFFSETS));
    all.put("records are sent outside the transaction", without(Edge.ATOMIC_RECORDS));
    all.put("a zombie is not fenced", without(Edge.FENCE));
    all.put("a zombie that has read nothing is not fenced", without(Edge.BEGINNINGS));
    all.put(
        "a zombie is fenced only at every second turn of its producers",
        crossing(Edge.FENCE, (isFenced, count) -> count % 2 == 0));
    all.put(
        "a producer begins before the transaction of the other is decided",
        crossing(Edge.DECISION, (decides, count) -> count % 4 != 0));
    all.put(
        "the offsets of the earlier transaction win",
        () -> {
          Map<Place, Long> earlier = new HashMap<>();
          return crossing(
                  Edge.OFFSETS,
                  (offsets, count) -> {
                    Map<Place, Long> stored = new HashMap<>(offsets);
                    if (count % 2 == 0) {
                      stored.replaceAll((place, offset) -> earlier.getOrDefault(place, offset));
                    }
                    earlier.clear();
                    earlier.putAll(offsets);
                    return stored;
                  })
              .get();
        });
    return all;
  }
}

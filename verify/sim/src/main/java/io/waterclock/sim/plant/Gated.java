package io.waterclock.sim.plant;

import static io.waterclock.sim.plant.Tampering.EACH;
import static io.waterclock.sim.plant.Tampering.crossing;
import static io.waterclock.sim.plant.Tampering.read;
import static io.waterclock.sim.plant.Tampering.without;

import io.waterclock.sim.node.Edge;
import io.waterclock.sim.node.Fault;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What was deleted or paused while the scheduler was down does not fire afterwards: what is written
 * is read, and the gate waits for it.
 */
final class Gated {
  private Gated() {}

  static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    all.put(
        "a delete is not read",
        read(
            2,
            (place, record) ->
                place.topic().endsWith(".schedules")
                    && record.value().isEmpty()
                    && record.headers().toArray().length == 0,
            record -> Optional.empty()));
    all.put(
        "a definition is not read",
        read(
            2,
            (place, record) -> place.topic().endsWith(".schedules") && record.value().isPresent(),
            record -> Optional.empty()));
    all.put(
        "a command is not read",
        read(
            EACH,
            (place, record) -> place.topic().endsWith(".commands"),
            record -> Optional.empty()));
    all.put("the gate is always open", crossing(Edge.GATE, (isOpen, count) -> true));
    all.put("the gate never opens", without(Edge.GATE));
    all.put(
        "the gate opens too soon: it asks for the start",
        crossing(Edge.INPUT_END, (end, count) -> 0L));
    all.put(
        "the gate does not wait for the other partitions",
        crossing(Edge.OTHER_END, (end, count) -> 0L));
    all.put("the gate does not notice a stall", without(Edge.STALL));
    return all;
  }
}

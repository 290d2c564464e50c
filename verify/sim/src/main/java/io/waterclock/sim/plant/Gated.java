package io.waterclock.sim.plant;

import static io.waterclock.sim.plant.Tampering.EACH;
import static io.waterclock.sim.plant.Tampering.read;

import io.waterclock.sim.broker.Place;
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
    all.put(
        "the gate is always open",
        () ->
            new Tampering() {
              @Override
              public boolean isOpen(boolean isOpen) {
                return true;
              }
            });
    all.put(
        "the gate never opens",
        () ->
            new Tampering() {
              @Override
              public boolean isOpen(boolean isOpen) {
                return false;
              }
            });
    all.put(
        "the gate opens too soon: it asks for the start",
        () ->
            new Tampering() {
              @Override
              public long end(Place place, long end) {
                return 0;
              }
            });
    all.put(
        "the gate does not wait for the other partitions",
        () ->
            new Tampering() {
              @Override
              public long endOfOther(long end) {
                return 0;
              }
            });
    all.put(
        "the gate does not notice a stall",
        () ->
            new Tampering() {
              @Override
              public boolean noticesStalls() {
                return false;
              }
            });
    return all;
  }
}

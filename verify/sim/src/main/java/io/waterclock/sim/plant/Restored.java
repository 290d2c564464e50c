package io.waterclock.sim.plant;

import static io.waterclock.sim.plant.Tampering.starts;
import static io.waterclock.sim.plant.Tampering.unlogged;
import static io.waterclock.sim.plant.Tampering.unstored;
import static io.waterclock.sim.plant.Tampering.without;

import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.node.Edge;
import io.waterclock.sim.node.Fault;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;

/** Uptime does not show: state survives kills and restores. */
final class Restored {
  private Restored() {}

  static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    all.put("dirty state survives a kill", without(Edge.WIPE));
    all.put(
        "a restore skips tombstones",
        () ->
            new Tampering() {
              @Override
              public boolean restores(String store, LogRecord record) {
                return record.value().isPresent();
              }
            });
    all.put(
        "a restore skips the position",
        () ->
            new Tampering() {
              @Override
              public boolean restores(String store, LogRecord record) {
                return record.key().length != 1;
              }
            });
    all.put(
        "a delete leaves the definition in the store",
        unstored((store, key, value) -> store.equals(ScheduleStore.NAME) && value.isEmpty()));
    all.put(
        "a delete does not reach the changelog",
        unlogged((store, key, value) -> store.equals(ScheduleStore.NAME) && value.isEmpty()));
    all.put(
        "an edit does not reach the changelog",
        () ->
            new Tampering() {
              @Override
              public Optional<Optional<byte[]>> log(
                  String store, Bytes key, Optional<byte[]> value) {
                return store.equals(ScheduleStore.NAME) && value.isPresent() && ++count % 3 == 0
                    ? Optional.empty()
                    : Optional.of(value);
              }
            });
    all.put(
        "the position does not reach the changelog",
        unlogged((store, key, value) -> store.equals(ProgressStore.NAME) && key.get().length == 1));
    all.put(
        "progress does not reach the changelog",
        unlogged((store, key, value) -> store.equals(ProgressStore.NAME) && key.get()[0] != 0));
    all.put(
        "executed commands are forgotten",
        unstored((store, key, value) -> store.equals(CommandStore.NAME) && starts(key, "id/")));
    return all;
  }
}

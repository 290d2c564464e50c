package io.waterclock.sim.plant;

import static io.waterclock.sim.plant.Tampering.both;
import static io.waterclock.sim.plant.Tampering.crossing;
import static io.waterclock.sim.plant.Tampering.fire;
import static io.waterclock.sim.plant.Tampering.move;
import static io.waterclock.sim.plant.Tampering.sent;
import static io.waterclock.sim.plant.Tampering.starts;
import static io.waterclock.sim.plant.Tampering.to;
import static io.waterclock.sim.plant.Tampering.unstored;
import static io.waterclock.sim.plant.Tampering.without;

import io.waterclock.sim.node.Edge;
import io.waterclock.sim.node.Fault;
import io.waterclock.topology.scheduler.emit.Sink;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Nothing fires early or by a wrong clock, and what one life has decided bounds the next. */
final class NeverEarly {
  private NeverEarly() {}

  static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    all.put(
        "a fire is late by its own clock",
        sent(5, to(Sink.FIRES), fire(it -> it.setFiredAt(it.getFiredAt().plusSeconds(600)))));
    all.put(
        "a fire says that it was early",
        sent(5, to(Sink.FIRES), fire(it -> it.setFiredAt(it.getDue().minusMillis(1)))));
    all.put(
        "a fire for another is due in a second",
        sent(5, to(Sink.FIRES), fire(it -> move(it, 1_000))));
    all.put("a wrong clock is trusted", crossing(Edge.TRUST, (isTrusted, count) -> true));
    all.put("a record takes effect by a clock that is behind", without(Edge.BROKERS_TIME));
    all.put(
        "the clock is ahead, and trusted",
        both(
            crossing(Edge.TRUST, (isTrusted, count) -> true),
            crossing(Edge.WALL_MS, (ms, count) -> ms + 20_000)));
    all.put(
        "an earlier life does not bound the next",
        unstored((store, key, value) -> starts(key, "\0removed\0")));
    all.put(
        "state of any age is used",
        crossing(Edge.OLDEST_STATE, (longest, count) -> Duration.ofDays(3650)));
    return all;
  }
}

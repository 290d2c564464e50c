package io.waterclock.sim.plant;

import static io.waterclock.sim.plant.Tampering.EACH;
import static io.waterclock.sim.plant.Tampering.nothing;
import static io.waterclock.sim.plant.Tampering.sent;
import static io.waterclock.sim.plant.Tampering.to;
import static io.waterclock.sim.plant.Tampering.twice;

import io.waterclock.sim.node.Fault;
import io.waterclock.topology.scheduler.emit.Sink;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** What is overdue is told once, and so is that it has recovered. */
final class Alerted {
  private Alerted() {}

  static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    all.put("an alert is told twice", sent(EACH, to(Sink.ALERTS), twice()));
    all.put("alerts are not told", sent(EACH, to(Sink.ALERTS), nothing()));
    return all;
  }
}

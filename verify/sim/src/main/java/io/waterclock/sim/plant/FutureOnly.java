package io.waterclock.sim.plant;

import static io.waterclock.sim.plant.Tampering.EACH;
import static io.waterclock.sim.plant.Tampering.nothing;
import static io.waterclock.sim.plant.Tampering.read;
import static io.waterclock.sim.plant.Tampering.revision;
import static io.waterclock.sim.plant.Tampering.sent;
import static io.waterclock.sim.plant.Tampering.to;
import static io.waterclock.sim.plant.Tampering.twice;

import io.waterclock.sim.node.Fault;
import io.waterclock.topology.scheduler.emit.Sink;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** An edit touches the future only, from the moment on that its revision says. */
final class FutureOnly {
  private FutureOnly() {}

  static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    all.put("a revision is not written", sent(3, to(Sink.REVISIONS), nothing()));
    all.put("a revision is written twice", sent(3, to(Sink.REVISIONS), twice()));
    all.put(
        "a revision owns from later on",
        sent(
            3,
            to(Sink.REVISIONS),
            revision(it -> it.setOwnsAfter(it.getOwnsAfter().plusSeconds(5)))));
    all.put(
        "a revision took effect before its record",
        sent(
            2,
            to(Sink.REVISIONS),
            revision(it -> it.setEffectiveAt(it.getEffectiveAt().minusSeconds(70)))));
    all.put(
        "a definition counts from an earlier time",
        read(
            EACH,
            (place, record) -> place.topic().endsWith(".schedules") && record.value().isPresent(),
            record -> Optional.of(record.at(record.timestampMs() - 10_000))));
    return all;
  }
}

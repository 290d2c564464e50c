package io.waterclock.sim.plant;

import static io.waterclock.sim.plant.Tampering.EACH;
import static io.waterclock.sim.plant.Tampering.nothing;
import static io.waterclock.sim.plant.Tampering.sent;
import static io.waterclock.sim.plant.Tampering.to;
import static io.waterclock.sim.plant.Tampering.twice;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.sim.node.Fault;
import io.waterclock.topology.scheduler.emit.Sink;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Each alert is written once, and none is false. */
final class Alerted {
  private Alerted() {}

  static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    all.put("an alert is written twice", sent(EACH, to(Sink.ALERTS), twice()));
    all.put("alerts are not written", sent(EACH, to(Sink.ALERTS), nothing()));
    all.put("what recovers stays overdue", sent(EACH, Alerted::isRecovery, nothing()));
    return all;
  }

  private static boolean isRecovery(Fault.Sent sent) {
    return to(Sink.ALERTS).test(sent)
        && Optional.ofNullable(sent.message().value())
            .map(value -> RecordCodecs.alert().decode(value).getKind())
            .filter(AlertKind.RECOVERED::equals)
            .isPresent();
  }
}

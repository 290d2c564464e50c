package io.waterclock.sim.plant;

import static io.waterclock.sim.plant.Tampering.EACH;
import static io.waterclock.sim.plant.Tampering.crossing;
import static io.waterclock.sim.plant.Tampering.fire;
import static io.waterclock.sim.plant.Tampering.isCarrier;
import static io.waterclock.sim.plant.Tampering.missed;
import static io.waterclock.sim.plant.Tampering.nothing;
import static io.waterclock.sim.plant.Tampering.read;
import static io.waterclock.sim.plant.Tampering.sent;
import static io.waterclock.sim.plant.Tampering.to;
import static io.waterclock.sim.plant.Tampering.twice;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.Place;
import io.waterclock.sim.node.Edge;
import io.waterclock.sim.node.Fault;
import io.waterclock.sim.node.TaskEnvironment;
import io.waterclock.topology.scheduler.emit.Sink;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What only routers and workers show: one method has the faults that break one promise. */
final class ConsumerFaults {
  private ConsumerFaults() {}

  static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    consumed(all);
    alerted(all);
    return all;
  }

  /** Routers and workers take each fire on once, and runs overlap as their schedule says. */
  private static void consumed(Map<String, Supplier<Fault>> all) {
    all.put("a router drops a fire", routed(3, message -> List.of()));
    all.put("a router doubles a fire", routed(3, message -> List.of(message, message)));
    all.put(
        "a router changes a fire",
        routed(
            3,
            message ->
                List.of(
                    new Message(
                        message.key(), new byte[1], message.headers(), message.timestampMs()))));
    all.put(
        "a router swaps two fires",
        () ->
            new Tampering() {
              private Optional<Message> kept = Optional.empty();

              @Override
              public List<Message> route(Place place, Message message) {
                if (!place.topic().equals(TaskEnvironment.TARGET)) {
                  return List.of(message);
                }
                if (kept.isEmpty()) {
                  kept = Optional.of(message);
                  return List.of();
                }
                List<Message> both = List.of(message, kept.get());
                kept = Optional.empty();
                return both;
              }
            });
    all.put(
        "a worker commits an offset too far",
        crossing(Edge.WORKER_OFFSET, (offset, count) -> count % 5 == 0 ? offset + 1 : offset));
    all.put(
        "reports of workers are not read", reports(outcome -> true, outcome -> Optional.empty()));
    all.put(
        "a stray report on its way is dropped",
        sent(EACH, sent -> isCarrier(sent, ".outcomes-"), nothing()));
    all.put(
        "the copy of a stray report is dropped",
        sent(EACH, sent -> sent.sink() == Sink.OUTCOMES, nothing()));
    all.put(
        "the start of a run ends it",
        reports(
            outcome -> outcome.getState() == OutcomeState.STARTED,
            outcome -> {
              outcome.setState(OutcomeState.SUCCEEDED);
              return Optional.of(outcome);
            }));
    all.put(
        "starts of runs are not read",
        reports(
            outcome -> outcome.getState() == OutcomeState.STARTED, outcome -> Optional.empty()));
    all.put(
        "a router writes under the key of the fire",
        routed(
            0,
            message ->
                List.of(
                    new Message(
                        message.headers().lastHeader(HeaderNames.FIRE_KEY).value(),
                        message.value(),
                        message.headers(),
                        message.timestampMs()))));
    all.put(
        "an occurrence that overlaps a run fires after it",
        read(
            EACH,
            (place, record) -> place.topic().endsWith(".schedules") && record.value().isPresent(),
            record -> Optional.of(record.with(buffering(record.value().orElseThrow())))));
    all.put(
        "a fire does not ask for its outcome",
        sent(EACH, to(Sink.FIRES), fire(it -> it.setWantsOutcome(false))));
    all.put(
        "what overlaps a run is missed for its age",
        sent(EACH, to(Sink.MISSED), missed(it -> it.setReason(MissedReason.GRACE))));
    all.put(
        "what is missed for its age overlaps a run",
        sent(EACH, to(Sink.MISSED), missed(it -> it.setReason(MissedReason.OVERLAP))));
  }

  /** Each alert is written once, and none is false. */
  private static void alerted(Map<String, Supplier<Fault>> all) {
    all.put("an alert is written twice", sent(EACH, to(Sink.ALERTS), twice()));
    all.put("alerts are not written", sent(EACH, to(Sink.ALERTS), nothing()));
    all.put("what recovers stays overdue", sent(EACH, ConsumerFaults::isRecovery, nothing()));
  }

  private static byte[] buffering(byte[] definition) {
    return new String(definition, StandardCharsets.UTF_8)
        .replace("\"overlap\":\"skip\"", "\"overlap\":\"buffer_one\"")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Changes what a router sends to a target: the nth record. */
  private static Supplier<Fault> routed(int nth, Function<Message, List<Message>> instead) {
    return () ->
        new Tampering() {
          @Override
          public List<Message> route(Place place, Message message) {
            return place.topic().equals(TaskEnvironment.TARGET) && isTurn(nth)
                ? instead.apply(message)
                : List.of(message);
          }
        };
  }

  /** Changes the reports of workers, before a scheduler reads them. */
  private static Supplier<Fault> reports(
      Predicate<Outcome> those, Function<Outcome, Optional<Outcome>> instead) {
    return read(
        EACH,
        (place, record) ->
            place.topic().endsWith(".outcomes") && record.value().orElseThrow()[0] != '{',
        record -> {
          Outcome outcome = RecordCodecs.outcome().decode(record.value().orElseThrow());
          return those.test(outcome)
              ? instead
                  .apply(outcome)
                  .map(it -> record.with(RecordCodecs.outcome().encode(it, WireFormat.AVRO)))
              : Optional.of(record);
        });
  }

  private static boolean isRecovery(Fault.Sent sent) {
    return to(Sink.ALERTS).test(sent)
        && Optional.ofNullable(sent.message().value())
            .map(value -> RecordCodecs.alert().decode(value).getKind())
            .filter(AlertKind.RECOVERED::equals)
            .isPresent();
  }
}

package io.waterclock.sim.plant;

import static io.waterclock.sim.plant.Tampering.EACH;
import static io.waterclock.sim.plant.Tampering.fire;
import static io.waterclock.sim.plant.Tampering.isLong;
import static io.waterclock.sim.plant.Tampering.missed;
import static io.waterclock.sim.plant.Tampering.move;
import static io.waterclock.sim.plant.Tampering.nothing;
import static io.waterclock.sim.plant.Tampering.sent;
import static io.waterclock.sim.plant.Tampering.to;
import static io.waterclock.sim.plant.Tampering.twice;
import static io.waterclock.sim.plant.Tampering.watermark;

import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.sim.node.Fault;
import io.waterclock.sim.node.Fault.Sent;
import io.waterclock.topology.scheduler.emit.Sink;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Each occurrence has one outcome, once, and the topics prove it: fires, missed ranges, status and
 * watermarks.
 */
final class Accounted {
  private Accounted() {}

  static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    all.put("a fire is dropped", sent(5, to(Sink.FIRES), nothing()));
    all.put("a fire is doubled", sent(5, to(Sink.FIRES), twice()));
    all.put("a missed range is dropped", sent(2, to(Sink.MISSED), nothing()));
    all.put("a missed range is doubled", sent(2, to(Sink.MISSED), twice()));
    all.put(
        "a fire is replaced by the one before it",
        () ->
            new Tampering() {
              private Optional<Sent> last = Optional.empty();

              @Override
              public List<Sent> send(Sent sent) {
                if (sent.sink() != Sink.FIRES) {
                  return List.of(sent);
                }
                Sent other = last.orElse(sent);
                last = Optional.of(sent);
                return List.of(++count == 5 ? other : sent);
              }
            });
    all.put(
        "a fire goes to another partition",
        sent(
            3,
            to(Sink.FIRES),
            sent ->
                List.of(new Sent(sent.sink(), sent.partition() + 1, sent.message(), sent.atMs()))));
    all.put(
        "a fire carries another payload",
        sent(
            5,
            to(Sink.FIRES),
            fire(it -> it.getSchedule().setPayload(ByteBuffer.wrap(new byte[] {'0'})))));
    all.put("a fire names another occurrence", sent(5, to(Sink.FIRES), fire(it -> move(it, -1))));
    all.put(
        "a missed range ends too soon",
        sent(
            EACH,
            sent -> sent.sink() == Sink.MISSED && isLong(sent),
            missed(it -> it.setLast(it.getFirst()))));
    all.put(
        "a missed range says too many",
        sent(2, to(Sink.MISSED), missed(it -> it.setCount(it.getCount() + 1))));
    all.put(
        "a missed range has the wrong reason",
        sent(
            1,
            to(Sink.MISSED),
            missed(
                it ->
                    it.setReason(
                        it.getReason() == MissedReason.OVERLAP
                            ? MissedReason.SKIPPED
                            : MissedReason.OVERLAP))));
    all.put(
        "a watermark claims the next hour",
        sent(
            EACH,
            to(Sink.WATERMARKS),
            watermark(it -> it.setDecidedThrough(it.getDecidedThrough().plusSeconds(3600)))));
    all.put(
        "the status of a deleted schedule stays",
        sent(
            EACH, sent -> sent.sink() == Sink.STATUS && sent.message().value() == null, nothing()));
    return all;
  }
}

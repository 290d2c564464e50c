package io.waterclock.sim.plant;

import static io.waterclock.sim.plant.Tampering.EACH;
import static io.waterclock.sim.plant.Tampering.hasHeader;
import static io.waterclock.sim.plant.Tampering.isCarrier;
import static io.waterclock.sim.plant.Tampering.nothing;
import static io.waterclock.sim.plant.Tampering.read;
import static io.waterclock.sim.plant.Tampering.sent;
import static io.waterclock.sim.plant.Tampering.stampedAt;
import static io.waterclock.sim.plant.Tampering.starts;
import static io.waterclock.sim.plant.Tampering.to;
import static io.waterclock.sim.plant.Tampering.unstored;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.sim.node.Fault;
import io.waterclock.topology.scheduler.emit.Sink;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The moment of writing counts, whatever partition a record is read from: strays come home. */
final class MomentOfWriting {
  private MomentOfWriting() {}

  static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    all.put("a stray on its way is dropped", sent(2, to(Sink.STRAYS), nothing()));
    all.put(
        "a stray command on its way is dropped",
        sent(EACH, sent -> isCarrier(sent, ".commands-"), nothing()));
    all.put(
        "a stray never becomes a record at home",
        sent(EACH, to(Sink.SCHEDULES, HeaderNames.STRAY), nothing()));
    all.put(
        "a stray comes home with the time of its coming",
        sent(EACH, to(Sink.SCHEDULES, HeaderNames.STRAY), sent -> List.of(stampedAt(sent))));
    all.put("the origin of a stray stays", sent(EACH, to(Sink.ORIGINS), nothing()));
    all.put(
        "a correction of the topic is not written",
        sent(EACH, to(Sink.SCHEDULES, HeaderNames.ORIGIN), nothing()));
    all.put(
        "a stray at home is compared by a later time",
        read(
            EACH,
            (place, record) ->
                place.topic().endsWith(".schedules")
                    && hasHeader(record.headers(), HeaderNames.STRAY),
            record -> Optional.of(record.at(record.timestampMs() + 3_600_000))));
    all.put(
        "a stray at home is compared by an earlier time",
        read(
            EACH,
            (place, record) ->
                place.topic().endsWith(".schedules")
                    && hasHeader(record.headers(), HeaderNames.STRAY),
            record -> Optional.of(record.at(record.timestampMs() - 3_600_000))));
    all.put(
        "strays taken are forgotten", unstored((store, key, value) -> starts(key, "\0taken\0")));
    return all;
  }
}

package io.waterclock.sim.plant;

import static io.waterclock.sim.plant.Tampering.EACH;
import static io.waterclock.sim.plant.Tampering.both;
import static io.waterclock.sim.plant.Tampering.crossing;
import static io.waterclock.sim.plant.Tampering.fire;
import static io.waterclock.sim.plant.Tampering.hasHeader;
import static io.waterclock.sim.plant.Tampering.isCarrier;
import static io.waterclock.sim.plant.Tampering.isLong;
import static io.waterclock.sim.plant.Tampering.missed;
import static io.waterclock.sim.plant.Tampering.move;
import static io.waterclock.sim.plant.Tampering.nothing;
import static io.waterclock.sim.plant.Tampering.read;
import static io.waterclock.sim.plant.Tampering.revision;
import static io.waterclock.sim.plant.Tampering.sent;
import static io.waterclock.sim.plant.Tampering.stampedAt;
import static io.waterclock.sim.plant.Tampering.starts;
import static io.waterclock.sim.plant.Tampering.to;
import static io.waterclock.sim.plant.Tampering.twice;
import static io.waterclock.sim.plant.Tampering.unlogged;
import static io.waterclock.sim.plant.Tampering.unstored;
import static io.waterclock.sim.plant.Tampering.watermark;
import static io.waterclock.sim.plant.Tampering.without;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Place;
import io.waterclock.sim.node.Edge;
import io.waterclock.sim.node.Fault;
import io.waterclock.sim.node.Fault.Sent;
import io.waterclock.topology.scheduler.emit.Sink;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;

/** What schedulers do wrong: one method has the faults that break one promise. */
final class SchedulerFaults {
  private SchedulerFaults() {}

  static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    accounted(all);
    neverEarly(all);
    futureOnly(all);
    momentOfWriting(all);
    gated(all);
    restored(all);
    exactlyOnce(all);
    bounded(all);
    return all;
  }

  /**
   * Each occurrence has one outcome, once, and the topics prove it: fires, missed ranges, status
   * and watermarks.
   */
  private static void accounted(Map<String, Supplier<Fault>> all) {
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
  }

  /** Nothing fires early or by a wrong clock, and what one life has decided bounds the next. */
  private static void neverEarly(Map<String, Supplier<Fault>> all) {
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
  }

  /** An edit touches the future only, from the moment on that its revision says. */
  private static void futureOnly(Map<String, Supplier<Fault>> all) {
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
  }

  /** The moment of writing counts, whatever partition a record is read from: strays come home. */
  private static void momentOfWriting(Map<String, Supplier<Fault>> all) {
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
  }

  /**
   * What was deleted or paused while the scheduler was down does not fire afterwards: what is
   * written is read, and the gate waits for it.
   */
  private static void gated(Map<String, Supplier<Fault>> all) {
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
  }

  /** Uptime does not show: state survives kills and restores. */
  private static void restored(Map<String, Supplier<Fault>> all) {
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
  }

  /** Fires, missed ranges and progress commit in one transaction, of the one owner. */
  private static void exactlyOnce(Map<String, Supplier<Fault>> all) {
    all.put("a commit stores no offsets", crossing(Edge.OFFSETS, (offsets, count) -> Map.of()));
    all.put(
        "a commit stores offsets too far",
        crossing(
            Edge.OFFSETS,
            (offsets, count) -> {
              Map<Place, Long> further = new HashMap<>(offsets);
              further.replaceAll((place, offset) -> offset + 1);
              return further;
            }));
    all.put("offsets are committed outside the transaction", without(Edge.ATOMIC_OFFSETS));
    all.put("records are sent outside the transaction", without(Edge.ATOMIC_RECORDS));
    all.put("a zombie is not fenced", without(Edge.FENCE));
    all.put("a zombie that has read nothing is not fenced", without(Edge.BEGINNINGS));
    all.put(
        "a zombie is fenced only at every second turn of its producers",
        crossing(Edge.FENCE, (isFenced, count) -> count % 2 == 0));
    all.put(
        "a producer begins before the transaction of the other is decided",
        crossing(Edge.DECISION, (decides, count) -> count % 4 != 0));
    all.put(
        "the offsets of the earlier transaction win",
        () -> {
          Map<Place, Long> earlier = new HashMap<>();
          return crossing(
                  Edge.OFFSETS,
                  (offsets, count) -> {
                    Map<Place, Long> stored = new HashMap<>(offsets);
                    if (count % 2 == 0) {
                      stored.replaceAll((place, offset) -> earlier.getOrDefault(place, offset));
                    }
                    earlier.clear();
                    earlier.putAll(offsets);
                    return stored;
                  })
              .get();
        });
  }

  /** Effort is bounded, and no task rests too long. */
  private static void bounded(Map<String, Supplier<Fault>> all) {
    all.put("a task stops ticking", crossing(Edge.TICK, (ticks, count) -> count < 3_000));
    all.put("a task sleeps too long", crossing(Edge.IDLE, (time, count) -> time.multipliedBy(2)));
    all.put(
        "effort is unbounded: a task never rests",
        crossing(Edge.IDLE, (time, count) -> Duration.ZERO));
  }
}

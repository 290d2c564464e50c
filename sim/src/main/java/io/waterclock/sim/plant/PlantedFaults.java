package io.waterclock.sim.plant;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.Place;
import io.waterclock.sim.node.Fault;
import io.waterclock.topology.scheduler.emit.Sink;
import io.waterclock.topology.scheduler.store.CommandStore;
import io.waterclock.topology.scheduler.store.ProgressStore;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;

/** The faults by their names. Each supplier makes the fault of one world. */
public final class PlantedFaults {
  private PlantedFaults() {}

  /** All of them, in a fixed order. */
  public static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    all.put(
        "a fire is dropped",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.FIRES && sent.message().value() != null && ++count == 5
                    ? List.of()
                    : List.of(sent);
              }
            });
    all.put(
        "a fire is doubled",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.FIRES && sent.message().value() != null && ++count == 5
                    ? List.of(sent, sent)
                    : List.of(sent);
              }
            });
    all.put(
        "a missed range is dropped",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.MISSED && sent.message().value() != null && ++count == 2
                    ? List.of()
                    : List.of(sent);
              }
            });
    all.put(
        "a missed range is doubled",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.MISSED && sent.message().value() != null && ++count == 2
                    ? List.of(sent, sent)
                    : List.of(sent);
              }
            });
    all.put(
        "a stray on its way is dropped",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.STRAYS && sent.message().value() != null && ++count == 2
                    ? List.of()
                    : List.of(sent);
              }
            });
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
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.FIRES && ++count == 3
                    ? List.of(
                        new Sent(sent.sink(), sent.partition() + 1, sent.message(), sent.atMs()))
                    : List.of(sent);
              }
            });
    all.put(
        "a fire is late by its own clock",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.FIRES && ++count == 5
                    ? List.of(fire(sent, it -> it.setFiredAt(it.getFiredAt().plusSeconds(600))))
                    : List.of(sent);
              }
            });
    all.put(
        "a fire says that it was early",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.FIRES && ++count == 5
                    ? List.of(fire(sent, it -> it.setFiredAt(it.getDue().minusMillis(1))))
                    : List.of(sent);
              }
            });
    all.put(
        "a fire carries another payload",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.FIRES && ++count == 5
                    ? List.of(
                        fire(
                            sent,
                            it ->
                                it.getSchedule()
                                    .setPayload(
                                        ByteBuffer.wrap("0".getBytes(StandardCharsets.US_ASCII)))))
                    : List.of(sent);
              }
            });
    all.put(
        "a fire names another occurrence",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.FIRES && ++count == 5
                    ? List.of(
                        fire(
                            sent,
                            it -> {
                              it.setOccurrence(it.getOccurrence().minusMillis(1));
                              it.setDue(it.getDue().minusMillis(1));
                            }))
                    : List.of(sent);
              }
            });
    all.put(
        "a fire for another is due in a second",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.FIRES && ++count == 5
                    ? List.of(
                        fire(
                            sent,
                            it -> {
                              it.setOccurrence(it.getOccurrence().plusMillis(1000));
                              it.setDue(it.getDue().plusMillis(1000));
                            }))
                    : List.of(sent);
              }
            });
    all.put(
        "a missed range ends too soon",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.MISSED && isLong(sent)
                    ? List.of(missed(sent, it -> it.setLast(it.getFirst())))
                    : List.of(sent);
              }
            });
    all.put(
        "a missed range says too many",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.MISSED && ++count == 2
                    ? List.of(missed(sent, it -> it.setCount(it.getCount() + 1)))
                    : List.of(sent);
              }
            });
    all.put(
        "a missed range has the wrong reason",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.MISSED && ++count == 1
                    ? List.of(
                        missed(
                            sent,
                            it ->
                                it.setReason(
                                    it.getReason() == MissedReason.OVERLAP
                                        ? MissedReason.SKIPPED
                                        : MissedReason.OVERLAP)))
                    : List.of(sent);
              }
            });
    all.put(
        "a revision is not written",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.REVISIONS && ++count == 3 ? List.of() : List.of(sent);
              }
            });
    all.put(
        "a revision is written twice",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.REVISIONS && ++count == 3
                    ? List.of(sent, sent)
                    : List.of(sent);
              }
            });
    all.put(
        "a revision owns from later on",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.REVISIONS && ++count == 3
                    ? List.of(
                        revision(sent, it -> it.setOwnsAfter(it.getOwnsAfter().plusSeconds(5))))
                    : List.of(sent);
              }
            });
    all.put(
        "a revision took effect before its record",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.REVISIONS && ++count == 2
                    ? List.of(
                        revision(
                            sent, it -> it.setEffectiveAt(it.getEffectiveAt().minusSeconds(70))))
                    : List.of(sent);
              }
            });
    all.put(
        "a watermark claims the next hour",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.WATERMARKS
                    ? List.of(
                        watermark(
                            sent,
                            it -> it.setDecidedThrough(it.getDecidedThrough().plusSeconds(3600))))
                    : List.of(sent);
              }
            });
    all.put(
        "the status of a deleted schedule stays",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.STATUS && sent.message().value() == null
                    ? List.of()
                    : List.of(sent);
              }
            });
    all.put(
        "a stray never becomes a record at home",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.SCHEDULES
                        && hasHeader(sent.message().headers(), Headers.STRAY)
                    ? List.of()
                    : List.of(sent);
              }
            });
    all.put(
        "a stray comes home with the time of its coming",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.SCHEDULES
                        && hasHeader(sent.message().headers(), Headers.STRAY)
                    ? List.of(
                        new Sent(
                            sent.sink(),
                            sent.partition(),
                            new Message(
                                sent.message().key(),
                                sent.message().value(),
                                sent.message().headers(),
                                sent.atMs()),
                            sent.atMs()))
                    : List.of(sent);
              }
            });
    all.put(
        "the origin of a stray stays",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.ORIGINS ? List.of() : List.of(sent);
              }
            });
    all.put(
        "a correction of the topic is not written",
        () ->
            new Tampering() {
              @Override
              public List<Sent> send(Sent sent) {
                return sent.sink() == Sink.SCHEDULES
                        && hasHeader(sent.message().headers(), Headers.ORIGIN)
                    ? List.of()
                    : List.of(sent);
              }
            });
    all.put(
        "a delete is not read",
        () ->
            new Tampering() {
              @Override
              public Optional<LogRecord> read(Place place, LogRecord record) {
                return place.topic().endsWith(".schedules")
                        && record.value().isEmpty()
                        && record.headers().toArray().length == 0
                        && ++count == 2
                    ? Optional.empty()
                    : Optional.of(record);
              }
            });
    all.put(
        "a definition is not read",
        () ->
            new Tampering() {
              @Override
              public Optional<LogRecord> read(Place place, LogRecord record) {
                return place.topic().endsWith(".schedules")
                        && record.value().isPresent()
                        && ++count == 2
                    ? Optional.empty()
                    : Optional.of(record);
              }
            });
    all.put(
        "a command is not read",
        () ->
            new Tampering() {
              @Override
              public Optional<LogRecord> read(Place place, LogRecord record) {
                return place.topic().endsWith(".commands") ? Optional.empty() : Optional.of(record);
              }
            });
    all.put(
        "a stray at home is compared by a later time",
        () ->
            new Tampering() {
              @Override
              public Optional<LogRecord> read(Place place, LogRecord record) {
                return place.topic().endsWith(".schedules")
                        && hasHeader(record.headers(), Headers.STRAY)
                    ? Optional.of(record.at(record.timestampMs() + 3_600_000))
                    : Optional.of(record);
              }
            });
    all.put(
        "a stray at home is compared by an earlier time",
        () ->
            new Tampering() {
              @Override
              public Optional<LogRecord> read(Place place, LogRecord record) {
                return place.topic().endsWith(".schedules")
                        && hasHeader(record.headers(), Headers.STRAY)
                    ? Optional.of(record.at(record.timestampMs() - 3_600_000))
                    : Optional.of(record);
              }
            });
    all.put(
        "a definition counts from an earlier time",
        () ->
            new Tampering() {
              @Override
              public Optional<LogRecord> read(Place place, LogRecord record) {
                return place.topic().endsWith(".schedules") && record.value().isPresent()
                    ? Optional.of(record.at(record.timestampMs() - 10_000))
                    : Optional.of(record);
              }
            });
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
        "the gate does not notice a stall",
        () ->
            new Tampering() {
              @Override
              public boolean noticesStalls() {
                return false;
              }
            });
    all.put(
        "a wrong clock is trusted",
        () ->
            new Tampering() {
              @Override
              public boolean isTrusted(boolean isTrusted) {
                return true;
              }
            });
    all.put(
        "the clock is ahead, and trusted",
        () ->
            new Tampering() {
              @Override
              public boolean isTrusted(boolean isTrusted) {
                return true;
              }

              @Override
              public long wallMs(long ms) {
                return ms + 20_000;
              }
            });
    all.put(
        "state of any age is used",
        () ->
            new Tampering() {
              @Override
              public Duration oldestState(Duration longest) {
                return Duration.ofDays(3650);
              }
            });
    all.put(
        "dirty state survives a kill",
        () ->
            new Tampering() {
              @Override
              public boolean wipes() {
                return false;
              }
            });
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
        () ->
            new Tampering() {
              @Override
              public Optional<Optional<byte[]>> put(
                  String store, Bytes key, Optional<byte[]> value) {
                return store.equals(ScheduleStore.NAME) && value.isEmpty()
                    ? Optional.empty()
                    : Optional.of(value);
              }
            });
    all.put(
        "a delete does not reach the changelog",
        () ->
            new Tampering() {
              @Override
              public Optional<Optional<byte[]>> log(
                  String store, Bytes key, Optional<byte[]> value) {
                return store.equals(ScheduleStore.NAME) && value.isEmpty()
                    ? Optional.empty()
                    : Optional.of(value);
              }
            });
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
        () ->
            new Tampering() {
              @Override
              public Optional<Optional<byte[]>> log(
                  String store, Bytes key, Optional<byte[]> value) {
                return store.equals(ProgressStore.NAME) && key.get().length == 1
                    ? Optional.empty()
                    : Optional.of(value);
              }
            });
    all.put(
        "progress does not reach the changelog",
        () ->
            new Tampering() {
              @Override
              public Optional<Optional<byte[]>> log(
                  String store, Bytes key, Optional<byte[]> value) {
                return store.equals(ProgressStore.NAME) && key.get()[0] != 0
                    ? Optional.empty()
                    : Optional.of(value);
              }
            });
    all.put(
        "an earlier life does not bound the next",
        () ->
            new Tampering() {
              @Override
              public Optional<Optional<byte[]>> put(
                  String store, Bytes key, Optional<byte[]> value) {
                return starts(key, "\0removed\0") ? Optional.empty() : Optional.of(value);
              }
            });
    all.put(
        "strays taken are forgotten",
        () ->
            new Tampering() {
              @Override
              public Optional<Optional<byte[]>> put(
                  String store, Bytes key, Optional<byte[]> value) {
                return starts(key, "\0taken\0") ? Optional.empty() : Optional.of(value);
              }
            });
    all.put(
        "executed commands are forgotten",
        () ->
            new Tampering() {
              @Override
              public Optional<Optional<byte[]>> put(
                  String store, Bytes key, Optional<byte[]> value) {
                return store.equals(CommandStore.NAME) && key.get()[0] == 2
                    ? Optional.empty()
                    : Optional.of(value);
              }
            });
    all.put(
        "a commit stores no offsets",
        () ->
            new Tampering() {
              @Override
              public Map<Place, Long> offsets(Map<Place, Long> offsets) {
                return Map.of();
              }
            });
    all.put(
        "a commit stores offsets too far",
        () ->
            new Tampering() {
              @Override
              public Map<Place, Long> offsets(Map<Place, Long> offsets) {
                Map<Place, Long> all = new HashMap<>();
                offsets.forEach((place, offset) -> all.put(place, offset + 1));
                return all;
              }
            });
    all.put(
        "offsets are committed outside the transaction",
        () ->
            new Tampering() {
              @Override
              public boolean isAtomic() {
                return false;
              }
            });
    all.put(
        "records are sent outside the transaction",
        () ->
            new Tampering() {
              @Override
              public boolean isTransactional() {
                return false;
              }
            });
    all.put(
        "a zombie is not fenced",
        () ->
            new Tampering() {
              @Override
              public boolean isFenced() {
                return false;
              }
            });
    all.put(
        "a task stops ticking",
        () ->
            new Tampering() {
              @Override
              public boolean ticks(int partition, long atMs) {
                return ++count < 3_000;
              }
            });
    all.put(
        "a task sleeps too long",
        () ->
            new Tampering() {
              @Override
              public Duration idle(Duration time) {
                return time.multipliedBy(2);
              }
            });
    all.put(
        "effort is unbounded: a task never rests",
        () ->
            new Tampering() {
              @Override
              public Duration idle(Duration time) {
                return Duration.ZERO;
              }
            });
    return all;
  }
}

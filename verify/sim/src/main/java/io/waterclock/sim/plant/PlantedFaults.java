package io.waterclock.sim.plant;

import static io.waterclock.sim.plant.Tampering.fire;
import static io.waterclock.sim.plant.Tampering.hasHeader;
import static io.waterclock.sim.plant.Tampering.isCarrier;
import static io.waterclock.sim.plant.Tampering.isLong;
import static io.waterclock.sim.plant.Tampering.missed;
import static io.waterclock.sim.plant.Tampering.revision;
import static io.waterclock.sim.plant.Tampering.starts;
import static io.waterclock.sim.plant.Tampering.watermark;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.Place;
import io.waterclock.sim.node.Fault;
import io.waterclock.sim.node.Fault.Sent;
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
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;

/** The faults by their names. Each supplier makes the fault of one world. */
public final class PlantedFaults {
  private static final int EACH = 0;

  private PlantedFaults() {}

  /** The names of those that only routers and workers show. */
  public static Set<String> ofConsumers() {
    return ConsumerFaults.all().keySet();
  }

  /** All of them, in a fixed order. */
  public static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    all.put(
        "a fire is dropped",
        sent(
            5,
            sent -> sent.sink() == Sink.FIRES && sent.message().value() != null,
            sent -> List.of()));
    all.put(
        "a fire is doubled",
        sent(
            5,
            sent -> sent.sink() == Sink.FIRES && sent.message().value() != null,
            sent -> List.of(sent, sent)));
    all.put(
        "a missed range is dropped",
        sent(
            2,
            sent -> sent.sink() == Sink.MISSED && sent.message().value() != null,
            sent -> List.of()));
    all.put(
        "a missed range is doubled",
        sent(
            2,
            sent -> sent.sink() == Sink.MISSED && sent.message().value() != null,
            sent -> List.of(sent, sent)));
    all.put(
        "a stray on its way is dropped",
        sent(
            2,
            sent -> sent.sink() == Sink.STRAYS && sent.message().value() != null,
            sent -> List.of()));
    all.put(
        "a stray command on its way is dropped",
        sent(EACH, sent -> isCarrier(sent, ".commands-"), sent -> List.of()));
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
        "a fire is late by its own clock",
        sent(
            5,
            to(Sink.FIRES),
            sent -> List.of(fire(sent, it -> it.setFiredAt(it.getFiredAt().plusSeconds(600))))));
    all.put(
        "a fire says that it was early",
        sent(
            5,
            to(Sink.FIRES),
            sent -> List.of(fire(sent, it -> it.setFiredAt(it.getDue().minusMillis(1))))));
    all.put(
        "a fire carries another payload",
        sent(
            5,
            to(Sink.FIRES),
            sent ->
                List.of(
                    fire(
                        sent,
                        it ->
                            it.getSchedule()
                                .setPayload(
                                    ByteBuffer.wrap("0".getBytes(StandardCharsets.US_ASCII)))))));
    all.put(
        "a fire names another occurrence",
        sent(
            5,
            to(Sink.FIRES),
            sent ->
                List.of(
                    fire(
                        sent,
                        it -> {
                          it.setOccurrence(it.getOccurrence().minusMillis(1));
                          it.setDue(it.getDue().minusMillis(1));
                        }))));
    all.put(
        "a fire for another is due in a second",
        sent(
            5,
            to(Sink.FIRES),
            sent ->
                List.of(
                    fire(
                        sent,
                        it -> {
                          it.setOccurrence(it.getOccurrence().plusMillis(1000));
                          it.setDue(it.getDue().plusMillis(1000));
                        }))));
    all.put(
        "a missed range ends too soon",
        sent(
            EACH,
            sent -> sent.sink() == Sink.MISSED && isLong(sent),
            sent -> List.of(missed(sent, it -> it.setLast(it.getFirst())))));
    all.put(
        "a missed range says too many",
        sent(
            2,
            to(Sink.MISSED),
            sent -> List.of(missed(sent, it -> it.setCount(it.getCount() + 1)))));
    all.put(
        "a missed range has the wrong reason",
        sent(
            1,
            to(Sink.MISSED),
            sent ->
                List.of(
                    missed(
                        sent,
                        it ->
                            it.setReason(
                                it.getReason() == MissedReason.OVERLAP
                                    ? MissedReason.SKIPPED
                                    : MissedReason.OVERLAP)))));
    all.put("a revision is not written", sent(3, to(Sink.REVISIONS), sent -> List.of()));
    all.put(
        "a revision is written twice", sent(3, to(Sink.REVISIONS), sent -> List.of(sent, sent)));
    all.put(
        "a revision owns from later on",
        sent(
            3,
            to(Sink.REVISIONS),
            sent ->
                List.of(revision(sent, it -> it.setOwnsAfter(it.getOwnsAfter().plusSeconds(5))))));
    all.put(
        "a revision took effect before its record",
        sent(
            2,
            to(Sink.REVISIONS),
            sent ->
                List.of(
                    revision(
                        sent, it -> it.setEffectiveAt(it.getEffectiveAt().minusSeconds(70))))));
    all.put(
        "a watermark claims the next hour",
        sent(
            EACH,
            to(Sink.WATERMARKS),
            sent ->
                List.of(
                    watermark(
                        sent,
                        it -> it.setDecidedThrough(it.getDecidedThrough().plusSeconds(3600))))));
    all.put(
        "the status of a deleted schedule stays",
        sent(
            EACH,
            sent -> sent.sink() == Sink.STATUS && sent.message().value() == null,
            sent -> List.of()));
    all.put(
        "a stray never becomes a record at home",
        sent(
            EACH,
            sent ->
                sent.sink() == Sink.SCHEDULES
                    && hasHeader(sent.message().headers(), HeaderNames.STRAY),
            sent -> List.of()));
    all.put(
        "a stray comes home with the time of its coming",
        sent(
            EACH,
            sent ->
                sent.sink() == Sink.SCHEDULES
                    && hasHeader(sent.message().headers(), HeaderNames.STRAY),
            sent ->
                List.of(
                    new Sent(
                        sent.sink(),
                        sent.partition(),
                        new Message(
                            sent.message().key(),
                            sent.message().value(),
                            sent.message().headers(),
                            sent.atMs()),
                        sent.atMs()))));
    all.put("the origin of a stray stays", sent(EACH, to(Sink.ORIGINS), sent -> List.of()));
    all.put(
        "a correction of the topic is not written",
        sent(
            EACH,
            sent ->
                sent.sink() == Sink.SCHEDULES
                    && hasHeader(sent.message().headers(), HeaderNames.ORIGIN),
            sent -> List.of()));
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
        "a definition counts from an earlier time",
        read(
            EACH,
            (place, record) -> place.topic().endsWith(".schedules") && record.value().isPresent(),
            record -> Optional.of(record.at(record.timestampMs() - 10_000))));
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
        "the gate does not wait for the other partitions",
        () ->
            new Tampering() {
              @Override
              public long endOfOther(long end) {
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
        "a record takes effect by a clock that is behind",
        () ->
            new Tampering() {
              @Override
              public boolean knowsBrokersTime() {
                return false;
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
        "an earlier life does not bound the next",
        unstored((store, key, value) -> starts(key, "\0removed\0")));
    all.put(
        "strays taken are forgotten", unstored((store, key, value) -> starts(key, "\0taken\0")));
    all.put(
        "executed commands are forgotten",
        unstored((store, key, value) -> store.equals(CommandStore.NAME) && starts(key, "id/")));
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
        "a zombie that has read nothing is not fenced",
        () ->
            new Tampering() {
              @Override
              public boolean repeatsBeginnings() {
                return false;
              }
            });
    all.put(
        "a zombie is fenced only at every second turn of its producers",
        () ->
            new Tampering() {
              @Override
              public boolean isFenced() {
                return ++count % 2 == 0;
              }
            });
    all.put(
        "a producer begins before the transaction of the other is decided",
        () ->
            new Tampering() {
              @Override
              public boolean decides() {
                return ++count % 4 != 0;
              }
            });
    all.put(
        "the offsets of the earlier transaction win",
        () ->
            new Tampering() {
              private Map<Place, Long> earlier = Map.of();

              @Override
              public Map<Place, Long> offsets(Map<Place, Long> offsets) {
                Map<Place, Long> stored = new HashMap<>(offsets);
                if (++count % 2 == 0) {
                  stored.replaceAll((place, offset) -> earlier.getOrDefault(place, offset));
                }
                earlier = offsets;
                return stored;
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
    all.putAll(ConsumerFaults.all());
    return all;
  }

  private static Predicate<Sent> to(Sink sink) {
    return sent -> sent.sink() == sink;
  }

  /**
   * Sends something else instead of records.
   *
   * @param nth which of those that fit; EACH for all
   */
  private static Supplier<Fault> sent(
      int nth, Predicate<Sent> fits, Function<Sent, List<Sent>> instead) {
    return () ->
        new Tampering() {
          @Override
          public List<Sent> send(Sent sent) {
            return fits.test(sent) && isTurn(nth) ? instead.apply(sent) : List.of(sent);
          }
        };
  }

  /** Reads something else instead of records, or nothing; the rest as of {@link #sent}. */
  private static Supplier<Fault> read(
      int nth,
      BiPredicate<Place, LogRecord> fits,
      Function<LogRecord, Optional<LogRecord>> instead) {
    return () ->
        new Tampering() {
          @Override
          public Optional<LogRecord> read(Place place, LogRecord record) {
            return fits.test(place, record) && isTurn(nth)
                ? instead.apply(record)
                : Optional.of(record);
          }
        };
  }

  /** Loses changes of a store. */
  private static Supplier<Fault> unstored(Change lost) {
    return () ->
        new Tampering() {
          @Override
          public Optional<Optional<byte[]>> put(String store, Bytes key, Optional<byte[]> value) {
            return lost.is(store, key, value) ? Optional.empty() : Optional.of(value);
          }
        };
  }

  /** Loses changes of a store on their way to the changelog. */
  private static Supplier<Fault> unlogged(Change lost) {
    return () ->
        new Tampering() {
          @Override
          public Optional<Optional<byte[]>> log(String store, Bytes key, Optional<byte[]> value) {
            return lost.is(store, key, value) ? Optional.empty() : Optional.of(value);
          }
        };
  }

  /** Says whether a change of a store is meant. */
  private interface Change {
    boolean is(String store, Bytes key, Optional<byte[]> value);
  }
}

package io.waterclock.sim.plant;

import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.Place;
import io.waterclock.sim.node.Edge;
import io.waterclock.sim.node.Fault;
import io.waterclock.topology.scheduler.emit.Sink;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Bytes;

/** A fault that counts what it sees, and changes records. */
class Tampering implements Fault {
  private static final Encoding ENCODING = Wire.of(WireFormat.AVRO).encoding();

  /** Each record that fits, and not only the nth. */
  static final int EACH = 0;

  /** How often the edge of the fault was crossed. */
  int count;

  /** Counts one more that fits: whether it is the nth, or each is meant with 0. */
  boolean isTurn(int nth) {
    return nth == 0 || ++count == nth;
  }

  static Function<Sent, List<Sent>> nothing() {
    return sent -> List.of();
  }

  static Function<Sent, List<Sent>> twice() {
    return sent -> List.of(sent, sent);
  }

  static Function<Sent, List<Sent>> fire(Consumer<Fire> change) {
    return sent -> List.of(changed(sent, RecordCodecs.fire(), change));
  }

  static Function<Sent, List<Sent>> missed(Consumer<Missed> change) {
    return sent -> List.of(changed(sent, RecordCodecs.missed(), change));
  }

  static Function<Sent, List<Sent>> revision(Consumer<Revision> change) {
    return sent -> List.of(changed(sent, RecordCodecs.revision(), change));
  }

  static Function<Sent, List<Sent>> watermark(Consumer<Watermark> change) {
    return sent -> List.of(changed(sent, RecordCodecs.watermark(), change));
  }

  /** Makes a fire one of another occurrence. */
  static void move(Fire fire, long ms) {
    fire.setOccurrence(fire.getOccurrence().plusMillis(ms));
    fire.setDue(fire.getDue().plusMillis(ms));
  }

  /** The same with the time at which it is sent. */
  static Sent stampedAt(Sent sent) {
    Message message = sent.message();
    return new Sent(
        sent.sink(),
        sent.partition(),
        new Message(message.key(), message.value(), message.headers(), sent.atMs()),
        sent.atMs());
  }

  /** Records to a sink, but no tombstones. */
  static Predicate<Sent> to(Sink sink) {
    return sent -> sent.sink() == sink && (sink == Sink.ORIGINS || sent.message().value() != null);
  }

  /** Records to a sink that have a header. */
  static Predicate<Sent> to(Sink sink, String header) {
    return sent -> sent.sink() == sink && hasHeader(sent.message().headers(), header);
  }

  static boolean isLong(Sent sent) {
    Missed range = RecordCodecs.missed().decode(value(sent));
    return range.getLast().isAfter(range.getFirst());
  }

  /** Whether it takes a stray home that was produced in a topic whose name contains a text. */
  static boolean isCarrier(Sent sent, String topic) {
    return sent.sink() == Sink.STRAYS
        && sent.message().value() != null
        && new String(sent.message().key(), StandardCharsets.UTF_8).contains(topic);
  }

  static boolean hasHeader(Headers headers, String name) {
    return headers.lastHeader(name) != null;
  }

  static boolean starts(Bytes key, String prefix) {
    byte[] begin = prefix.getBytes(StandardCharsets.US_ASCII);
    return key.get().length >= begin.length
        && new String(key.get(), 0, begin.length, StandardCharsets.US_ASCII).equals(prefix);
  }

  private static byte[] value(Sent sent) {
    return Optional.ofNullable(sent.message().value()).orElseThrow();
  }

  private static <T extends SpecificRecordBase> Sent changed(
      Sent sent, RecordCodec<T> codec, Consumer<T> change) {
    T value = codec.decode(value(sent));
    change.accept(value);
    Message message = sent.message();
    return new Sent(
        sent.sink(),
        sent.partition(),
        new Message(
            message.key(), codec.encode(value, ENCODING), message.headers(), message.timestampMs()),
        sent.atMs());
  }

  /**
   * Sends something else instead of records.
   *
   * @param nth which of those that fit; EACH for all
   */
  static Supplier<Fault> sent(int nth, Predicate<Sent> fits, Function<Sent, List<Sent>> instead) {
    return () ->
        new Tampering() {
          @Override
          public List<Sent> send(Sent sent) {
            return fits.test(sent) && isTurn(nth) ? instead.apply(sent) : List.of(sent);
          }
        };
  }

  /** Reads something else instead of records, or nothing; the rest as of {@link #sent}. */
  static Supplier<Fault> read(
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
  static Supplier<Fault> unstored(Change lost) {
    return () ->
        new Tampering() {
          @Override
          public Optional<Optional<byte[]>> put(String store, Bytes key, Optional<byte[]> value) {
            return lost.is(store, key, value) ? Optional.empty() : Optional.of(value);
          }
        };
  }

  /** Loses changes of a store on their way to the changelog. */
  static Supplier<Fault> unlogged(Change lost) {
    return () ->
        new Tampering() {
          @Override
          public Optional<Optional<byte[]>> log(String store, Bytes key, Optional<byte[]> value) {
            return lost.is(store, key, value) ? Optional.empty() : Optional.of(value);
          }
        };
  }

  /**
   * Changes the values that cross an edge.
   *
   * @param change gets a value, and the how manieth it is, from 1
   */
  static <V> Supplier<Fault> crossing(Edge<V> edge, BiFunction<V, Integer, V> change) {
    return () ->
        new Tampering() {
          @Override
          public <T> T at(Edge<T> crossed, T value) {
            return crossed == edge ? crossed.cast(change.apply(edge.cast(value), ++count)) : value;
          }
        };
  }

  /** Leaves undone what an edge speaks of. */
  static Supplier<Fault> without(Edge<Boolean> edge) {
    return crossing(edge, (isDone, count) -> false);
  }

  /** Two faults of edges at once. */
  static Supplier<Fault> both(Supplier<Fault> one, Supplier<Fault> other) {
    return () -> {
      Fault first = one.get();
      Fault second = other.get();
      return new Fault() {
        @Override
        public <T> T at(Edge<T> edge, T value) {
          return second.at(edge, first.at(edge, value));
        }
      };
    };
  }

  /** Says whether a change of a store is meant. */
  interface Change {
    boolean is(String store, Bytes key, Optional<byte[]> value);
  }
}

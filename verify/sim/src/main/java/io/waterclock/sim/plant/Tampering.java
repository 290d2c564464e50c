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
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.node.Fault;
import io.waterclock.topology.scheduler.emit.Sink;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Bytes;

/** A fault that counts what it sees, and changes records. */
class Tampering implements Fault {
  private static final Encoding ENCODING = Wire.of(WireFormat.AVRO).encoding();

  /** How often the edge of the fault was crossed. */
  int count;

  /** Counts one more that fits: whether it is the nth, or each is meant with 0. */
  boolean isTurn(int nth) {
    return nth == 0 || ++count == nth;
  }

  static Sent fire(Sent sent, Consumer<Fire> change) {
    return changed(sent, RecordCodecs.fire(), change);
  }

  static Sent missed(Sent sent, Consumer<Missed> change) {
    return changed(sent, RecordCodecs.missed(), change);
  }

  static Sent revision(Sent sent, Consumer<Revision> change) {
    return changed(sent, RecordCodecs.revision(), change);
  }

  static Sent watermark(Sent sent, Consumer<Watermark> change) {
    return changed(sent, RecordCodecs.watermark(), change);
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
}

package io.waterclock.topology.scheduler.store;

import io.waterclock.definition.CalendarVersion;
import io.waterclock.schemas.avro.Calendar;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The versions of calendars that a task has seen, with the instants from which they apply. The
 * calendars topic keeps only the newest version; the task keeps older ones, as occurrences of their
 * time may still be undecided.
 *
 * <p>Kept in the store of {@link ProgressStore}, under keys that no schedule id can take: a zero
 * byte, "calendars", a zero byte, the name, a zero byte and a sequence number that ascends with the
 * versions.
 */
public final class CalendarStore {
  private static final byte[] PREFIX = "\0calendars\0".getBytes(StandardCharsets.US_ASCII);

  private final KeyValueStore<Bytes, byte[]> store;
  private final StateCodec codec = new StateCodec();

  /**
   * @param store that of {@link ProgressStore}
   */
  public CalendarStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  public record Row(long seq, CalendarVersion version) {}

  /** All versions of all calendars by name, oldest first. */
  public Map<String, List<Row>> all() {
    return all((seq, value) -> new Row(seq, codec.decodeCalendar(value)));
  }

  /** All versions of all calendars by name, oldest first, without decoding their dates. */
  public Map<String, List<KnownCalendar>> known() {
    return all(codec::decodeKnown);
  }

  /**
   * A version without decoding its dates.
   *
   * @throws NoSuchElementException if there is no such version
   */
  public KnownCalendar known(String name, long seq) {
    byte[] value = Optional.ofNullable(store.get(key(name, seq))).orElseThrow();
    return codec.decodeKnown(seq, value);
  }

  /** The calendar of a version; empty for a deletion, or if there is no such version. */
  public Optional<Calendar> calendar(String name, long seq) {
    return Optional.ofNullable(store.get(key(name, seq)))
        .flatMap(value -> codec.decodeCalendar(value).calendar());
  }

  /**
   * True if a version has this body. Decodes nothing.
   *
   * @param body of the calendar in Avro; empty for a deletion
   */
  public boolean isEqual(String name, long seq, Optional<byte[]> body) {
    return Optional.ofNullable(store.get(key(name, seq)))
        .filter(value -> codec.isCalendar(value, body))
        .isPresent();
  }

  @FunctionalInterface
  private interface Read<T> {
    T read(long seq, byte[] value);
  }

  private <T> Map<String, List<T>> all(Read<T> of) {
    Map<String, List<T>> rows = new TreeMap<>();
    try (KeyValueIterator<Bytes, byte[]> range =
        store.range(Bytes.wrap(PREFIX), Bytes.wrap(afterAll()))) {
      while (range.hasNext()) {
        KeyValue<Bytes, byte[]> next = range.next();
        byte[] key = next.key.get();
        int nameEnd = key.length - Long.BYTES - 1;
        String name =
            new String(key, PREFIX.length, nameEnd - PREFIX.length, StandardCharsets.US_ASCII);
        long seq = ByteBuffer.wrap(key).getLong(nameEnd + 1);
        rows.computeIfAbsent(name, n -> new ArrayList<>()).add(of.read(seq, next.value));
      }
    }
    return rows;
  }

  public void put(String name, Row row) {
    store.put(key(name, row.seq()), codec.encode(row.version()));
  }

  public void delete(String name, long seq) {
    store.put(key(name, seq), null);
  }

  private static Bytes key(String name, long seq) {
    byte[] text = name.getBytes(StandardCharsets.US_ASCII);
    return Bytes.wrap(
        ByteBuffer.allocate(PREFIX.length + text.length + 1 + Long.BYTES)
            .put(PREFIX)
            .put(text)
            .put((byte) 0)
            .putLong(seq)
            .array());
  }

  private static byte[] afterAll() {
    byte[] end = Arrays.copyOf(PREFIX, PREFIX.length);
    end[end.length - 1] = 1;
    return end;
  }
}

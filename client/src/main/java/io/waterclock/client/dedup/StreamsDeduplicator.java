package io.waterclock.client.dedup;

import io.waterclock.schemas.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorContext;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorSupplier;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;

/**
 * Lets each fire of a stream pass once, in a Kafka Streams application. The id is the record's
 * header {@code ce_id}, which fires have and what the router writes to targets; a record without it
 * is no fire, and passes.
 *
 * <pre>{@code
 * builder.stream("waterclock.fires", Consumed.with(Serdes.String(), fireSerde))
 *     .processValues(StreamsDeduplicator.of("fires-seen", Duration.ofDays(8)))
 *     ...
 * }</pre>
 *
 * <p>With {@code processing.guarantee=exactly_once_v2} what follows in the application happens once
 * for each fire, whatever is restarted and however often a fire is produced again.
 *
 * <p>Idea: the ids stand in a window store by when they came, by this machine's clock, not by the
 * records' timestamps: one that is wrong would make the store forget. Segments of ids that are
 * older than the retention are dropped whole, so forgetting costs nothing. An id takes some 60
 * bytes on disk; a fire costs a look into each of two or three segments, and a write.
 *
 * @param <K> the key, which stays as it is
 * @param <V> the value, likewise
 */
public final class StreamsDeduplicator<K, V> implements FixedKeyProcessorSupplier<K, V, V> {
  private static final byte[] SEEN = {};

  private final String store;
  private final Duration retention;

  private StreamsDeduplicator(String store, Duration retention) {
    this.store = store;
    this.retention = retention;
  }

  /**
   * A deduplicator with a state store of its own.
   *
   * @param store its name
   * @param retention how long an id is remembered at least: as long as fires can come again, which
   *     is the retention of the fires topic (7 days unless changed) and as far back as anybody
   *     backfills; counted from when it came or, where the store was restored since, from the
   *     timestamp of its record. A minute or more
   * @throws IllegalArgumentException if it is shorter
   */
  public static <K, V> StreamsDeduplicator<K, V> of(String store, Duration retention) {
    if (retention.compareTo(Duration.ofMinutes(1)) < 0) {
      throw new IllegalArgumentException(
          "retention " + retention + " must be a minute or more, for example P8D");
    }
    return new StreamsDeduplicator<>(store, retention);
  }

  @Override
  public Set<StoreBuilder<?>> stores() {
    return Set.of(
        Stores.windowStoreBuilder(
            Stores.persistentWindowStore(store, retention, Duration.ofMillis(1), false),
            Serdes.String(),
            Serdes.ByteArray()));
  }

  @Override
  public FixedKeyProcessor<K, V, V> get() {
    return new Gate<>(store, retention);
  }

  /** Passes on what it has not seen. */
  private static final class Gate<K, V> implements FixedKeyProcessor<K, V, V> {
    private final String store;
    private final Duration retention;
    private Optional<Seen> seen = Optional.empty();
    private Optional<FixedKeyProcessorContext<K, V>> context = Optional.empty();

    Gate(String store, Duration retention) {
      this.store = store;
      this.retention = retention;
    }

    @Override
    public void init(FixedKeyProcessorContext<K, V> of) {
      context = Optional.of(of);
      seen = Optional.of(new Seen(of.getStateStore(store), retention));
    }

    @Override
    public void process(FixedKeyRecord<K, V> fire) {
      FixedKeyProcessorContext<K, V> in = context.orElseThrow();
      Header id = fire.headers().lastHeader(Headers.CE_ID);
      if (id == null
          || id.value() == null
          || seen.orElseThrow()
              .isNew(
                  new String(id.value(), StandardCharsets.UTF_8),
                  Instant.ofEpochMilli(in.currentSystemTimeMs()))) {
        in.forward(fire);
      }
    }
  }

  /** The ids that came within the retention. */
  private record Seen(WindowStore<String, byte[]> ids, Duration retention) {
    boolean isNew(String id, Instant now) {
      // after a step of the clock backwards, what was seen lies ahead
      try (WindowStoreIterator<byte[]> found =
          ids.fetch(id, now.minus(retention), now.plus(retention))) {
        if (found.hasNext()) {
          return false;
        }
      }
      ids.put(id, SEEN, now.toEpochMilli());
      return true;
    }
  }
}

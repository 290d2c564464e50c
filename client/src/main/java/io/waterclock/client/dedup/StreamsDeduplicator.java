package io.waterclock.client.dedup;

import io.waterclock.schemas.HeaderNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorContext;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorSupplier;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;

/**
 * Forwards each fire of a stream once, in a Kafka Streams application. The fire id is in the
 * record's header {@code ce_id}; fires and the router's records in target topics have it. A record
 * without it is not a fire, and is forwarded.
 *
 * <pre>{@code
 * builder.stream("waterclock.fires", Consumed.with(Serdes.String(), fireSerde))
 *     .processValues(StreamsDeduplicator.of("fires-seen", Duration.ofDays(8)))
 *     ...
 * }</pre>
 *
 * <p>The application processes each fire once, whatever restarts and however often a fire is
 * produced again. It needs {@code processing.guarantee=exactly_once_v2}, and does not start
 * otherwise. Under Kafka Streams' default, {@code at_least_once}, a crash may leave the id of a
 * fire in the store and its changelog without the records that the fire led to: the producer sends
 * both on their own, whichever the processor writes first. The fire would be read again, dropped as
 * seen, and lost.
 *
 * <p>A fire that this application has had wait with {@code RetryLater}, whose group is then the
 * application id, passes once more with each return, and so does one that is sent again to this
 * application by a redrive or a rerun. What another group retries does not pass.
 *
 * <p>Idea: a window store keeps the ids by their time of arrival on this machine's clock, and not
 * by the records' timestamps, because one wrong timestamp would expire the store. The store drops
 * whole segments of ids that are older than the retention, so expiry costs nothing. An id takes
 * about 60 bytes on disk; a fire costs a lookup in each of two or three segments, and a write.
 *
 * @param <K> the type of the key
 * @param <V> the type of the value
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
   * Creates a deduplicator with its own state store.
   *
   * @param store the name of the state store
   * @param retention the minimum time for which the store keeps an id, a minute or more. Choose the
   *     time in which the application can read a fire again: the retention of the fires topic (7
   *     days unless changed), or the age of the oldest occurrence that a backfill may repeat. The
   *     time counts from the arrival of the fire or, after a restore of the store, from the
   *     timestamp of its record
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
    return new Gate();
  }

  /** Forwards records that it has not seen. */
  private final class Gate implements FixedKeyProcessor<K, V, V> {
    private Optional<FixedKeyProcessorContext<K, V>> context = Optional.empty();

    @Override
    public void init(FixedKeyProcessorContext<K, V> of) {
      Object guarantee = of.appConfigs().get(StreamsConfig.PROCESSING_GUARANTEE_CONFIG);
      if (!StreamsConfig.EXACTLY_ONCE_V2.equals(guarantee)) {
        throw new ConfigException(
            StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
            guarantee,
            "the deduplicator " + store + " would lose fires in a crash: set exactly_once_v2");
      }
      context = Optional.of(of);
    }

    @Override
    public void process(FixedKeyRecord<K, V> fire) {
      FixedKeyProcessorContext<K, V> in = context.orElseThrow();
      Optional<String> id = HeaderNames.text(fire.headers(), HeaderNames.CE_ID);
      if (id.isEmpty() || passes(in, fire, id.get())) {
        in.forward(fire);
      }
    }

    private boolean passes(
        FixedKeyProcessorContext<K, V> in, FixedKeyRecord<K, V> fire, String id) {
      Optional<String> group = HeaderNames.text(fire.headers(), HeaderNames.GROUP);
      if (group.filter(in.applicationId()::equals).isPresent()) {
        return isNew(in, id + returned(fire));
      }
      return !(group.isPresent() && isReturn(in, fire)) && isNew(in, id);
    }

    /** False where a program has copied the headers into another topic. */
    private boolean isReturn(FixedKeyProcessorContext<K, V> in, FixedKeyRecord<K, V> fire) {
      Optional<String> to = HeaderNames.text(fire.headers(), HeaderNames.RETURNS_TO);
      return to.isPresent() && to.equals(in.recordMetadata().map(RecordMetadata::topic));
    }

    /** Tells a return from the others: a redrive and a rerun begin again to count the waits. */
    private String returned(FixedKeyRecord<K, V> fire) {
      String waits =
          HeaderNames.text(fire.headers(), HeaderNames.RETRIES)
              .map(count -> "#" + count)
              .orElse("");
      return waits
          + Stream.of(HeaderNames.REDRIVEN, HeaderNames.RERUN)
              .flatMap(name -> HeaderNames.text(fire.headers(), name).map(name::concat).stream())
              .collect(Collectors.joining());
    }

    private boolean isNew(FixedKeyProcessorContext<K, V> in, String id) {
      WindowStore<String, byte[]> ids = in.getStateStore(store);
      Instant now = Instant.ofEpochMilli(in.currentSystemTimeMs());
      // after a backward step of the clock, seen ids lie in the future
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

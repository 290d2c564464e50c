package io.waterclock.topology.router;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.cache.Cache;
import org.apache.kafka.common.cache.LRUCache;
import org.apache.kafka.common.cache.SynchronizedCache;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;

/**
 * Remembers refusals by targets, so that the router does not repeat refused writes: a refusal
 * aborts the transaction, and the router reads and routes all its fires again.
 *
 * <p>There are three kinds. A problem of one record (too large, a forbidden timestamp) is
 * remembered for that fire. A problem of the topic (no right to write to it) is remembered for a
 * minute; then the router tries again. After a time-out of a topic the router tries again at once,
 * as a partition may be electing a leader. The topic counts as refused after half a minute without
 * one success while the brokers answer.
 *
 * <p>Thread-safe. Without refusals, a success costs two looks at empty maps.
 */
public final class Refusals {
  private static final Logger LOG = SafeLogger.of(Refusals.class);
  private static final int MOST_FIRES = 1_000;
  private static final Duration REFUSED_FOR = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A death within this time after a refusal counts as caused by it. */
  private static final Duration AFTERMATH = Duration.ofSeconds(10);

  private record Refusal(String why, Instant until) {}

  private record FireAt(String topic, String fire) {}

  private final InstantSource clock;
  private final BooleanSupplier outage;
  private final Consumer<String> doubt;
  private final Map<String, Refusal> topics = new ConcurrentHashMap<>();
  private final Map<String, Instant> silentSince = new ConcurrentHashMap<>();

  /** Forgets the refusal that was used longest ago: the target refuses that fire once more. */
  private final Cache<FireAt, String> fires = new SynchronizedCache<>(new LRUCache<>(MOST_FIRES));

  private volatile Instant latest = Instant.MIN;

  /**
   * @param outage true while the brokers do not answer and for a while afterwards
   * @param doubt receives each topic that refuses a record
   */
  public Refusals(InstantSource clock, BooleanSupplier outage, Consumer<String> doubt) {
    this.clock = clock;
    this.outage = outage;
    this.doubt = doubt;
  }

  /** A record for a target was written, in a transaction that may still be aborted. */
  public void took(ProducerRecord<byte[], byte[]> record) {
    if (!topics.isEmpty()) {
      topics.remove(record.topic());
    }
    if (!silentSince.isEmpty()) {
      silentSince.remove(record.topic());
    }
  }

  /**
   * A record for a target was not written; the first one of its transaction. Records for other
   * topics are ignored.
   */
  public void refused(ProducerRecord<byte[], byte[]> record, Exception cause) {
    Optional<String> fire = fire(record);
    if (fire.isEmpty()) {
      return;
    }
    String topic = record.topic();
    Instant now = clock.instant();
    if (isOfRecord(cause)) {
      fires.put(new FireAt(topic, fire.get()), why(cause));
    } else if (isOfTopic(cause)) {
      topics.put(topic, new Refusal(why(cause), now.plus(REFUSED_FOR)));
    } else if (cause instanceof RetriableException && !outage.getAsBoolean()) {
      Instant since = silentSince.computeIfAbsent(topic, name -> now);
      if (!now.isBefore(since.plus(PATIENCE))) {
        String silence = "it has taken nothing since " + since + ": " + cause.getMessage();
        topics.put(topic, new Refusal(silence, now.plus(REFUSED_FOR)));
      }
    } else {
      return;
    }
    LOG.debug("Not taken by {}", topic, cause);
    latest = now;
    doubt.accept(topic);
  }

  /**
   * The name of the fire of a record for a target: its fire key; of a record that has no fire key,
   * its id, which is its last header, and its timestamp. Empty for other records.
   */
  private static Optional<String> fire(ProducerRecord<byte[], byte[]> record) {
    Header[] headers = record.headers().toArray();
    if (headers.length > 0 && headers[headers.length - 1].key().equals(HeaderNames.ID)) {
      return Optional.of(raw(headers[headers.length - 1].value(), record.timestamp()));
    }
    return HeaderNames.text(record.headers(), HeaderNames.FIRE_KEY);
  }

  private static String raw(byte[] id, long timestamp) {
    return Utils.utf8(id) + "@" + timestamp; // a fire key has a bar
  }

  /** Why the router must not write a fire; empty if it may. */
  Optional<String> of(String topic, Record<byte[], byte[]> fire, Instant now) {
    Refusal refusal = topics.get(topic);
    if (refusal != null && now.isBefore(refusal.until())) {
      return Optional.of(refusal.why());
    }
    if (fires.size() == 0) {
      return Optional.empty();
    }
    String raw = raw(TargetRecord.scheduleId(fire.key()), fire.timestamp());
    return Optional.ofNullable(fires.get(new FireAt(topic, Utils.utf8(fire.key()))))
        .or(() -> Optional.ofNullable(fires.get(new FireAt(topic, raw))));
  }

  /** True for a short time after a refusal. */
  public boolean isRecent() {
    return clock.instant().isBefore(latest.plus(AFTERMATH));
  }

  private static boolean isOfRecord(Exception cause) {
    return cause instanceof RecordTooLargeException
        || cause instanceof RecordBatchTooLargeException
        || cause instanceof InvalidTimestampException
        || cause instanceof InvalidRecordException;
  }

  private static boolean isOfTopic(Exception cause) {
    return cause instanceof TopicAuthorizationException
        || cause instanceof InvalidTopicException
        || cause instanceof PolicyViolationException;
  }

  private static String why(Exception cause) {
    return "the broker refuses it: " + cause.getMessage();
  }
}

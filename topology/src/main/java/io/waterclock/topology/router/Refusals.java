package io.waterclock.topology.router;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.SafeLogger;
import io.waterclock.topology.runtime.clients.WatchedClients;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;

/**
 * What targets have refused, so that it is not tried again and again: a refusal aborts the
 * transaction, and everything in it is read and routed anew.
 *
 * <p>There are three kinds. What is wrong with one record (too large, a timestamp that the topic
 * does not take) is remembered for that fire. What is wrong with the topic (no right to write to
 * it) is remembered for a minute; then it is tried again. A topic that does not take records in
 * time is tried again at once, as a partition may be electing a leader; only when that has gone on
 * for half a minute without one success, while the brokers answer, does it count as refused.
 *
 * <p>Thread-safe. To note a success costs two looks at empty maps while nothing is refused.
 */
public final class Refusals implements WatchedClients.Sendings {
  private static final Logger LOG = SafeLogger.of(Refusals.class);
  private static final int MOST_FIRES = 1_000;
  private static final Duration REFUSED_FOR = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What dies so soon after a refusal dies of it. */
  private static final Duration AFTERMATH = Duration.ofSeconds(10);

  private record Refusal(String why, Instant until) {}

  private record FireAt(String topic, String fireKey) {}

  private final InstantSource clock;
  private final BooleanSupplier outage;
  private final Consumer<String> doubt;
  private final Map<String, Refusal> topics = new ConcurrentHashMap<>();
  private final Map<String, Instant> silentSince = new ConcurrentHashMap<>();
  private final Map<FireAt, String> fires = Collections.synchronizedMap(new Bounded());
  private volatile Instant latest = Instant.MIN;

  /**
   * @param outage true while the brokers do not answer and for a while afterwards
   * @param doubt is told of each topic that does not take what it is given
   */
  public Refusals(InstantSource clock, BooleanSupplier outage, Consumer<String> doubt) {
    this.clock = clock;
    this.outage = outage;
    this.doubt = doubt;
  }

  /** A record for a target was written, in a transaction that may still be aborted. */
  @Override
  public void took(ProducerRecord<byte[], byte[]> record) {
    if (!topics.isEmpty()) {
      topics.remove(record.topic());
    }
    if (!silentSince.isEmpty()) {
      silentSince.remove(record.topic());
    }
  }

  /** A record for a target was not written. Records that go elsewhere are none of its business. */
  @Override
  public void refused(ProducerRecord<byte[], byte[]> record, Exception cause) {
    Header fireKey = record.headers().lastHeader(Headers.FIRE_KEY);
    if (fireKey == null) {
      return;
    }
    String topic = record.topic();
    Instant now = clock.instant();
    if (isOfRecord(cause)) {
      fires.put(new FireAt(topic, Routing.text(fireKey.value())), why(cause));
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

  /** Why a fire is not to be tried; empty when it is. */
  Optional<String> of(String topic, byte[] fireKey, Instant now) {
    Refusal refusal = topics.get(topic);
    if (refusal != null && now.isBefore(refusal.until())) {
      return Optional.of(refusal.why());
    }
    return fires.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(fires.get(new FireAt(topic, Routing.text(fireKey))));
  }

  /** True for a moment after something was refused. */
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

  /** Forgets the eldest: that fire is tried, and refused, once more. */
  private static final class Bounded extends LinkedHashMap<FireAt, String> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<FireAt, String> eldest) {
      return size() > MOST_FIRES;
    }
  }
}

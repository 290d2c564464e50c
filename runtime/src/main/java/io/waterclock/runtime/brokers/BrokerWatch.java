package io.waterclock.runtime.brokers;

import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Records whether the brokers answer, as {@link WatermarkClock} observes it. Logs once when they
 * stop answering, and once when they answer again. Thread-safe.
 */
public final class BrokerWatch {
  private static final Logger LOG = SafeLogger.of(BrokerWatch.class);

  private final LongSupplier nanos;
  private long answeredAtNanos;
  private long answeringSinceNanos;
  private Optional<String> silence = Optional.empty();
  private boolean hadOutage;

  /**
   * @param nanos monotonic time in nanoseconds
   */
  public BrokerWatch(LongSupplier nanos) {
    this.nanos = nanos;
    this.answeredAtNanos = nanos.getAsLong();
    this.answeringSinceNanos = answeredAtNanos;
  }

  synchronized void answered() {
    long now = nanos.getAsLong();
    if (silence.isPresent()) {
      LOG.info("The brokers answer again after {}", secondsSince(answeredAtNanos, now));
      silence = Optional.empty();
      answeringSinceNanos = now;
    }
    answeredAtNanos = now;
  }

  synchronized void silent(String reason) {
    if (silence.isEmpty()) {
      LOG.warn(
          "No broker has answered for {} ({}). Nothing fires until one does; what becomes due"
              + " meanwhile is caught up with then",
          secondsSince(answeredAtNanos, nanos.getAsLong()),
          reason);
      hadOutage = true;
    }
    silence = Optional.of(reason);
  }

  /** The problem in words; empty while the brokers answer. */
  public synchronized Optional<String> problem() {
    return silence.map(
        reason ->
            "no broker has answered for %s (%s)"
                .formatted(secondsSince(answeredAtNanos, nanos.getAsLong()), reason));
  }

  /** How long the brokers have been answering without a break; zero during an outage. */
  public synchronized Duration answering() {
    return silence.isPresent()
        ? Duration.ZERO
        : Duration.ofNanos(nanos.getAsLong() - answeringSinceNanos);
  }

  /** True during an outage, and for {@code aftermath} after its end. */
  public synchronized boolean isOutage(Duration aftermath) {
    return hadOutage && answering().compareTo(aftermath) < 0;
  }

  private static String secondsSince(long sinceNanos, long nowNanos) {
    return Duration.ofNanos(nowNanos - sinceNanos).toSeconds() + " s";
  }
}

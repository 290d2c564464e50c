package io.waterclock.topology.runtime.brokers;

import io.waterclock.schemas.SafeLogger;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Whether the brokers answer, as told by what asks them all the time. Says so once in the log when
 * they stop to, and once when they do again. Thread-safe.
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

  /** A broker has done what it was asked for. */
  synchronized void answered() {
    long now = nanos.getAsLong();
    if (silence.isPresent()) {
      LOG.info("The brokers answer again after {}", secondsSince(answeredAtNanos, now));
      silence = Optional.empty();
      answeringSinceNanos = now;
    }
    answeredAtNanos = now;
  }

  /** A broker was asked and has not answered. */
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

  /** What is wrong, for people; empty while the brokers answer. */
  public synchronized Optional<String> problem() {
    return silence.map(
        reason ->
            "no broker has answered for "
                + secondsSince(answeredAtNanos, nanos.getAsLong())
                + " ("
                + reason
                + ")");
  }

  /** For how long they have been answering without a break; zero while they do not. */
  public synchronized Duration answering() {
    return silence.isPresent()
        ? Duration.ZERO
        : Duration.ofNanos(nanos.getAsLong() - answeringSinceNanos);
  }

  /** True while they do not answer, and for {@code aftermath} from when they do again. */
  public synchronized boolean isOutage(Duration aftermath) {
    return hadOutage && answering().compareTo(aftermath) < 0;
  }

  private static String secondsSince(long sinceNanos, long nowNanos) {
    return Duration.ofNanos(nowNanos - sinceNanos).toSeconds() + " s";
  }
}

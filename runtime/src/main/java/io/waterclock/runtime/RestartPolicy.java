package io.waterclock.runtime;

import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;

/**
 * Replaces a stream thread that an exception has ended, since the cause may be temporary (a topic
 * that comes back). Five deaths within five minutes end the application, so that its supervisor
 * notices. Deaths with an excuse, such as an outage of the brokers, do not count, since a new
 * instance would not help. Deaths caused by a record that will be set aside do not count either.
 */
final class RestartPolicy implements StreamsUncaughtExceptionHandler {
  private static final Logger LOG = SafeLogger.of(RestartPolicy.class);
  private static final int TOO_MANY = 5;

  /** Deaths of several threads within this time have one cause. */
  private static final Duration ONE_INCIDENT = Duration.ofSeconds(1);

  private static final Duration WITHIN = Duration.ofMinutes(5);

  private final LongSupplier nanos;
  private final Supplier<Optional<String>> excuse;
  private final Predicate<Throwable> ofRecord;
  private final ArrayDeque<Long> deaths = new ArrayDeque<>();

  /**
   * @param nanos monotonic time in nanoseconds
   * @param excuse a current reason for deaths that do not count, such as "the outage"
   * @param ofRecord whether a record that will be set aside caused the death
   */
  RestartPolicy(
      LongSupplier nanos, Supplier<Optional<String>> excuse, Predicate<Throwable> ofRecord) {
    this.nanos = nanos;
    this.excuse = excuse;
    this.ofRecord = ofRecord;
  }

  @Override
  public synchronized StreamThreadExceptionResponse handle(Throwable exception) {
    if (ofRecord.test(exception) && isLimitedToThread(exception)) {
      LOG.warn("A record ended a stream thread, which is replaced", exception);
      return StreamThreadExceptionResponse.REPLACE_THREAD;
    }
    Optional<String> excused = excuse.get();
    if (excused.isPresent() && !(exception instanceof Error)) {
      LOG.warn(
          "A stream thread did not survive {} and is replaced: {}",
          excused.get(),
          root(exception).toString());
      return StreamThreadExceptionResponse.REPLACE_THREAD;
    }
    long now = nanos.getAsLong();
    if (deaths.isEmpty() || now - deaths.getLast() > ONE_INCIDENT.toNanos()) {
      deaths.addLast(now);
    }
    while (now - deaths.getFirst() > WITHIN.toNanos()) {
      deaths.removeFirst();
    }
    if (deaths.size() >= TOO_MANY || exception instanceof Error) {
      LOG.error("A stream thread died again: the application ends", exception);
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    LOG.error("A stream thread died and is replaced", exception);
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  /**
   * True if the failure affected only this thread: an error of the JVM may affect others, but a
   * stack overflow does not.
   */
  private static boolean isLimitedToThread(Throwable exception) {
    return !(exception instanceof Error) || exception instanceof StackOverflowError;
  }

  private static Throwable root(Throwable exception) {
    Throwable root = exception;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}

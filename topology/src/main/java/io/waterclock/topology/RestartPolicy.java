package io.waterclock.topology;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a stream thread that died of an exception: it is replaced, since the next one may
 * do better (a topic that comes back), unless threads keep dying: five within five minutes end the
 * application, so that its supervisor sees it. Deaths that have an excuse, such as an outage of the
 * brokers and what follows one, do not count: a new instance would do no better.
 */
final class RestartPolicy implements StreamsUncaughtExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(RestartPolicy.class);
  private static final int TOO_MANY = 5;

  /** What kills several threads kills them at about the same time. */
  private static final Duration ONE_INCIDENT = Duration.ofSeconds(1);

  private static final Duration WITHIN = Duration.ofMinutes(5);

  private final LongSupplier nanos;
  private final Supplier<Optional<String>> excuse;
  private final ArrayDeque<Long> deaths = new ArrayDeque<>();

  /**
   * @param nanos monotonic time in nanoseconds
   * @param excuse what threads may die of just now, such as "the outage"
   */
  RestartPolicy(LongSupplier nanos, Supplier<Optional<String>> excuse) {
    this.nanos = nanos;
    this.excuse = excuse;
  }

  @Override
  public synchronized StreamThreadExceptionResponse handle(Throwable exception) {
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
      LOG.error("A stream thread died again: its application ends", exception);
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    LOG.error("A stream thread died and is replaced", exception);
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  private static Throwable root(Throwable exception) {
    Throwable root = exception;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}

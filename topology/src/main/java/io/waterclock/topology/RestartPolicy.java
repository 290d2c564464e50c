package io.waterclock.topology;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a stream thread that died of an exception: it is replaced, since the next one may
 * do better (a broker that was away, a topic that comes back), unless threads keep dying: five
 * within five minutes end the instance, so that its supervisor sees it.
 */
final class RestartPolicy implements StreamsUncaughtExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(RestartPolicy.class);
  private static final int TOO_MANY = 5;

  /** What kills several threads kills them at about the same time. */
  private static final Duration ONE_INCIDENT = Duration.ofSeconds(1);

  private static final Duration WITHIN = Duration.ofMinutes(5);

  private final LongSupplier nanos;
  private final ArrayDeque<Long> deaths = new ArrayDeque<>();

  RestartPolicy(LongSupplier nanos) {
    this.nanos = nanos;
  }

  @Override
  public synchronized StreamThreadExceptionResponse handle(Throwable exception) {
    long now = nanos.getAsLong();
    if (deaths.isEmpty() || now - deaths.getLast() > ONE_INCIDENT.toNanos()) {
      deaths.addLast(now);
    }
    while (now - deaths.getFirst() > WITHIN.toNanos()) {
      deaths.removeFirst();
    }
    if (deaths.size() >= TOO_MANY || exception instanceof Error) {
      LOG.error("A stream thread died again: the instance ends", exception);
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    LOG.error("A stream thread died and is replaced", exception);
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }
}

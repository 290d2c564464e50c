package io.waterclock.topology;

import io.waterclock.schemas.SafeLogger;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;

/**
 * What becomes of a stream thread that died of an exception: it is replaced, since the next one may
 * do better (a topic that comes back), unless threads keep dying: five within five minutes end the
 * application, so that its supervisor sees it. Deaths that have an excuse, such as an outage of the
 * brokers and what follows one, do not count: a new instance would do no better. Nor do those of a
 * record that is set aside after a few.
 */
final class RestartPolicy implements StreamsUncaughtExceptionHandler {
  private static final Logger LOG = SafeLogger.of(RestartPolicy.class);
  private static final int TOO_MANY = 5;

  /** What kills several threads kills them at about the same time. */
  private static final Duration ONE_INCIDENT = Duration.ofSeconds(1);

  private static final Duration WITHIN = Duration.ofMinutes(5);

  private final LongSupplier nanos;
  private final Supplier<Optional<String>> excuse;
  private final Predicate<Throwable> ofRecord;
  private final ArrayDeque<Long> deaths = new ArrayDeque<>();

  /**
   * @param nanos monotonic time in nanoseconds
   * @param excuse what threads may die of just now, such as "the outage"
   * @param ofRecord whether it was the fault of a record that is set aside before long
   */
  RestartPolicy(
      LongSupplier nanos, Supplier<Optional<String>> excuse, Predicate<Throwable> ofRecord) {
    this.nanos = nanos;
    this.excuse = excuse;
    this.ofRecord = ofRecord;
  }

  @Override
  public synchronized StreamThreadExceptionResponse handle(Throwable exception) {
    if (ofRecord.test(exception) && isOverWithTheThread(exception)) {
      LOG.warn("A stream thread died of a record and is replaced", exception);
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
      LOG.error("A stream thread died again: its application ends", exception);
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    LOG.error("A stream thread died and is replaced", exception);
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  /** A stack that was too small is empty again; an error of the JVM may have hit others, too. */
  private static boolean isOverWithTheThread(Throwable exception) {
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

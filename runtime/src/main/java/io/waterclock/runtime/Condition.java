package io.waterclock.runtime;

import io.waterclock.runtime.brokers.BrokerWatch;
import io.waterclock.runtime.brokers.TransactionWatch;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.guard.ClockWatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.slf4j.Logger;

/**
 * Whether an instance joins, runs or has ended, and what keeps it from deciding, in sentences.
 * Thread-safe.
 */
final class Condition {
  private static final Logger LOG = SafeLogger.of(Condition.class);
  private static final Duration LONGEST_JOINING = Duration.ofMinutes(15);

  /** What is asked for problems, once all of it is built. */
  private record Watched(
      KafkaStreams streams, TransactionWatch transactions, List<SideApplication> beside) {}

  private final BrokerWatch brokers;
  private final ClockWatch clock;
  private final Schemas schemas;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile Optional<Watched> watched = Optional.empty();
  private volatile long notRunningSinceNanos = System.nanoTime();
  private volatile long schemasAwayNanos = System.nanoTime();
  private volatile Optional<Long> runningSinceNanos = Optional.empty();
  private volatile Optional<Throwable> failure = Optional.empty();

  Condition(BrokerWatch brokers, ClockWatch clock, Schemas schemas) {
    this.brokers = brokers;
    this.clock = clock;
    this.schemas = schemas;
  }

  /**
   * Watches the instance from now on.
   *
   * @param running is called each time that the instance runs
   */
  void watch(
      KafkaStreams streams,
      TransactionWatch transactions,
      List<SideApplication> beside,
      Runnable running) {
    watched = Optional.of(new Watched(streams, transactions, beside));
    streams.setStateListener(
        (now, before) -> {
          LOG.info("{} -> {}", before, now);
          if (before == State.RUNNING) {
            notRunningSinceNanos = System.nanoTime();
            runningSinceNanos = Optional.empty();
          }
          if (now == State.RUNNING) {
            runningSinceNanos = Optional.of(System.nanoTime());
            running.run();
          }
          if (now == State.NOT_RUNNING || now == State.ERROR) {
            ended.countDown();
          }
        });
  }

  /** Notes why the instance will end, or a thread of it died. */
  void failed(Throwable cause) {
    failure = Optional.of(cause);
  }

  /** Why the instance has failed; empty while it runs, and when it was closed. */
  Optional<Throwable> failure() {
    State state = state();
    return state == State.ERROR || state == State.CREATED ? failure : Optional.empty();
  }

  /** The instance has ended, or cannot start. */
  void end() {
    ended.countDown();
  }

  /** Waits for the end. Returns why the instance failed; empty when it was closed. */
  Optional<Throwable> await() throws InterruptedException {
    ended.await();
    return failure();
  }

  State state() {
    return watched.map(it -> it.streams().state()).orElse(State.CREATED);
  }

  /** What keeps the instance from deciding; empty when nothing does. */
  Optional<String> joining() {
    State state = state();
    return brokers
        .problem()
        .or(() -> watched.flatMap(it -> it.transactions().problem()))
        .or(schemas::problem)
        .or(
            () ->
                state == State.RUNNING
                    ? rejoining().or(clock::problem)
                    : Optional.of("the instance is " + state))
        .or(
            () ->
                watched.stream()
                    .flatMap(it -> it.beside().stream())
                    .flatMap(application -> application.problem().stream())
                    .findFirst());
  }

  /** A stream thread that replaces a dead one owns nothing before it has joined the group. */
  private Optional<String> rejoining() {
    return watched.stream()
        .flatMap(it -> it.streams().metadataForLocalThreads().stream())
        .filter(thread -> !thread.threadState().equals("RUNNING"))
        .findFirst()
        .map(
            thread ->
                "no assignment yet: a stream thread is %s%s"
                    .formatted(
                        thread.threadState(),
                        failure.map(cause -> " after " + cause.getMessage()).orElse("")));
  }

  /** How long ago the latest assignment was complete; zero before the first. */
  Duration assigned() {
    return runningSinceNanos
        .map(since -> Duration.ofNanos(System.nanoTime() - since))
        .orElse(Duration.ZERO);
  }

  /** Why the instance has stopped; empty while it runs. */
  Optional<String> stopped() {
    State state = state();
    return switch (state) {
      case ERROR, PENDING_ERROR, NOT_RUNNING, PENDING_SHUTDOWN ->
          Optional.of(
              "the instance is %s%s"
                  .formatted(state, failure.map(cause -> ": " + cause.getMessage()).orElse("")));
      case CREATED, REBALANCING -> stuck(state);
      case RUNNING -> Optional.empty();
    };
  }

  /**
   * An instance that has joined or restored for so long needs a restart. The time in which brokers
   * or the schema registry were away does not count: a restart would not end it.
   */
  private Optional<String> stuck(State state) {
    long now = System.nanoTime();
    if (schemas.problem().isPresent()) {
      schemasAwayNanos = now;
    }
    long nanos = Math.min(now - notRunningSinceNanos, now - schemasAwayNanos);
    long minutes = Math.min(Duration.ofNanos(nanos).toMinutes(), brokers.answering().toMinutes());
    return minutes < LONGEST_JOINING.toMinutes()
        ? Optional.empty()
        : Optional.of("the instance has been " + state + " for " + minutes + " minutes");
  }
}

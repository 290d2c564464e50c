package io.waterclock.runtime;

import io.waterclock.runtime.brokers.BrokerWatch;
import io.waterclock.runtime.brokers.MissingRightsException;
import io.waterclock.runtime.brokers.RightsCheck;
import io.waterclock.runtime.brokers.TargetWatch;
import io.waterclock.runtime.clients.WatchedClients;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.runtime.metrics.Metrics;
import io.waterclock.runtime.metrics.RouterMetrics;
import io.waterclock.runtime.router.Refusals;
import io.waterclock.runtime.router.RouterTopology;
import io.waterclock.runtime.router.Routing;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;

/**
 * The router beside a scheduler: a separate Kafka Streams application, so its end does not end the
 * scheduler. When its threads keep dying, it restarts after a minute. Thread-safe.
 */
final class RouterApplication {
  private static final Logger LOG = SafeLogger.of(RouterApplication.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final Duration AFTERMATH = Duration.ofMinutes(1);
  private static final Duration ABANDON_TIMEOUT = Duration.ofSeconds(3);

  private record Running(KafkaStreams streams, WatchedClients clients, Runnable unbind) {}

  /**
   * What the router shares with its scheduler.
   *
   * @param maxDeadLetterBytes inclusive: the largest record that the dead-letter topic accepts
   */
  record Parts(
      WaterclockConfig config,
      RightsCheck rights,
      TargetWatch targets,
      BrokerWatch brokers,
      Consumer<String> beforeTransactions,
      Metrics metrics,
      ScheduledExecutorService executor,
      Schemas schemas,
      int maxDeadLetterBytes) {}

  private final Parts parts;
  private final RouterMetrics metrics;
  private volatile Optional<Running> running = Optional.empty();
  private volatile Optional<ScheduledFuture<?>> restart = Optional.empty();
  private volatile Optional<String> missingRights = Optional.empty();
  private volatile boolean closed;

  RouterApplication(Parts parts) {
    this.parts = parts;
    this.metrics = parts.metrics().ofRouter();
  }

  synchronized void start() {
    if (closed) {
      return;
    }
    Refusals refusals =
        new Refusals(
            InstantSource.system(),
            () -> parts.brokers().isOutage(AFTERMATH),
            parts.targets()::doubt);
    WatchedClients clients =
        new WatchedClients(
            parts.beforeTransactions(), ends -> metrics.committed(), Optional.of(refusals));
    Topics topics = parts.config().topics();
    KafkaStreams streams =
        new KafkaStreams(
            RouterTopology.build(
                topics,
                new Routing(
                    parts.config().targetRules(),
                    parts.targets(),
                    refusals,
                    parts.schemas().patient(),
                    InstantSource.system()),
                metrics,
                parts.maxDeadLetterBytes()),
            new StreamsConfig(StreamsSettings.ofRouter(parts.config())),
            clients);
    RestartPolicy policy =
        new RestartPolicy(System::nanoTime, () -> excuse(refusals), any -> false);
    streams.setUncaughtExceptionHandler(
        e -> parts.rights().explain(e).map(this::pauseFor).orElseGet(() -> policy.handle(e)));
    missingRights = Optional.empty();
    streams.setStateListener(
        (now, before) -> {
          LOG.info("Router: {} -> {}", before, now);
          if (now == State.ERROR) {
            restartLater();
          }
        });
    running = Optional.of(new Running(streams, clients, parts.metrics().bind(streams)));
    streams.start();
  }

  private StreamThreadExceptionResponse pauseFor(MissingRightsException refusal) {
    LOG.error("The router stops, because it lacks a right: {}", refusal.getMessage());
    missingRights = Optional.ofNullable(refusal.getMessage());
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  private Optional<String> excuse(Refusals refusals) {
    if (parts.brokers().isOutage(AFTERMATH)) {
      return Optional.of("the outage");
    }
    if (parts.schemas().isAway()) {
      return Optional.of("the outage of the schema registry");
    }
    return refusals.isRecent() ? Optional.of("a refusal by a target") : Optional.empty();
  }

  /**
   * Restarts on another thread: a thread of the ended router calls this, and a restart waits for
   * that thread.
   */
  private void restartLater() {
    if (!closed) {
      LOG.error("The router has ended, and restarts in {} s", PAUSE.toSeconds());
      restart =
          Optional.of(
              parts.executor().schedule(this::restart, PAUSE.toSeconds(), TimeUnit.SECONDS));
    }
  }

  private synchronized void restart() {
    try {
      close(ABANDON_TIMEOUT);
      start();
    } catch (RuntimeException e) {
      LOG.error("The router cannot start", e);
      restartLater();
    }
  }

  /** Why fires do not reach their targets; empty while they do. */
  Optional<String> problem() {
    State state = running.map(now -> now.streams().state()).orElse(State.NOT_RUNNING);
    return state == State.RUNNING
        ? Optional.empty()
        : Optional.of("the router is " + state + missingRights.map(why -> ": " + why).orElse(""));
  }

  /**
   * Ends the router for ever; fires that it has not committed within {@code patience} are routed
   * again.
   */
  synchronized void end(Duration patience) {
    closed = true;
    restart.ifPresent(later -> later.cancel(false));
    close(patience);
  }

  private void close(Duration patience) {
    running.ifPresent(
        now -> {
          if (!now.streams().close(StreamsSettings.closing(parts.config(), patience))) {
            now.clients().abandon();
            now.streams().close(StreamsSettings.closing(parts.config(), ABANDON_TIMEOUT));
          }
          now.unbind().run();
        });
    running = Optional.empty();
  }
}

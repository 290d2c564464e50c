package io.waterclock.runtime;

import io.waterclock.runtime.brokers.BrokerWatch;
import io.waterclock.runtime.brokers.MissingRightsException;
import io.waterclock.runtime.brokers.Poller;
import io.waterclock.runtime.brokers.RightsCheck;
import io.waterclock.runtime.brokers.SchedulerWatermarks;
import io.waterclock.runtime.brokers.TargetWatch;
import io.waterclock.runtime.clients.InputGate;
import io.waterclock.runtime.clients.WatchedClients;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.runtime.metrics.LimiterMetrics;
import io.waterclock.runtime.metrics.Metrics;
import io.waterclock.runtime.metrics.Totals;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.intake.IntakeCounts;
import io.waterclock.topology.intake.IntakeTopology;
import io.waterclock.topology.limiter.LimitFeed;
import io.waterclock.topology.limiter.LimiterTopology;
import io.waterclock.topology.router.Refusals;
import io.waterclock.topology.router.RouteCounts;
import io.waterclock.topology.router.RouterTopology;
import io.waterclock.topology.router.Routing;
import io.waterclock.topology.scheduler.context.ClockGuard;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.context.Settings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.state.Stores;
import org.slf4j.Logger;

/**
 * The router, the intake or the limiter beside a scheduler: a separate Kafka Streams application,
 * so its end does not end the scheduler. When its threads keep dying, it restarts after a minute.
 * Thread-safe.
 */
final class SideApplication {
  private static final Logger LOG = SafeLogger.of(SideApplication.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final Duration AFTERMATH = Duration.ofMinutes(1);
  private static final Duration ABANDON_TIMEOUT = Duration.ofSeconds(3);

  private record Running(KafkaStreams streams, WatchedClients clients, Runnable unbind) {}

  /**
   * What the application shares with its scheduler.
   *
   * @param settings of the scheduler's processors
   */
  record Parts(
      WaterclockConfig config,
      Settings settings,
      RightsCheck rights,
      BrokerWatch brokers,
      Consumer<String> beforeTransactions,
      Metrics metrics,
      ScheduledExecutorService executor,
      Schemas schemas) {}

  /**
   * What the application is.
   *
   * @param name for messages, without an article
   * @param topology for one life of the application
   * @param hasTicks false when its tasks work only when they get a record
   * @param watermarks of the scheduler that it follows, if it does
   * @param committed is called on a stream thread when it has committed a transaction
   * @param targets the topics to which it writes, if they may refuse records
   */
  private record Kind(
      String name,
      Properties settings,
      BiFunction<Refusals, WatchedClients, Topology> topology,
      boolean hasTicks,
      Optional<Poller> watermarks,
      Runnable committed,
      Optional<TargetWatch> targets) {}

  private final Parts parts;
  private final Kind kind;
  private volatile Optional<Running> running = Optional.empty();
  private volatile Optional<ScheduledFuture<?>> restart = Optional.empty();
  private volatile Optional<String> missingRights = Optional.empty();
  private volatile boolean closed;

  private SideApplication(Parts parts, Kind kind) {
    this.parts = parts;
    this.kind = kind;
  }

  /** Takes fires to their targets. */
  static SideApplication router(Parts parts, TargetWatch targets) {
    Totals<RouteCounts> metrics = parts.metrics().ofRouter();
    return new SideApplication(
        parts,
        new Kind(
            "router",
            StreamsSettings.ofRouter(parts.config()),
            (refusals, clients) ->
                RouterTopology.build(
                    parts.config().topics(),
                    new Routing(
                        parts.config().targetRules(),
                        targets,
                        refusals,
                        parts.schemas().patient(),
                        InstantSource.system()),
                    metrics,
                    parts.settings().limits().maxDeadLetterBytes()),
            false,
            Optional.empty(),
            metrics::committed,
            Optional.of(targets)));
  }

  /** Turns records to be delivered later into schedules. */
  static SideApplication intake(Parts parts, TargetWatch targets) {
    Totals<IntakeCounts> metrics = parts.metrics().ofIntake();
    return new SideApplication(
        parts,
        new Kind(
            "intake",
            StreamsSettings.ofIntake(parts.config()),
            (refusals, clients) ->
                IntakeTopology.build(parts.settings(), targets, metrics, InstantSource.system()),
            false,
            Optional.empty(),
            metrics::committed,
            Optional.empty()));
  }

  /** Lets fires wait until their limits have room. */
  static SideApplication limiter(Parts parts, ClockGuard clock) {
    LimiterMetrics metrics = parts.metrics().ofLimiter();
    SchedulerWatermarks watermarks =
        new SchedulerWatermarks(
            StreamsSettings.client(parts.config(), "watermarks"),
            parts.config().topics(),
            parts.settings().channels().partitions());
    return new SideApplication(
        parts,
        new Kind(
            "limiter",
            StreamsSettings.ofLimiter(parts.config()),
            (refusals, clients) ->
                LimiterTopology.build(
                    parts.settings(),
                    Stores.persistentKeyValueStore(LimiterTopology.STORE),
                    new LimitFeed(),
                    metrics,
                    InstantSource.system(),
                    new LimiterTopology.Guards(
                        clock,
                        InputGate.ofLimiter(
                            clients,
                            parts.config().topics(),
                            parts.settings().channels().partitions(),
                            parts.config().applicationId(),
                            new InputGate.Signs(
                                watermarks,
                                watermarks.deciding(parts.config().pace().watermarkInterval()),
                                mayLag(parts.config()))),
                        System::nanoTime)),
            true,
            Optional.of(new Poller("waterclock-limiter-watermarks", watermarks::poll)),
            metrics::committed,
            Optional.empty()));
  }

  /** How long the limiter goes on while a task of the scheduler does not commit or decide. */
  private static Duration mayLag(WaterclockConfig config) {
    Duration commits =
        Duration.ofMillis(StreamsSettings.commitIntervalMs(config)).multipliedBy(2).plusSeconds(1);
    return commits.compareTo(Gate.STALL) < 0 ? Gate.STALL : commits;
  }

  synchronized void start() {
    if (closed) {
      return;
    }
    if (restart.isEmpty()) {
      kind.watermarks().ifPresent(poller -> poller.start(LOOK, LOOK));
    }
    Refusals refusals =
        new Refusals(
            InstantSource.system(),
            () -> parts.brokers().isOutage(AFTERMATH),
            topic -> kind.targets().ifPresent(targets -> targets.doubt(topic)));
    WatchedClients ticking =
        new WatchedClients(
            parts.beforeTransactions(),
            ends -> kind.committed().run(),
            kind.targets().map(any -> refusals));
    WatchedClients clients = kind.hasTicks() ? ticking : ticking.withoutTicks();
    KafkaStreams streams =
        new KafkaStreams(
            kind.topology().apply(refusals, clients), new StreamsConfig(kind.settings()), clients);
    RestartPolicy policy =
        new RestartPolicy(System::nanoTime, () -> excuse(refusals), any -> false);
    streams.setUncaughtExceptionHandler(
        e -> parts.rights().explain(e).map(this::pauseFor).orElseGet(() -> policy.handle(e)));
    missingRights = Optional.empty();
    streams.setStateListener(
        (now, before) -> {
          LOG.info("The {}: {} -> {}", kind.name(), before, now);
          if (now == State.ERROR) {
            restartLater();
          }
        });
    running = Optional.of(new Running(streams, clients, parts.metrics().bind(streams)));
    // what another instance has started, or withdrawn, this disk may still have as waiting after
    // the changelog has forgotten that it is gone; only the limiter has state
    streams.cleanUp();
    streams.start();
  }

  private StreamThreadExceptionResponse pauseFor(MissingRightsException refusal) {
    LOG.error("The {} stops, because it lacks a right: {}", kind.name(), refusal.getMessage());
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
   * Restarts on another thread: a thread of the ended application calls this, and a restart waits
   * for that thread.
   */
  private void restartLater() {
    if (!closed) {
      LOG.error("The {} has ended, and restarts in {} s", kind.name(), PAUSE.toSeconds());
      restart =
          Optional.of(
              parts.executor().schedule(this::restart, PAUSE.toSeconds(), TimeUnit.SECONDS));
    }
  }

  private synchronized void restart() {
    try {
      close(ABANDON_TIMEOUT);
      start();
    } catch (RuntimeException | Error e) { // an executor would keep an Error to itself
      LOG.error("The {} cannot start", kind.name(), e);
      restartLater();
    }
  }

  /** Why the application does not do its work; empty while it does. */
  Optional<String> problem() {
    State state = running.map(now -> now.streams().state()).orElse(State.NOT_RUNNING);
    return state == State.RUNNING
        ? Optional.empty()
        : Optional.of(
            "the %s is %s%s"
                .formatted(kind.name(), state, missingRights.map(why -> ": " + why).orElse("")));
  }

  /**
   * Ends the application for ever; records whose results it has not committed within {@code
   * patience} are read again.
   */
  synchronized void end(Duration patience) {
    closed = true;
    restart.ifPresent(later -> later.cancel(false));
    kind.watermarks().ifPresent(Poller::close);
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

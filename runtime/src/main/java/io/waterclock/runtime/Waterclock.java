package io.waterclock.runtime;

import io.waterclock.occurrences.Tzdb;
import io.waterclock.runtime.brokers.MissingRightsException;
import io.waterclock.runtime.brokers.Poller;
import io.waterclock.runtime.brokers.RightsCheck;
import io.waterclock.runtime.brokers.StartFinding;
import io.waterclock.runtime.brokers.StateCheck;
import io.waterclock.runtime.brokers.TargetWatch;
import io.waterclock.runtime.brokers.TopicException;
import io.waterclock.runtime.brokers.TopicSetup;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.runtime.http.HealthBoard;
import io.waterclock.runtime.http.OpsServer;
import io.waterclock.runtime.metrics.Metrics;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.log.SafeLogger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;

/**
 * A scheduler in this JVM: one instance of the application. Start any number of instances, in any
 * number of processes; they share the partitions.
 *
 * <pre>{@code
 * try (Waterclock scheduler = Waterclock.start(WaterclockConfig.parse(settings))) {
 *   scheduler.await();
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Waterclock implements AutoCloseable {
  private static final Logger LOG = SafeLogger.of(Waterclock.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(25);
  private static final Duration CLOSE_TIMEOUT_IN_OUTAGE = Duration.ofSeconds(5);
  private static final Duration ABANDON_TIMEOUT = Duration.ofSeconds(3);

  /** A death within this time after an outage counts as caused by it. */
  private static final Duration AFTERMATH = Duration.ofMinutes(1);

  private final WaterclockConfig config;
  private final Optional<OpsServer> server;
  private final Assembly parts;
  private final Poller clockPoller;
  private final List<Poller> otherPollers = new ArrayList<>();

  private Waterclock(WaterclockConfig config, Assembly parts, Optional<OpsServer> server) {
    this.config = config;
    this.server = server;
    this.parts = parts;
    this.clockPoller = new Poller("waterclock-clock", parts.clock::compare);
    RestartPolicy policy =
        new RestartPolicy(
            System::nanoTime,
            () -> parts.brokers.isOutage(AFTERMATH) ? Optional.of("the outage") : Optional.empty(),
            parts.deaths::isNoted);
    parts.streams.setUncaughtExceptionHandler(e -> afterDeath(e, policy));
  }

  /**
   * Creates or verifies the topics and starts an instance. Returns while the instance joins the
   * group; {@link #isReady} is true when it decides.
   *
   * @throws MissingRightsException if the scheduler lacks rights at the brokers
   * @throws TopicException if the cluster does not answer, a topic is wrong, or the state of the
   *     schedules does not belong to the topics
   * @throws UncheckedIOException if the state on disk cannot be used, or another instance uses it,
   *     or if the port for health and metrics is taken
   */
  public static Waterclock start(WaterclockConfig config) {
    return start(config, InstantSource.system());
  }

  /**
   * As {@link #start(WaterclockConfig)}, for tests that set the clock of an instance: the scheduler
   * decides by it, and distrusts it as it would the system's. Everything else, such as lateness in
   * metrics and the router, follows the system's clock.
   *
   * @param wall safe for all threads
   */
  public static Waterclock start(WaterclockConfig config, InstantSource wall) {
    Map<String, Object> client = StreamsSettings.client(config);
    RightsCheck rights = Assembly.rights(config);
    rights.run();
    Map<String, String> changelogs = StateCheck.run(client, config, Schemas.atOnce(config));
    TopicSetup.Found topics = TopicSetup.run(client, config);
    rights.run(); // rights on topics can be checked once the topics exist
    Waterclock waterclock = create(config, wall, topics);
    try {
      waterclock.begin(config, topics, changelogs);
      return waterclock;
    } catch (RuntimeException e) {
      waterclock.close(); // else it would hold the state directory until this JVM ends
      throw e;
    }
  }

  /**
   * Lists everything about the cluster that a start with this configuration would find: what stops
   * it, what is lost without a setting that it wants, and what it would create. Creates nothing. A
   * right on a topic that does not exist yet counts as granted where brokers do not show it.
   */
  public static List<StartFinding> preflight(WaterclockConfig config) {
    Map<String, Object> client = StreamsSettings.client(config);
    List<StartFinding> findings = new ArrayList<>();
    Set<String> rights = new LinkedHashSet<>();
    try {
      findings.addAll(TopicSetup.preflight(client, config));
    } catch (TopicException e) {
      return List.of(new StartFinding(StartFinding.Kind.BROKERS, String.valueOf(e.getMessage())));
    } catch (MissingRightsException e) {
      String.valueOf(e.getMessage()).lines().forEach(rights::add);
    }
    try {
      Assembly.rights(config).run();
      StateCheck.run(client, config, Schemas.atOnce(config));
    } catch (MissingRightsException e) {
      String.valueOf(e.getMessage()).lines().forEach(rights::add);
    } catch (TopicException e) {
      findings.add(new StartFinding(StartFinding.Kind.STATE, String.valueOf(e.getMessage())));
    }
    rights.forEach(right -> findings.add(new StartFinding(StartFinding.Kind.RIGHTS, right)));
    return findings;
  }

  private static Waterclock create(
      WaterclockConfig config, InstantSource wall, TopicSetup.Found topics) {
    Optional<OpsServer> server = config.health().map(Waterclock::bind);
    Deque<AutoCloseable> opened = new ArrayDeque<>();
    server.ifPresent(opened::push);
    try {
      return new Waterclock(config, new Assembly(config, wall, topics, server, opened), server);
    } catch (RuntimeException e) {
      for (AutoCloseable one : opened) {
        Utils.closeQuietly(one, "what a failed start has opened");
      }
      throw e;
    }
  }

  /** Says why the instance ends in our words, if a right or the state of the topics explains it. */
  private StreamThreadExceptionResponse afterDeath(Throwable death, RestartPolicy policy) {
    Optional<MissingRightsException> refusal = parts.rights.explain(death);
    if (refusal.isPresent()) { // a new thread would lack the right, too
      LOG.error("The instance ends, because it lacks a right: {}", refusal.get().getMessage());
      parts.condition.failed(refusal.get());
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    parts.condition.failed(death);
    StreamThreadExceptionResponse response = policy.handle(death);
    if (response == StreamThreadExceptionResponse.SHUTDOWN_CLIENT && !(death instanceof Error)) {
      Optional<TopicException> misfit =
          StateCheck.explain(StreamsSettings.client(config), config, Schemas.atOnce(config));
      misfit.ifPresent(
          why -> {
            LOG.error("The instance ends, because its topics are wrong: {}", why.getMessage());
            parts.condition.failed(why);
          });
    }
    return response;
  }

  private static OpsServer bind(WaterclockConfig.HealthAddress address) {
    try {
      return OpsServer.bind(address.host(), address.port());
    } catch (IOException e) {
      throw new UncheckedIOException(
          ("health and metrics cannot be served at %s:%d: %s; set health.port to a free"
                  + " one, or to off")
              .formatted(address.host(), address.port(), e.getMessage()),
          e);
    }
  }

  private void begin(
      WaterclockConfig config, TopicSetup.Found topics, Map<String, String> changelogIds) {
    LOG.info(
        "Waterclock {} with time-zone data {}: instance {} of {} on {}, partitions: {}",
        version(),
        Tzdb.version(),
        config.instance(),
        config.applicationId(),
        config.bootstrapServers(),
        topics.partitions());
    parts.clock.compare(); // the age of the state on disk depends on the broker's clock, too
    clockPoller.start(Duration.ZERO, Duration.ofSeconds(5));
    poll("transactions", parts.transactions::poll, Duration.ofSeconds(10));
    poll("deaths", parts.deaths::poll, Duration.ofSeconds(10));
    poll("folders", () -> parts.stores.sweep(Instant.now()), Duration.ofMinutes(1));
    parts.targets.ifPresent(watch -> poll("targets", watch::poll, Duration.ofSeconds(5)));
    if (parts.schemas.ready().isDone()) {
      startStreams(changelogIds);
      return;
    }
    var unused =
        parts
            .schemas
            .ready()
            .thenRun(
                () -> // without schemas, the watermarks could not be read before
                startStreams(
                        StateCheck.run(
                            StreamsSettings.client(config), config, Schemas.atOnce(config))))
            .exceptionally(
                e -> {
                  Throwable cause = e instanceof CompletionException ? e.getCause() : e;
                  LOG.error("The instance cannot start", cause);
                  parts.condition.failed(cause == null ? e : cause);
                  parts.condition.end();
                  return null;
                });
  }

  private void poll(String name, Runnable poll, Duration interval) {
    Poller poller = new Poller("waterclock-" + name, poll);
    poller.start(Duration.ZERO, interval);
    otherPollers.add(poller);
  }

  /**
   * Starts to decide.
   *
   * @param changelogIds of those that exist, by name
   */
  private void startStreams(Map<String, String> changelogIds) {
    parts.deaths.noteLastProcess();
    boolean haveChangelogs = parts.changelogs.set(changelogIds);
    if (!haveChangelogs) {
      parts.streams.cleanUp(); // the state on disk is not that of changelogs that will be created
    }
    parts.stores.prepare(haveChangelogs);
    try {
      parts.streams.start();
    } catch (ProcessorStateException e) {
      throw new UncheckedIOException(e.getMessage(), new IOException(e));
    }
    parts.beside.forEach(SideApplication::start);
  }

  /** The version of this software, {@code dev} when it does not run from a jar. */
  public static String version() {
    return Optional.ofNullable(Waterclock.class.getPackage().getImplementationVersion())
        .orElse("dev");
  }

  /** True when every task of this instance decides. */
  public boolean isReady() {
    return parts.health.ready().isOk();
  }

  public HealthBoard health() {
    return parts.health;
  }

  /** The metrics of this instance, for a service with its own endpoint. */
  public Metrics metrics() {
    return parts.metrics;
  }

  public Optional<Integer> healthPort() {
    return server.map(OpsServer::port);
  }

  /**
   * Waits until the instance has ended.
   *
   * @return why it failed, a {@link TopicException} if the state of the schedules does not belong
   *     to the topics any more; empty when it was closed
   */
  public Optional<Throwable> await() throws InterruptedException {
    return parts.condition.await();
  }

  /**
   * Finishes the current transaction, leaves the group unless it is a static member, and ends.
   * Waits at most 30 s, and about 10 s during an outage of the brokers; the next start decides
   * uncommitted work again.
   */
  @Override
  public void close() {
    LOG.info(
        "Instance {} stops: {}",
        config.instance(),
        parts.condition.failure().map(RootCause::of).orElse("its process asks for it"));
    parts.schemas.close();
    Optional<String> outage = parts.brokers.problem();
    Duration patience = outage.isPresent() ? CLOSE_TIMEOUT_IN_OUTAGE : CLOSE_TIMEOUT;
    CompletableFuture<Void> besideEnded =
        CompletableFuture.allOf(
            parts.beside.stream()
                .map(application -> CompletableFuture.runAsync(() -> application.end(patience)))
                .toArray(CompletableFuture<?>[]::new));
    if (!parts.streams.close(StreamsSettings.closing(config, patience))) {
      LOG.warn(
          "The instance has not ended after {} s{}: the next start decides uncommitted work"
              + " again",
          patience.toSeconds(),
          outage.map(problem -> ", and " + problem).orElse(""));
      parts.clients.abandon();
      parts.streams.close(StreamsSettings.closing(config, ABANDON_TIMEOUT));
    }
    besideEnded.join();
    parts.stores.started();
    clockPoller.close();
    otherPollers.forEach(Poller::close);
    parts.executor.shutdownNow();
    awaitClockPoller();
    parts.brokerClock.close();
    parts.targets.ifPresent(TargetWatch::close);
    server.ifPresent(OpsServer::close);
    parts.metrics.close();
    parts.condition.end();
  }

  private void awaitClockPoller() {
    try {
      if (!clockPoller.awaitEnd(Duration.ofSeconds(2))) {
        LOG.warn("The broker has not answered the last question for its time yet");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

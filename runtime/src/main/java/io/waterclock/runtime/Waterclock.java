package io.waterclock.runtime;

import io.waterclock.definition.TargetRules;
import io.waterclock.occurrences.Tzdb;
import io.waterclock.runtime.brokers.BrokerWatch;
import io.waterclock.runtime.brokers.ChangelogIds;
import io.waterclock.runtime.brokers.DeathNotes;
import io.waterclock.runtime.brokers.MissingRightsException;
import io.waterclock.runtime.brokers.PartitionRead;
import io.waterclock.runtime.brokers.Poller;
import io.waterclock.runtime.brokers.RightsCheck;
import io.waterclock.runtime.brokers.SchedulerRights;
import io.waterclock.runtime.brokers.StateCheck;
import io.waterclock.runtime.brokers.TargetWatch;
import io.waterclock.runtime.brokers.TopicException;
import io.waterclock.runtime.brokers.TopicSetup;
import io.waterclock.runtime.brokers.TransactionWatch;
import io.waterclock.runtime.brokers.WatermarkClock;
import io.waterclock.runtime.clients.InputGate;
import io.waterclock.runtime.clients.WatchedClients;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.runtime.http.HealthBoard;
import io.waterclock.runtime.http.OpsServer;
import io.waterclock.runtime.http.Queries;
import io.waterclock.runtime.http.TaskQueries;
import io.waterclock.runtime.metrics.Metrics;
import io.waterclock.runtime.state.LocalStores;
import io.waterclock.runtime.state.StandbyContact;
import io.waterclock.runtime.state.StoreFolders;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.context.ApplicationContext;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TargetTopics;
import io.waterclock.topology.scheduler.context.TaskReports;
import io.waterclock.topology.scheduler.guard.ClockWatch;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import io.waterclock.topology.scheduler.store.StateAge;
import io.waterclock.topology.scheduler.task.SchedulerTopology;
import io.waterclock.topology.scheduler.task.TopologyParts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.ThreadUtils;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KafkaStreams.State;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.state.HostInfo;
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

  private static final Duration LONGEST_JOINING = Duration.ofMinutes(15);

  /** A death within this time after an outage counts as caused by it. */
  private static final Duration AFTERMATH = Duration.ofMinutes(1);

  private final WaterclockConfig config;
  private final KafkaStreams streams;
  private final HealthBoard health;
  private final Metrics metrics;
  private final Optional<OpsServer> server;
  private final Optional<TargetWatch> targets;
  private final Optional<RouterApplication> router;
  private final BrokerWatch brokers = new BrokerWatch(System::nanoTime);
  private final Path stateDir;
  private final StoreFolders folders;
  private final ChangelogIds changelogs;
  private final LocalStores stores;
  private final WatchedClients clients;
  private final ClockWatch clock;
  private final WatermarkClock brokerClock;
  private final TransactionWatch transactions;
  private final Schemas schemas;
  private final DeathNotes deaths;
  private final Poller clockPoller;
  private final List<Poller> otherPollers = new ArrayList<>();
  private final ScheduledExecutorService executor =
      Executors.newScheduledThreadPool(
          3, ThreadUtils.createThreadFactory("waterclock-background", true));
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile long notRunningSinceNanos = System.nanoTime();
  private volatile Optional<Long> runningSinceNanos = Optional.empty();
  private volatile Optional<Throwable> failure = Optional.empty();

  private Waterclock(
      WaterclockConfig config,
      InstantSource wall,
      TopicSetup.Found topics,
      Optional<OpsServer> server) {
    this.config = config;
    this.server = server;
    this.brokerClock =
        new WatermarkClock(config.topics().watermarks(), StreamsSettings.client(config), brokers);
    this.clock = new ClockWatch(wall, System::nanoTime, brokerClock);
    this.clockPoller = new Poller("waterclock-clock", clock::compare);
    this.health =
        new HealthBoard(
            System::nanoTime, this::joining, this::stopped, brokers::answering, this::assigned);
    this.metrics =
        new Metrics(InstantSource.system(), () -> health.ready().isOk(), topics.partitions());
    this.transactions = new TransactionWatch(config, StreamsSettings.client(config), this::isStuck);
    Optional<String> address = server.map(bound -> Advertised.address(config, bound.port()));
    StreamsConfig settingsOfStreams = new StreamsConfig(StreamsSettings.of(config, address));
    this.stateDir = Path.of(settingsOfStreams.getString(StreamsConfig.STATE_DIR_CONFIG));
    this.folders =
        new StoreFolders(
            stateDir.resolve(config.applicationId()),
            Duration.ofMillis(
                settingsOfStreams.getLong(StreamsConfig.STATE_CLEANUP_DELAY_MS_CONFIG)));
    StateAge stateAge = new StateAge(config.stateMaxAge(), clock::latest);
    this.changelogs = new ChangelogIds(StreamsSettings.client(config), config);
    this.stores =
        new LocalStores(
            config.applicationId(), changelogs::of, folders, stateAge, config.stateCompactionAge());
    this.clients =
        new WatchedClients(
            transactions::settle, new StateTransactions(metrics, stores), Optional.empty());
    TaskQueries tasks = new TaskQueries();
    this.schemas = Schemas.of(config);
    Settings settings = settings(config, topics, address, schemas.wire());
    this.targets = targets(config);
    List<String> inputs =
        List.of(
            config.topics().schedules(),
            config.topics().commands(),
            config.topics().outcomes(),
            config.topics().strays());
    this.deaths =
        new DeathNotes(
            config.applicationId(),
            inputs,
            topics.partitions(),
            clients,
            stateDir.resolve(config.applicationId() + ".records"));
    ApplicationContext application =
        new ApplicationContext(
            wall,
            clock,
            InputGate.factory(
                clients,
                inputs.subList(0, 3),
                config.topics().strays(),
                topics.partitions(),
                config.applicationId()),
            new PartitionRead(
                config.topics().schedules(), StreamsSettings.client(config), executor),
            TaskReports.to(health, metrics, tasks),
            targets.<TargetTopics>map(watch -> watch).orElseGet(TargetTopics::unknown),
            deaths);
    this.streams =
        streams(
            SchedulerTopology.build(
                settings,
                application,
                new TopologyParts(
                    stores, StateAge.tombstonesKept(stateAge.longest()), UnaryOperator.identity())),
            settingsOfStreams);
    streams.setStandbyUpdateListener(new StandbyContact(stateAge));
    metrics.bind(streams);
    RightsCheck rights = rights(config);
    this.router =
        targets.map(
            watch ->
                new RouterApplication(
                    new RouterApplication.Parts(
                        config,
                        rights,
                        watch,
                        brokers,
                        transactions::settle,
                        metrics,
                        executor,
                        schemas,
                        settings.limits().maxDeadLetterBytes())));
    Queries queries =
        new Queries(
            new Queries.Instance(
                config.instance(), address.orElse(""), config.applicationId(), topics.partitions()),
            InstantSource.system(),
            tasks,
            this::ownerOf);
    server.ifPresent(
        bound -> bound.serve(health, metrics, queries, names(config, address.orElseThrow())));
    RestartPolicy policy =
        new RestartPolicy(
            System::nanoTime,
            () -> brokers.isOutage(AFTERMATH) ? Optional.of("the outage") : Optional.empty(),
            deaths::isNoted);
    streams.setUncaughtExceptionHandler(e -> afterDeath(e, rights, policy));
    streams.setStateListener(
        (now, before) -> {
          LOG.info("{} -> {}", before, now);
          if (before == State.RUNNING) {
            notRunningSinceNanos = System.nanoTime();
            runningSinceNanos = Optional.empty();
          }
          if (now == State.RUNNING) {
            runningSinceNanos = Optional.of(System.nanoTime());
            executor.execute(stores::started);
          }
          if (now == State.NOT_RUNNING || now == State.ERROR) {
            ended.countDown();
          }
        });
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
    RightsCheck rights = rights(config);
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

  private static Waterclock create(
      WaterclockConfig config, InstantSource wall, TopicSetup.Found topics) {
    Optional<OpsServer> server = config.health().map(Waterclock::bind);
    try {
      return new Waterclock(config, wall, topics, server);
    } catch (RuntimeException e) {
      server.ifPresent(OpsServer::close);
      throw e;
    }
  }

  private KafkaStreams streams(Topology topology, StreamsConfig settings) {
    try {
      return new KafkaStreams(topology, settings, clients);
    } catch (StreamsException e) {
      Throwable cause = e.getCause(); // none if the directory is locked
      throw new UncheckedIOException(
          cause == null
              ? ("another instance uses the state directory %s: give this one a state.dir of its"
                      + " own, or stop the other one")
                  .formatted(stateDir)
              : "the state directory %s cannot be used: %s".formatted(stateDir, cause.getMessage()),
          new IOException(e));
    }
  }

  private static RightsCheck rights(WaterclockConfig config) {
    return new RightsCheck(
        StreamsSettings.client(config),
        config,
        SchedulerRights.of(config, StreamsSettings.routerId(config)));
  }

  /** Says why the instance ends in our words, if a right or the state of the topics explains it. */
  private StreamThreadExceptionResponse afterDeath(
      Throwable death, RightsCheck rights, RestartPolicy policy) {
    Optional<MissingRightsException> refusal = rights.explain(death);
    if (refusal.isPresent()) { // a new thread would lack the right, too
      LOG.error("The instance ends, because it lacks a right: {}", refusal.get().getMessage());
      failure = Optional.of(refusal.get());
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    failure = Optional.of(death);
    StreamThreadExceptionResponse response = policy.handle(death);
    if (response == StreamThreadExceptionResponse.SHUTDOWN_CLIENT && !(death instanceof Error)) {
      Optional<TopicException> misfit =
          StateCheck.explain(StreamsSettings.client(config), config, Schemas.atOnce(config));
      misfit.ifPresent(
          why -> {
            LOG.error("The instance ends, because its topics are wrong: {}", why.getMessage());
            failure = Optional.of(why);
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

  /** The host names that requests may use. */
  private static List<String> names(WaterclockConfig config, String advertised) {
    WaterclockConfig.HealthAddress health = config.health().orElseThrow();
    List<String> names = new ArrayList<>(health.hosts());
    names.add(health.host());
    names.add(advertised);
    try {
      names.add(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException e) {
      LOG.debug("This machine's name is not known", e);
    }
    return names;
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
    clock.compare(); // the age of the state on disk depends on the broker's clock, too
    clockPoller.start(Duration.ZERO, Duration.ofSeconds(5));
    poll("transactions", transactions::poll, Duration.ofSeconds(10));
    poll("deaths", deaths::poll, Duration.ofSeconds(10));
    poll("folders", () -> folders.sweep(Instant.now()), Duration.ofMinutes(1));
    targets.ifPresent(watch -> poll("targets", watch::poll, Duration.ofSeconds(5)));
    if (schemas.ready().isDone()) {
      startStreams(changelogIds);
      return;
    }
    var unused =
        schemas
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
                  failure = Optional.ofNullable(cause);
                  ended.countDown();
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
    deaths.noteLastProcess();
    if (!changelogs.set(changelogIds)) {
      streams.cleanUp(); // the state on disk is not that of changelogs that will be created
      folders.deleteAll();
    }
    folders.mark();
    try {
      streams.start();
    } catch (ProcessorStateException e) {
      throw new UncheckedIOException(e.getMessage(), new IOException(e));
    }
    router.ifPresent(RouterApplication::start);
  }

  /** The version of this software, {@code dev} when it does not run from a jar. */
  public static String version() {
    return Optional.ofNullable(Waterclock.class.getPackage().getImplementationVersion())
        .orElse("dev");
  }

  /** True when every task of this instance decides. */
  public boolean isReady() {
    return health.ready().isOk();
  }

  public HealthBoard health() {
    return health;
  }

  /** The metrics of this instance, for a service with its own endpoint. */
  public Metrics metrics() {
    return metrics;
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
    ended.await();
    State state = streams.state();
    return state == State.ERROR || state == State.CREATED ? failure : Optional.empty();
  }

  /**
   * Finishes the current transaction, leaves the group unless it is a static member, and ends.
   * Waits at most 30 s, and about 10 s during an outage of the brokers; the next start decides
   * uncommitted work again.
   */
  @Override
  public void close() {
    schemas.close();
    Optional<String> outage = brokers.problem();
    Duration patience = outage.isPresent() ? CLOSE_TIMEOUT_IN_OUTAGE : CLOSE_TIMEOUT;
    CompletableFuture<Void> routed =
        CompletableFuture.runAsync(() -> router.ifPresent(r -> r.end(patience)));
    if (!streams.close(StreamsSettings.closing(config, patience))) {
      LOG.warn(
          "The instance has not ended after {} s{}: the next start decides uncommitted work"
              + " again",
          patience.toSeconds(),
          outage.map(problem -> ", and " + problem).orElse(""));
      clients.abandon();
      streams.close(StreamsSettings.closing(config, ABANDON_TIMEOUT));
    }
    routed.join();
    stores.started();
    clockPoller.close();
    otherPollers.forEach(Poller::close);
    executor.shutdownNow();
    awaitClockPoller();
    brokerClock.close();
    targets.ifPresent(TargetWatch::close);
    server.ifPresent(OpsServer::close);
    metrics.close();
    ended.countDown();
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

  private Optional<String> joining() {
    State state = streams.state();
    return brokers
        .problem()
        .or(transactions::problem)
        .or(schemas::problem)
        .or(
            () ->
                state == State.RUNNING
                    ? rejoining().or(clock::problem)
                    : Optional.of("the instance is " + state))
        .or(() -> router.flatMap(RouterApplication::problem));
  }

  /** A stream thread that replaces a dead one owns nothing before it has joined the group. */
  private Optional<String> rejoining() {
    return streams.metadataForLocalThreads().stream()
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
  private Duration assigned() {
    return runningSinceNanos
        .map(since -> Duration.ofNanos(System.nanoTime() - since))
        .orElse(Duration.ZERO);
  }

  /** The address of the instance to which Kafka Streams has assigned a schedule's partition. */
  private Optional<String> ownerOf(ScheduleId id) {
    try {
      HostInfo owner =
          streams
              .queryMetadataForKey(ScheduleStore.NAME, id.value(), new StringSerializer())
              .activeHost();
      return owner.equals(HostInfo.unavailable())
          ? Optional.empty()
          : Optional.of(owner.host() + ":" + owner.port());
    } catch (IllegalStateException | InvalidStateStoreException e) {
      return Optional.empty(); // the instance joins or ends
    }
  }

  /** True while the instance is not ready although the brokers answer. */
  private boolean isStuck() {
    return brokers.problem().isEmpty()
        && !streams.state().hasCompletedShutdown()
        && !health.ready().isOk();
  }

  private Optional<String> stopped() {
    State state = streams.state();
    return switch (state) {
      case ERROR, PENDING_ERROR, NOT_RUNNING, PENDING_SHUTDOWN ->
          Optional.of(
              "the instance is %s%s"
                  .formatted(state, failure.map(cause -> ": " + cause.getMessage()).orElse("")));
      case CREATED, REBALANCING -> schemas.problem().isPresent() ? Optional.empty() : stuck(state);
      case RUNNING -> Optional.empty();
    };
  }

  /** An instance that has joined or restored for so long needs a restart. */
  private Optional<String> stuck(State state) {
    long minutes = Duration.ofNanos(System.nanoTime() - notRunningSinceNanos).toMinutes();
    return minutes < LONGEST_JOINING.toMinutes()
        ? Optional.empty()
        : Optional.of("the instance has been " + state + " for " + minutes + " minutes");
  }

  private static Settings settings(
      WaterclockConfig config, TopicSetup.Found topics, Optional<String> address, Wire wire) {
    int maxRequestBytes = StreamsSettings.maxRequestBytes(config);
    return new Settings(
        config.topics(),
        topics.partitions(),
        wire,
        config.defaultTimezone(),
        config.instance(),
        new Settings.Limits(
            config.minInterval(),
            Math.min(topics.maxMessageBytes(), maxRequestBytes),
            Math.min(topics.maxStrayBytes(), maxRequestBytes),
            Math.min(topics.maxDeadLetterBytes(), maxRequestBytes),
            config.owners(),
            config.imports(),
            config.fireBytes()),
        config.pace(),
        config.completedRetention(),
        config.removedRetention(),
        topics.tombstonesKept(),
        Optional.of(topics.topicId()),
        address,
        config.targetRules());
  }

  /** Empty if no topic may be a target; then nothing polls the topics. */
  private static Optional<TargetWatch> targets(WaterclockConfig config) {
    TargetRules rules = config.targetRules();
    return rules.isOn()
        ? Optional.of(
            new TargetWatch(
                Admin.create(StreamsSettings.client(config, "targets")),
                InstantSource.system(),
                rules::mayBeTarget,
                StreamsSettings.maxRequestBytes(config)))
        : Optional.empty();
  }
}

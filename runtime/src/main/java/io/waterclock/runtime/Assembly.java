package io.waterclock.runtime;

import io.waterclock.definition.TargetRules;
import io.waterclock.runtime.brokers.BrokerWatch;
import io.waterclock.runtime.brokers.ChangelogIds;
import io.waterclock.runtime.brokers.DeathNotes;
import io.waterclock.runtime.brokers.PartitionRead;
import io.waterclock.runtime.brokers.RightsCheck;
import io.waterclock.runtime.brokers.SchedulerRights;
import io.waterclock.runtime.brokers.TargetWatch;
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
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.threads.DaemonThreads;
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
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.state.HostInfo;
import org.slf4j.Logger;

/**
 * The parts of an instance, put together: which part asks which. Nothing runs yet, except the
 * server that is given; {@link Waterclock} starts and ends them.
 */
final class Assembly {
  private static final Logger LOG = SafeLogger.of(Assembly.class);

  final BrokerWatch brokers = new BrokerWatch(System::nanoTime);
  final ScheduledExecutorService executor =
      Executors.newScheduledThreadPool(3, DaemonThreads.named("waterclock-background"));
  final Schemas schemas;
  final WatermarkClock brokerClock;
  final ClockWatch clock;
  final Condition condition;
  final HealthBoard health;
  final Metrics metrics;
  final TransactionWatch transactions;
  final ChangelogIds changelogs;
  final LocalStores stores;
  final WatchedClients clients;
  final Optional<TargetWatch> targets;
  final DeathNotes deaths;
  final KafkaStreams streams;
  final RightsCheck rights;
  final List<SideApplication> beside;

  /**
   * @param wall safe for all threads
   * @param server bound; it serves from here on
   * @param opened receives what must be closed if this fails
   * @throws UncheckedIOException if another instance uses the state directory, or it cannot be used
   */
  Assembly(
      WaterclockConfig config,
      InstantSource wall,
      TopicSetup.Found topics,
      Optional<OpsServer> server,
      Deque<AutoCloseable> opened) {
    opened.push(executor::shutdownNow);
    this.schemas = Schemas.of(config);
    opened.push(schemas);
    this.brokerClock =
        new WatermarkClock(config.topics().watermarks(), StreamsSettings.client(config), brokers);
    opened.push(brokerClock);
    this.clock = new ClockWatch(wall, System::nanoTime, brokerClock);
    this.condition = new Condition(brokers, clock, schemas);
    this.health =
        new HealthBoard(
            System::nanoTime,
            condition::joining,
            condition::stopped,
            brokers::answering,
            condition::assigned);
    this.metrics =
        new Metrics(InstantSource.system(), () -> health.ready().isOk(), topics.partitions());
    opened.push(metrics);
    this.transactions = new TransactionWatch(config, StreamsSettings.client(config), this::isStuck);
    Optional<String> address = server.map(bound -> Advertised.address(config, bound.port()));
    StreamsConfig settingsOfStreams = new StreamsConfig(StreamsSettings.of(config, address));
    Path stateDir = Path.of(settingsOfStreams.getString(StreamsConfig.STATE_DIR_CONFIG));
    this.changelogs = new ChangelogIds(StreamsSettings.client(config), config);
    this.stores =
        new LocalStores(
            new LocalStores.Disk(
                stateDir,
                config.applicationId(),
                Duration.ofMillis(
                    settingsOfStreams.getLong(StreamsConfig.STATE_CLEANUP_DELAY_MS_CONFIG)),
                config.stateCompactionAge()),
            changelogs::of,
            new StateAge(topics.stateMaxAge(), clock::latest));
    this.clients =
        new WatchedClients(
            transactions::settle, new StateTransactions(metrics, stores), Optional.empty());
    TaskQueries tasks = new TaskQueries();
    Settings settings = settings(config, topics, address, schemas.wire());
    this.targets = targets(config);
    targets.ifPresent(opened::push);
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
            new ApplicationContext.Brokers(
                InputGate.factory(
                    clients,
                    inputs.subList(0, 3),
                    config.topics().strays(),
                    topics.partitions(),
                    config.applicationId()),
                new PartitionRead(
                    config.topics().schedules(), StreamsSettings.client(config), executor),
                targets.<TargetTopics>map(watch -> watch).orElseGet(TargetTopics::unknown)),
            TaskReports.to(health, metrics, tasks),
            ApplicationContext.Incoming.of(wall, deaths));
    this.streams =
        streams(
            SchedulerTopology.build(
                settings,
                application,
                new TopologyParts(
                    stores, TopicSetup.changelogSettings(config), UnaryOperator.identity())),
            settingsOfStreams,
            stateDir);
    opened.push(() -> streams.close(Duration.ZERO));
    streams.setStandbyUpdateListener(stores.standbys());
    metrics.bind(streams);
    this.rights = rights(config);
    SideApplication.Parts shared =
        new SideApplication.Parts(
            config, settings, rights, brokers, transactions::settle, metrics, executor, schemas);
    List<SideApplication> all = new ArrayList<>();
    targets.ifPresent(
        watch -> {
          all.add(SideApplication.router(shared, watch));
          all.add(SideApplication.intake(shared, watch));
        });
    if (config.limits()) {
      all.add(SideApplication.limiter(shared, clock));
    }
    this.beside = List.copyOf(all);
    Queries queries =
        new Queries(
            new Queries.Instance(
                config.instance(), address.orElse(""), config.applicationId(), topics.partitions()),
            InstantSource.system(),
            tasks,
            this::ownerOf);
    server.ifPresent(
        bound -> bound.serve(health, metrics, queries, names(config, address.orElseThrow())));
    condition.watch(streams, transactions, beside, () -> executor.execute(stores::started));
  }

  private KafkaStreams streams(Topology topology, StreamsConfig settings, Path stateDir) {
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

  /** Checks the rights that a scheduler needs. */
  static RightsCheck rights(WaterclockConfig config) {
    return new RightsCheck(
        StreamsSettings.client(config),
        config,
        SchedulerRights.of(config, StreamsSettings.besideIds(config)));
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
        && !condition.state().hasCompletedShutdown()
        && !health.ready().isOk();
  }

  private static Settings settings(
      WaterclockConfig config, TopicSetup.Found topics, Optional<String> address, Wire wire) {
    int maxRequestBytes = StreamsSettings.maxRequestBytes(config);
    return new Settings(
        new Settings.Channels(
            config.topics(),
            topics.partitions(),
            config.targetRules(),
            config.limits(),
            wire,
            config.defaultTimezone()),
        new Settings.Limits(
            config.minInterval(),
            Math.min(topics.maxMessageBytes(), maxRequestBytes),
            Math.min(topics.maxStrayBytes(), maxRequestBytes),
            Math.min(topics.maxDeadLetterBytes(), maxRequestBytes),
            config.owners(),
            config.imports(),
            config.fireBytes()),
        config.pace(),
        new Settings.Retention(
            config.completedRetention(), config.removedRetention(), topics.tombstonesKept()),
        new Settings.Alerting(config.failingAfter()),
        new Settings.Identity(config.instance(), Optional.of(topics.topicId()), address));
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

package io.waterclock.runtime.config;

import io.waterclock.definition.AllowList;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.definition.TargetRules;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.brokers.WantedSetting;
import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.schemas.text.Instants;
import io.waterclock.topology.scheduler.context.Settings.Budget;
import io.waterclock.topology.scheduler.context.Settings.FireBytes;
import io.waterclock.topology.scheduler.context.Settings.Pace;
import io.waterclock.topology.scheduler.store.StateAge;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The configuration of an instance, as {@link #parse} creates it. Immutable and valid.
 *
 * @param applicationId the consumer group and the prefix of the internal topics
 * @param partitions of new topics; empty: as many as the schedules topic, or 12
 * @param replicationFactor of new topics; empty: the broker's default
 * @param accepted settings of topics that the cluster need not have
 * @param format in which the scheduler writes
 * @param registry for the Confluent wire format; empty: no registry
 * @param defaultTimezone for schedules that name none
 * @param health the address of the HTTP server; empty: no server
 * @param minInterval the shortest interval of an {@code every}
 * @param pace how often and how long the processors work
 * @param completedRetention how long a completed schedule is kept
 * @param removedRetention the least time for which a removed schedule is remembered
 * @param failingAfter after how many failed fires in a row a schedule is failing; 0: never
 * @param stateCompactionAge the age at which files of local state are compacted
 * @param stateMaxAge inclusive: the largest age of local state that an instance reuses
 * @param targets which topics schedules may name as their targets, the topic of retries among them
 *     if fires may return there; none when empty
 * @param limits whether schedules may share limits
 * @param fireBytes what fires may take
 * @param imports the schedules whose records may carry imported progress; none when empty
 * @param abortsTransactions true when the instance aborts its own hanging transactions
 * @param kafka settings that go unchanged to Kafka Streams and its clients
 */
public record WaterclockConfig(
    String bootstrapServers,
    String applicationId,
    Topics topics,
    Optional<Integer> partitions,
    Optional<Integer> replicationFactor,
    Set<WantedSetting> accepted,
    WireFormat format,
    Optional<RegistrySettings> registry,
    ZoneId defaultTimezone,
    String instance,
    Optional<HealthAddress> health,
    Duration minInterval,
    Pace pace,
    Duration completedRetention,
    Duration removedRetention,
    int failingAfter,
    Duration stateCompactionAge,
    Duration stateMaxAge,
    AllowList targets,
    boolean limits,
    OwnerLimits owners,
    FireBytes fireBytes,
    AllowList imports,
    boolean abortsTransactions,
    Map<String, Object> kafka) {

  /** The region: the equal offset would print as "Z". */
  private static final ZoneId UTC = ZoneId.of("UTC");

  private static final int DEFAULT_HEALTH_PORT = 8085;
  private static final int DEFAULT_FAILING_AFTER = 3;

  /** The number of partitions of new topics, by default. */
  public static final int DEFAULT_PARTITIONS = 12;

  /** The suffix of the default application id, after the prefix. */
  public static final String APPLICATION_ID_ENDING = "-scheduler";

  public boolean isStaticMember() {
    String key = ConsumerConfig.GROUP_INSTANCE_ID_CONFIG;
    return Stream.of(StreamsConfig.mainConsumerPrefix(key), StreamsConfig.consumerPrefix(key), key)
        .anyMatch(kafka::containsKey);
  }

  /**
   * The address of the HTTP server for health.
   *
   * @param port 0 for any free one
   * @param hosts other host names that requests may use
   */
  public record HealthAddress(String host, int port, List<String> hosts) {
    public HealthAddress {
      hosts = List.copyOf(hosts);
    }
  }

  public TargetRules targetRules() {
    return new TargetRules(targets, owners, topics, applicationId);
  }

  /**
   * Reads settings by their documented keys.
   *
   * @throws InvalidConfigException with every problem at once
   */
  public static WaterclockConfig parse(Map<String, String> settings) {
    return parse(settings, Map.of());
  }

  /**
   * The same with more settings of Kafka's clients, for a service that has them as objects: how an
   * SSL bundle becomes an engine, a callback handler with its own state.
   */
  public static WaterclockConfig parse(Map<String, String> settings, Map<String, ?> clients) {
    ConfigParser parser = new ConfigParser(settings);
    Topics topics = parser.parsed("prefix", Topics::new).orElseGet(Topics::ofDefault);
    WireFormat format = parser.parsed("format", ConfigParser::format).orElse(WireFormat.AVRO);
    Optional<RegistrySettings> registry = parser.registry(format);
    AllowList targets = parser.list("targets.allow", AllowList::topics).orElse(AllowList.none());
    OwnerLimits owners = parser.list("owner.limits", OwnerLimits::parse).orElse(OwnerLimits.none());
    WaterclockConfig config =
        new WaterclockConfig(
            parser.text("bootstrap.servers").orElse("127.0.0.1:9092"),
            parser.text("application.id").orElse(topics.prefix() + APPLICATION_ID_ENDING),
            topics,
            parser.number("partitions", 1, 100_000),
            parser.number("replication.factor", 1, 100),
            parser.list("topics.accept", WantedSetting::parse).map(Set::copyOf).orElse(Set.of()),
            format,
            registry,
            parser.parsed("default.timezone", Instants::zone).orElse(UTC),
            parser.text("instance").orElseGet(() -> ManagementFactory.getRuntimeMXBean().getName()),
            health(parser),
            parser.duration("min.interval", Duration.ofSeconds(1)),
            pace(parser),
            parser.duration("completed.retention", Duration.ofHours(1)),
            parser.duration("removed.retention", Duration.ofHours(1)),
            parser.number("failing.after", 0, 1_000).orElse(DEFAULT_FAILING_AFTER),
            parser.duration("state.compaction.age", Duration.ofHours(1)),
            parser.duration("state.max.age", StateAge.STANDARD),
            withRetries(targets, topics, parser.yesOrNo("retries", mayTarget(targets, owners))),
            parser.yesOrNo("limits", false),
            owners,
            fireBytes(parser),
            parser.list("import.allow", AllowList::ids).orElse(AllowList.none()),
            parser.yesOrNo("transactions.abort", true),
            withObjects(parser.kafka(), clients));
    config.checkTargets("targets.allow: ", config.targets, parser);
    for (OwnerLimits.Owner owner : config.owners.owners()) {
      String where = "owner.limits: \"" + owner.name() + "\": targets: ";
      owner.targets().ifPresent(list -> config.checkTargets(where, list, parser));
    }
    parser.end();
    return config;
  }

  private static Map<String, Object> withObjects(
      Map<String, Object> kafka, Map<String, ?> clients) {
    Map<String, Object> all = new HashMap<>(kafka);
    all.putAll(clients);
    return Map.copyOf(all);
  }

  private static boolean mayTarget(AllowList targets, OwnerLimits owners) {
    return !targets.isEmpty()
        || owners.owners().stream()
            .flatMap(owner -> owner.targets().stream())
            .anyMatch(list -> !list.isEmpty());
  }

  /** Retries are a target like others, which records may reach later. */
  private static AllowList withRetries(AllowList targets, Topics topics, boolean retries) {
    return retries
        ? new AllowList(
            Stream.concat(targets.entries().stream(), Stream.of(topics.retries()))
                .distinct()
                .toList())
        : targets;
  }

  private static Optional<HealthAddress> health(ConfigParser settings) {
    String host = settings.text("health.host").orElse("127.0.0.1");
    List<String> hosts = settings.hosts("health.hosts");
    return settings
        .parsed("health.port", ConfigParser::port)
        .orElse(Optional.of(DEFAULT_HEALTH_PORT))
        .map(port -> new HealthAddress(host, port, hosts));
  }

  private static FireBytes fireBytes(ConfigParser settings) {
    FireBytes standard = FireBytes.standard();
    return new FireBytes(
        settings.number("repeated.payload.bytes", 0, Integer.MAX_VALUE).orElse(standard.payload()),
        settings.number("small.fires.rate", 1, Integer.MAX_VALUE).orElse(standard.small()),
        settings.number("large.fires.rate", 1, Integer.MAX_VALUE).orElse(standard.large()));
  }

  private static Pace pace(ConfigParser settings) {
    Pace standard = Pace.standard();
    return new Pace(
        settings.duration("tick.interval", standard.tick()),
        new Budget(
            settings.duration("tick.budget", standard.tickBudget().time()),
            settings
                .number("tick.budget.decisions", 1, Integer.MAX_VALUE)
                .orElse(standard.tickBudget().decisions()),
            settings.duration("tick.budget.catchup", standard.tickBudget().catchUp())),
        settings.number("catch.up.chunk", 1, 1_000_000).orElse(standard.catchUpChunk()),
        settings.duration("watermark.interval", standard.watermarkInterval()),
        settings.duration("watchdog.interval", standard.watchdogInterval()),
        settings.number("backfill.rate", 1, 1_000_000).orElse(standard.backfillRate()),
        standard.horizon());
  }

  /** Reports entries that name a topic of the scheduler or of Kafka, which are never targets. */
  private void checkTargets(String where, AllowList list, ConfigParser parser) {
    list.entries().stream()
        .filter(entry -> !entry.contains("*") || entry.startsWith("__"))
        .flatMap(entry -> targetRules().never(entry).stream())
        .forEach(objection -> parser.problem(where + objection + ", which is never a target"));
  }
}

package io.waterclock.topology.runtime.brokers;

import io.waterclock.schemas.SafeLogger;
import io.waterclock.schemas.Topics;
import io.waterclock.topology.runtime.config.WaterclockConfig;
import io.waterclock.topology.scheduler.store.StateCopy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;

/**
 * Creates the topics that are missing and verifies those that exist.
 *
 * <p>A topic that is wrong stops the start with one sentence: quietly changing what an operator has
 * set, or running on a topic that forgets schedules, would both be worse.
 */
public final class TopicSetup {
  private static final Logger LOG = SafeLogger.of(TopicSetup.class);
  private static final int TIMEOUT_S = 30;
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /**
   * What was found.
   *
   * @param partitions of the schedules topic
   * @param maxMessageBytes that the topics take which a definition is copied to, and so do the
   *     changelogs of the state, as far as there are any yet
   * @param maxStrayBytes that the topics take over which a stray is moved home
   * @param maxDeadLetterBytes that the dead-letter topic takes
   * @param tombstonesKept how long the schedules and the calendars topic are sure to keep a
   *     tombstone
   * @param topicId the id that Kafka gave the schedules topic
   */
  public record Found(
      int partitions,
      int maxMessageBytes,
      int maxStrayBytes,
      int maxDeadLetterBytes,
      Duration tombstonesKept,
      String topicId) {}

  private final Admin admin;
  private final Map<String, Object> client;
  private final WaterclockConfig config;
  private final BrokerAnswers answers;

  /**
   * @param client the settings of {@code admin}
   */
  public TopicSetup(Admin admin, Map<String, Object> client, WaterclockConfig config) {
    this.admin = admin;
    this.client = Map.copyOf(client);
    this.config = config;
    this.answers = new BrokerAnswers(config.bootstrapServers());
  }

  /**
   * Sets the topics up with a client of its own, for a scheduler that is to start: the changelogs
   * of its state have to be in order, too.
   *
   * @param client how to reach the cluster
   * @throws TopicException if a topic is not as it has to be, or the cluster does not answer
   * @throws MissingRightsException if the client may not do what it takes
   */
  public static Found run(Map<String, Object> client, WaterclockConfig config) {
    return new BrokerAnswers(config.bootstrapServers())
        .ask(
            client,
            admin -> {
              TopicSetup setup = new TopicSetup(admin, client, config);
              setup.checkChangelogs();
              return setup.run();
            });
  }

  /** State on disk is used as long as they tell what was deleted since. */
  private void checkChangelogs() {
    List<TopicSpec> wanted = TopicSpec.changelogs(config.applicationId(), config.stateMaxAge());
    try {
      refuse(wrongSettings(wanted, changelogs()));
    } catch (NotThereYet e) {
      LOG.debug("The changelogs are being deleted");
    }
  }

  /**
   * @throws TopicException if a topic is not as it has to be, or the cluster does not answer
   * @throws MissingRightsException if the client may not do what it takes
   */
  public Found run() {
    long start = System.nanoTime();
    Optional<Found> found = tryOnce();
    while (found.isEmpty()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(TIMEOUT_S)) {
        throw new TopicException(
            "the topics were created at "
                + config.bootstrapServers()
                + " but not all of them can be seen after "
                + TIMEOUT_S
                + " s: check that this client may describe them");
      }
      LockSupport.parkNanos(RETRY_NANOS);
      found = tryOnce();
    }
    return found.get();
  }

  /**
   * Empty when topics had to be created, by this instance or another one: a broker needs a moment
   * to see them, and what another one has created is to be verified.
   */
  private Optional<Found> tryOnce() {
    List<TopicSpec> specs = TopicSpec.all(config.topics());
    try {
      Map<String, TopicDescription> existing =
          describe(specs.stream().map(TopicSpec::name).toList());
      int partitions = partitions(existing);
      verify(specs, existing, partitions);
      if (existing.size() < specs.size()) {
        create(
            specs.stream().filter(spec -> !existing.containsKey(spec.name())).toList(), partitions);
        return Optional.empty();
      }
      return Optional.of(
          new Found(
              partitions,
              maxMessageBytes(),
              maxStrayBytes(),
              leastMessageBytes(config.topics().dlq()),
              tombstonesKept(),
              existing.values().stream()
                  .filter(topic -> topic.name().equals(config.topics().schedules()))
                  .map(topic -> topic.topicId().toString())
                  .findFirst()
                  .orElseThrow()));
    } catch (NotThereYet e) {
      return Optional.empty();
    }
  }

  private Duration tombstonesKept() {
    return Stream.of(config.topics().schedules(), config.topics().calendars())
        .map(topic -> setting(topic, TopicConfig.DELETE_RETENTION_MS_CONFIG))
        .map(ms -> Duration.ofMillis(Long.parseLong(ms)))
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  /** What the schedules topic has, or would get. */
  private int partitions(Map<String, TopicDescription> existing) {
    return Optional.ofNullable(existing.get(config.topics().schedules()))
        .map(schedules -> schedules.partitions().size())
        .orElseGet(() -> config.partitions().orElse(WaterclockConfig.DEFAULT_PARTITIONS));
  }

  private void verify(
      List<TopicSpec> specs, Map<String, TopicDescription> existing, int partitions) {
    refuse(problems(specs, existing, partitions));
  }

  private static void refuse(List<String> problems) {
    if (!problems.isEmpty()) {
      throw new TopicException(String.join("\n", problems));
    }
  }

  /**
   * What is wrong with the topics, in sentences. Creates nothing: a topic that is missing is a
   * problem.
   *
   * @throws TopicException if the cluster does not answer
   */
  public List<String> problems() {
    List<TopicSpec> specs = TopicSpec.all(config.topics());
    Map<String, TopicDescription> existing = describe(specs.stream().map(TopicSpec::name).toList());
    List<String> problems = new ArrayList<>();
    specs.stream()
        .map(TopicSpec::name)
        .filter(name -> !existing.containsKey(name))
        .forEach(name -> problems.add("topic " + name + " is missing; the scheduler creates it"));
    problems.addAll(problems(specs, existing, partitions(existing)));
    return problems;
  }

  private List<String> problems(
      List<TopicSpec> specs, Map<String, TopicDescription> existing, int partitions) {
    List<String> problems = new ArrayList<>();
    if (config.partitions().isPresent() && config.partitions().get() != partitions) {
      problems.add(
          "topic "
              + config.topics().schedules()
              + " has "
              + partitions
              + " partitions, but partitions="
              + config.partitions().get()
              + " is configured: leave the setting out, or set it to "
              + partitions);
    }
    for (TopicSpec spec : specs) {
      Optional.ofNullable(existing.get(spec.name()))
          .map(found -> found.partitions().size())
          .filter(found -> found != spec.partitions().required(found, partitions))
          .ifPresent(found -> problems.add(wrongWidth(spec, found, partitions)));
    }
    problems.addAll(wrongSettings(specs, configs(List.copyOf(existing.keySet()))));
    return problems;
  }

  private Map<String, TopicDescription> describe(List<String> names) {
    return get(
        admin.describeTopics(there(names)).allTopicNames(),
        "describe the topics",
        ours(AclOperation.DESCRIBE));
  }

  /** Those topics that there are. */
  private Collection<String> there(List<String> names) {
    Set<String> present =
        get(admin.listTopics().names(), "list the topics", ours(AclOperation.DESCRIBE));
    return names.stream().filter(present::contains).toList();
  }

  private static List<String> wrongSettings(List<TopicSpec> specs, Map<String, Config> configs) {
    List<String> problems = new ArrayList<>();
    for (TopicSpec spec : specs) {
      Config topic = configs.get(spec.name());
      if (topic == null) {
        continue;
      }
      spec.settings()
          .forEach(
              (key, wanted) -> {
                String value = topic.get(key).value();
                if (!TopicSpec.isGood(key, wanted, value)) {
                  problems.add(wrong(spec.name(), key, wanted, value));
                }
              });
    }
    return problems;
  }

  private static String wrongWidth(TopicSpec spec, int found, int partitions) {
    int required = spec.partitions().required(found, partitions);
    String mend =
        found < required
            ? "kafka-topics.sh --alter --topic " + spec.name() + " --partitions " + required
            : "Kafka takes none away: copy its records, kafka-topics.sh --delete --topic "
                + spec.name()
                + ", start again, and write them anew";
    return "topic "
        + spec.name()
        + " has "
        + found
        + " partitions, but needs "
        + required
        + spec.partitions().reason()
        + ": "
        + mend;
  }

  private static String wrong(String topic, String key, String wanted, String found) {
    return "topic "
        + topic
        + " has "
        + key
        + "="
        + found
        + ", but needs "
        + (key.endsWith(".ms") ? "at least " : "")
        + wanted
        + ": kafka-configs.sh --alter --entity-type topics --entity-name "
        + topic
        + " --add-config "
        + key
        + "="
        + wanted;
  }

  private void create(List<TopicSpec> missing, int partitions) {
    List<NewTopic> topics =
        missing.stream()
            .map(
                spec ->
                    new NewTopic(
                            spec.name(),
                            Optional.of(spec.partitions().toCreate(partitions)),
                            config.replicationFactor().map(Integer::shortValue))
                        .configs(spec.settings()))
            .toList();
    for (Map.Entry<String, KafkaFuture<Void>> created :
        admin.createTopics(topics).values().entrySet()) {
      try {
        get(created.getValue(), "create topic " + created.getKey(), ours(AclOperation.CREATE));
        LOG.info("Created topic {}", created.getKey());
      } catch (TopicExists e) {
        LOG.debug("Topic {} was created by another instance", created.getKey());
      }
    }
  }

  /**
   * What the topics take that a definition is copied to. A changelog that is there keeps the limit
   * with which it was made, whatever became of the others since.
   */
  private int maxMessageBytes() {
    Topics topics = config.topics();
    return Math.min(
        leastMessageBytes(changelogs()),
        leastMessageBytes(topics.schedules(), topics.fires(), topics.revisions()));
  }

  /** The settings of the changelogs that there are. */
  private Map<String, Config> changelogs() {
    String id = config.applicationId();
    return configs(
        there(StateCopy.changelogs(id)), Right.topics(AclOperation.DESCRIBE_CONFIGS, id + "-"));
  }

  /** What the topics take over which a stray is moved home. */
  private int maxStrayBytes() {
    return leastMessageBytes(
        config.topics().schedules(), config.topics().outcomes(), config.topics().strays());
  }

  private int leastMessageBytes(String... topics) {
    return leastMessageBytes(configs(List.of(topics)));
  }

  /** No limit where there is no topic. */
  private static int leastMessageBytes(Map<String, Config> topics) {
    return topics.values().stream()
        .map(topic -> topic.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value())
        .mapToInt(Integer::parseInt)
        .min()
        .orElse(Integer.MAX_VALUE);
  }

  private String setting(String topic, String key) {
    Config found = configs(List.of(topic)).get(topic);
    if (found == null) {
      throw new TopicException("topic " + topic + " does not show its settings");
    }
    return found.get(key).value();
  }

  private Map<String, Config> configs(List<String> names) {
    return configs(names, ours(AclOperation.DESCRIBE_CONFIGS));
  }

  private Map<String, Config> configs(Collection<String> names, Right right) {
    List<ConfigResource> resources =
        names.stream().map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name)).toList();
    Map<String, Config> result = new HashMap<>();
    get(admin.describeConfigs(resources).all(), "read the topics' settings", right)
        .forEach((resource, config) -> result.put(resource.name(), config));
    return result;
  }

  /** Another instance was faster. */
  private static final class TopicExists extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** A broker does not see a topic yet that was just created. */
  private static final class NotThereYet extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** On all topics with our prefix. */
  private Right ours(AclOperation operation) {
    return Right.topics(operation, config.topics().prefix() + ".");
  }

  /**
   * @param right that it takes
   */
  private <T> T get(KafkaFuture<T> future, String what, Right right) {
    try {
      return answers.getOrCause(future, what);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicExistsException) {
        throw new TopicExists();
      }
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        throw new NotThereYet();
      }
      if (e.getCause() instanceof AuthorizationException) {
        throw new MissingRightsException(List.of(right), client);
      }
      throw answers.refused(what, e);
    }
  }
}

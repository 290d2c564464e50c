package io.waterclock.runtime.brokers;

import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.store.StateCopy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;

/**
 * Creates the topics that are missing and verifies those that exist.
 *
 * <p>A wrong topic stops the start with one sentence. The scheduler does not silently change an
 * operator's settings, and does not run on a topic that forgets schedules.
 */
public final class TopicSetup {
  private static final Logger LOG = SafeLogger.of(TopicSetup.class);

  /**
   * The facts about the topics.
   *
   * @param partitions of the schedules topic
   * @param maxMessageBytes the least limit of the topics to which a definition is copied, existing
   *     changelogs included
   * @param maxStrayBytes the least limit of the topics through which a stray moves home
   * @param maxDeadLetterBytes the limit of the dead-letter topic
   * @param tombstonesKept how long the schedules and the calendars topic keep a tombstone at least
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
    this.answers = new BrokerAnswers(client);
  }

  /**
   * Sets up the topics with a new client before a scheduler starts. Verifies the changelogs of its
   * state, too.
   *
   * @param client how to reach the cluster
   * @throws TopicException if a topic is wrong, or the cluster does not answer
   * @throws MissingRightsException if the client lacks a right
   */
  public static Found run(Map<String, Object> client, WaterclockConfig config) {
    return new BrokerAnswers(client)
        .ask(
            admin -> {
              TopicSetup setup = new TopicSetup(admin, client, config);
              setup.checkChangelogs();
              return setup.run();
            });
  }

  /**
   * State on disk is usable only while the changelogs still hold the tombstones of later deletes.
   */
  private void checkChangelogs() {
    List<TopicSpec> wanted = TopicSpec.changelogs(config.applicationId(), config.stateMaxAge());
    try {
      refuse(wrongSettings(wanted, changelogs()));
    } catch (UnknownTopicOrPartitionException e) {
      LOG.debug("The changelogs are being deleted");
    }
  }

  /**
   * @throws TopicException if a topic is wrong, or the cluster does not answer
   * @throws MissingRightsException if the client lacks a right
   */
  public Found run() {
    return BrokerAnswers.retry(this::tryOnce)
        .orElseThrow(
            () ->
                new TopicException(
                    ("the topics were created at %s but not all of them can be seen after %s"
                            + " s: check that this client may describe them")
                        .formatted(config.bootstrapServers(), BrokerAnswers.TIMEOUT_S)));
  }

  /**
   * Empty when this instance or another one has just created topics: brokers need a moment to see
   * them, and the topics of another instance must be verified.
   */
  private Optional<Found> tryOnce() {
    Topics topics = config.topics();
    List<TopicSpec> specs = TopicSpec.all(topics);
    try {
      Map<String, TopicDescription> existing = describe(specs);
      int partitions = partitions(existing);
      List<String> problems = problems(specs, existing, partitions);
      problems.addAll(problemsOfOthers());
      refuse(problems);
      if (existing.size() < specs.size()) {
        create(
            specs.stream().filter(spec -> !existing.containsKey(spec.name())).toList(), partitions);
        return Optional.empty();
      }
      return Optional.of(
          new Found(
              partitions,
              maxMessageBytes(),
              leastMessageBytes(topics.schedules(), topics.outcomes(), topics.strays()),
              leastMessageBytes(topics.dlq()),
              tombstonesKept(),
              Objects.requireNonNull(existing.get(topics.schedules())).topicId().toString()));
    } catch (UnknownTopicOrPartitionException e) { // a broker does not see a new topic yet
      return Optional.empty();
    }
  }

  private Duration tombstonesKept() {
    return configs(List.of(config.topics().schedules(), config.topics().calendars()))
        .values()
        .stream()
        .map(topic -> topic.get(TopicConfig.DELETE_RETENTION_MS_CONFIG).value())
        .map(ms -> Duration.ofMillis(Long.parseLong(ms)))
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  /** The number that the schedules topic has, or gets when it is created. */
  private int partitions(Map<String, TopicDescription> existing) {
    return Optional.ofNullable(existing.get(config.topics().schedules()))
        .map(schedules -> schedules.partitions().size())
        .orElseGet(() -> config.partitions().orElse(WaterclockConfig.DEFAULT_PARTITIONS));
  }

  private static void refuse(List<String> problems) {
    if (!problems.isEmpty()) {
      throw new TopicException(String.join("\n", problems));
    }
  }

  /**
   * Lists the problems of the topics, in sentences. Creates nothing: a missing topic is a problem.
   *
   * @throws TopicException if the cluster does not answer
   */
  public List<String> problems() {
    List<TopicSpec> specs = TopicSpec.all(config.topics());
    Map<String, TopicDescription> existing = describe(specs);
    List<String> problems = new ArrayList<>();
    specs.stream()
        .map(TopicSpec::name)
        .filter(name -> !existing.containsKey(name))
        .forEach(name -> problems.add("topic " + name + " is missing; the scheduler creates it"));
    problems.addAll(problems(specs, existing, partitions(existing)));
    problems.addAll(problemsOfOthers());
    return problems;
  }

  private List<String> problemsOfOthers() {
    List<TopicSpec> others = TopicSpec.ofOthers(config.topics());
    return wrongSettings(
        others, configs(List.copyOf(existing(others.stream().map(TopicSpec::name).toList()))));
  }

  private List<String> problems(
      List<TopicSpec> specs, Map<String, TopicDescription> existing, int partitions) {
    List<String> problems = new ArrayList<>();
    if (config.partitions().isPresent() && config.partitions().get() != partitions) {
      problems.add(
          ("topic %s has %s partitions, but partitions=%s is configured: leave the"
                  + " setting out, or set it to %s")
              .formatted(
                  config.topics().schedules(), partitions, config.partitions().get(), partitions));
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

  private Map<String, TopicDescription> describe(List<TopicSpec> specs) {
    List<String> names = specs.stream().map(TopicSpec::name).toList();
    return get(
        admin.describeTopics(existing(names)).allTopicNames(),
        "describe the topics",
        ours(AclOperation.DESCRIBE));
  }

  private Collection<String> existing(List<String> names) {
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
    String remedy =
        found < required
            ? "kafka-topics.sh --alter --topic " + spec.name() + " --partitions " + required
            : "Kafka takes none away: copy its records, kafka-topics.sh --delete --topic "
                + spec.name()
                + ", start again, and write them anew";
    return "topic %s has %s partitions, but needs %s%s: %s"
        .formatted(spec.name(), found, required, spec.partitions().reason(), remedy);
  }

  private static String wrong(String topic, String key, String wanted, String found) {
    return ("topic %s has %s=%s, but needs %s%s: kafka-configs.sh --alter --entity-type"
            + " topics --entity-name %s --add-config %s=%s")
        .formatted(
            topic, key, found, key.endsWith(".ms") ? "at least " : "", wanted, topic, key, wanted);
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
      } catch (TopicExistsException e) {
        LOG.debug("Topic {} was created by another instance", created.getKey());
      }
    }
  }

  /**
   * The least limit of the topics to which a definition is copied. An existing changelog keeps the
   * limit of its creation.
   */
  private int maxMessageBytes() {
    Topics topics = config.topics();
    return Math.min(
        leastMessageBytes(changelogs()),
        leastMessageBytes(topics.schedules(), topics.fires(), topics.revisions()));
  }

  private Map<String, Config> changelogs() {
    String id = config.applicationId();
    return configs(
        existing(StateCopy.changelogs(id)), Right.topics(AclOperation.DESCRIBE_CONFIGS, id + "-"));
  }

  private int leastMessageBytes(String... topics) {
    return leastMessageBytes(configs(List.of(topics)));
  }

  /** No limit if no topic is given. */
  private static int leastMessageBytes(Map<String, Config> topics) {
    return topics.values().stream()
        .map(topic -> topic.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value())
        .mapToInt(Integer::parseInt)
        .min()
        .orElse(Integer.MAX_VALUE);
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

  /** A right on all topics with our prefix. */
  private Right ours(AclOperation operation) {
    return Right.topics(operation, config.topics().prefix() + ".");
  }

  /**
   * @param right that the request requires
   * @throws TopicExistsException if another instance has created the topic
   * @throws UnknownTopicOrPartitionException if a broker does not see a newly created topic yet
   */
  private <T> T get(KafkaFuture<T> future, String what, Right right) {
    try {
      return answers.getOrCause(future, what);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicExistsException
          || e.getCause() instanceof UnknownTopicOrPartitionException) {
        throw (ApiException) e.getCause();
      }
      if (e.getCause() instanceof AuthorizationException) {
        throw new MissingRightsException(List.of(right), client);
      }
      throw answers.refused(what, e);
    }
  }
}

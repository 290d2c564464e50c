package io.waterclock.runtime.brokers;

import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.log.SafeLogger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;
import org.slf4j.Logger;

/**
 * Finds the rights that a scheduler lacks, without changing anything.
 *
 * <p>Idea: Kafka checks rights before it looks at a request. Brokers list the operations that a
 * client may do with an existing topic. For every other right, this class sends a no-op request
 * that requires it: reading a topic's settings, creating a topic with validation only, removing an
 * unknown member from a group. A right that cannot be checked, such as one on a topic that does not
 * exist yet, counts as granted. Costs five requests. Thread-safe.
 */
public final class RightsCheck {
  private static final Logger LOG = SafeLogger.of(RightsCheck.class);

  private static final String UNKNOWN_MEMBER = "waterclock-rights-check";

  private final Map<String, Object> client;
  private final List<Right> needed;
  private final List<String> topics;
  private final BrokerAnswers answers;

  /**
   * @param needed {@link SchedulerRights}
   */
  public RightsCheck(Map<String, Object> client, WaterclockConfig config, List<Right> needed) {
    this.client = Map.copyOf(client);
    this.needed = List.copyOf(needed);
    this.topics =
        Stream.of(
                TopicSpec.all(config),
                TopicSpec.changelogs(config),
                TopicSpec.changelogOfLimiter(config))
            .flatMap(List::stream)
            .map(TopicSpec::name)
            .toList();
    this.answers = new BrokerAnswers(client);
  }

  /**
   * Returns if no right is known to be missing.
   *
   * @throws MissingRightsException with all missing rights
   * @throws TopicException if the cluster does not answer
   */
  public void run() {
    List<Right> missing = missing();
    if (!missing.isEmpty()) {
      throw new MissingRightsException(missing, client);
    }
  }

  /**
   * Explains a refusal by the brokers; empty if the failure is not a refusal, or no right is
   * missing any more. Asks the brokers.
   */
  public Optional<MissingRightsException> explain(Throwable failure) {
    if (RootCause.chain(failure).noneMatch(RightsCheck::isRefusal)) {
      return Optional.empty();
    }
    List<Right> missing;
    try {
      missing = missing();
    } catch (TopicException e) {
      LOG.warn("The missing right cannot be determined: {}", e.getMessage());
      return Optional.empty();
    }
    if (missing.isEmpty()
        && RootCause.chain(failure)
            .anyMatch(TransactionalIdAuthorizationException.class::isInstance)) {
      missing = of(ResourceType.TRANSACTIONAL_ID);
    }
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(new MissingRightsException(missing, client));
  }

  /** When a producer may not commit a consumer's offsets, only the message says so. */
  private static boolean isRefusal(Throwable cause) {
    return cause instanceof AuthorizationException
        || String.valueOf(cause.getMessage()).endsWith(Errors.TOPIC_AUTHORIZATION_FAILED.message());
  }

  /** Sends all requests before it waits for the first answer. */
  private List<Right> missing() {
    return answers.ask(
        admin -> {
          List<Supplier<List<Right>>> requests =
              List.of(ofTopics(admin), ofSettings(admin), ofGroups(admin), ofTransactions(admin));
          Set<Right> missing =
              requests.stream()
                  .flatMap(request -> request.get().stream())
                  .collect(Collectors.toSet());
          return needed.stream().filter(missing::contains).toList();
        });
  }

  private Supplier<List<Right>> ofSettings(Admin admin) {
    List<ConfigResource> resources =
        topics.stream()
            .filter(topic -> !of(topic, AclOperation.DESCRIBE_CONFIGS).isEmpty())
            .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
            .toList();
    Map<ConfigResource, KafkaFuture<Config>> settings = admin.describeConfigs(resources).values();
    return () ->
        settings.entrySet().stream()
            .filter(topic -> isRefused(topic.getValue(), "read the topics' settings"))
            .flatMap(topic -> of(topic.getKey().name(), AclOperation.DESCRIBE_CONFIGS).stream())
            .toList();
  }

  private Supplier<List<Right>> ofTopics(Admin admin) {
    Map<String, KafkaFuture<TopicDescription>> descriptions =
        admin
            .describeTopics(topics, new DescribeTopicsOptions().includeAuthorizedOperations(true))
            .topicNameValues();
    return () -> {
      List<Right> missing = new ArrayList<>();
      List<String> absent = new ArrayList<>();
      descriptions.forEach(
          (topic, description) -> {
            try {
              TopicDescription found = answers.getOrCause(description, "describe the topics");
              missing.addAll(withheld(topic, Optional.ofNullable(found.authorizedOperations())));
            } catch (ExecutionException e) {
              if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                absent.add(topic);
              } else if (e.getCause() instanceof AuthorizationException) {
                missing.addAll(withheld(topic, Optional.of(Set.of())));
              } else {
                throw answers.refused("describe the topics", e);
              }
            }
          });
      missing.addAll(ofCreation(admin, absent));
      return missing;
    };
  }

  /**
   * @param allowed empty where the brokers do not list it
   */
  private List<Right> withheld(String topic, Optional<Set<AclOperation>> allowed) {
    return Stream.of(AclOperation.READ, AclOperation.WRITE)
        .filter(operation -> allowed.filter(all -> !all.contains(operation)).isPresent())
        .flatMap(operation -> of(topic, operation).stream())
        .toList();
  }

  private List<Right> ofCreation(Admin admin, List<String> absent) {
    List<Right> missing = new ArrayList<>();
    admin
        .createTopics(
            absent.stream()
                .map(topic -> new NewTopic(topic, Optional.empty(), Optional.empty()))
                .toList(),
            new CreateTopicsOptions().validateOnly(true))
        .values()
        .forEach(
            (topic, created) -> {
              if (isRefused(created, "create topic " + topic)) {
                missing.addAll(of(topic, AclOperation.CREATE));
              }
            });
    return missing;
  }

  private Supplier<List<Right>> ofGroups(Admin admin) {
    return refused(
        admin,
        ResourceType.GROUP,
        InternalTopic.OFFSETS,
        group ->
            admin
                .removeMembersFromConsumerGroup(
                    group,
                    new RemoveMembersFromConsumerGroupOptions(
                        Set.of(new MemberToRemove(UNKNOWN_MEMBER))))
                .all());
  }

  private Supplier<List<Right>> ofTransactions(Admin admin) {
    return refused(
        admin,
        ResourceType.TRANSACTIONAL_ID,
        InternalTopic.TRANSACTIONS,
        prefix -> {
          String id = prefix + UNKNOWN_MEMBER;
          return admin.describeTransactions(List.of(id)).description(id);
        });
  }

  /**
   * @param coordinated the topic of the brokers that answer
   */
  private Supplier<List<Right>> refused(
      Admin admin,
      ResourceType type,
      InternalTopic coordinated,
      Function<String, KafkaFuture<?>> request) {
    Map<Right, KafkaFuture<?>> asked = new LinkedHashMap<>();
    of(type).forEach(right -> asked.put(right, request.apply(right.resource().name())));
    return () ->
        asked.entrySet().stream()
            .filter(right -> isRefused(admin, coordinated, right.getKey(), right.getValue()))
            .map(Map.Entry::getKey)
            .toList();
  }

  private boolean isRefused(
      Admin admin, InternalTopic coordinated, Right right, KafkaFuture<?> future) {
    try {
      return isRefused(future, "ask about the " + right.on());
    } catch (TopicException e) {
      throw coordinated.problem(admin).map(TopicException::new).orElse(e);
    }
  }

  /** False for every other failure, which is not about rights. */
  private boolean isRefused(KafkaFuture<?> future, String what) {
    try {
      answers.getOrCause(future, what);
      return false;
    } catch (ExecutionException e) {
      return RootCause.chain(e).anyMatch(RightsCheck::isRefusal);
    }
  }

  private List<Right> of(String topic, AclOperation operation) {
    return needed.stream()
        .filter(right -> right.operation() == operation && right.isOn(ResourceType.TOPIC, topic))
        .toList();
  }

  private List<Right> of(ResourceType type) {
    return needed.stream().filter(right -> right.resource().resourceType() == type).toList();
  }
}

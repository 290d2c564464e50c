package io.waterclock.runtime.brokers;

import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.brokers.SettingsRefusal;
import io.waterclock.schemas.log.SafeLogger;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;

/**
 * Asks the brokers about the scheduler's topics, and creates them.
 *
 * <p>Methods that return an answer throw {@link MissingRightsException} if the client lacks a
 * right, {@link TopicException} if the cluster does not answer, and {@link
 * UnknownTopicOrPartitionException} if a broker does not see a new topic yet.
 */
final class TopicAdmin {
  private static final Logger LOG = SafeLogger.of(TopicAdmin.class);

  private final Admin admin;
  private final Map<String, Object> client;
  private final WaterclockConfig config;
  private final BrokerAnswers answers;

  /**
   * @param client the settings of {@code admin}
   */
  TopicAdmin(Admin admin, Map<String, Object> client, WaterclockConfig config) {
    this.admin = admin;
    this.client = Map.copyOf(client);
    this.config = config;
    this.answers = new BrokerAnswers(client);
  }

  /** Those of these topics that exist. */
  Map<String, TopicDescription> describe(Collection<String> names) {
    Right right = Right.topics(AclOperation.DESCRIBE, config.topics().prefix() + ".");
    Set<String> present = get(admin.listTopics().names(), "list the topics", right);
    return get(
        admin.describeTopics(names.stream().filter(present::contains).toList()).allTopicNames(),
        "describe the topics",
        right);
  }

  /**
   * Returns if the brokers say of each topic that it does not exist: they list no topic that this
   * client may not see.
   */
  void requireSeen(Collection<String> missing) {
    admin
        .describeTopics(missing)
        .topicNameValues()
        .forEach(
            (topic, answer) -> {
              try {
                var unused = get(answer, "describe the topics", right(AclOperation.READ, topic));
              } catch (UnknownTopicOrPartitionException e) {
                LOG.debug("Topic {} does not exist", topic);
              }
            });
  }

  /** The settings of each topic, as far as the brokers list them. */
  Map<String, Map<String, String>> settings(Collection<String> names) {
    Map<String, Map<String, String>> result = new HashMap<>();
    admin
        .describeConfigs(names.stream().map(TopicAdmin::resource).toList())
        .values()
        .forEach(
            (topic, answer) ->
                result.put(
                    topic.name(),
                    listed(
                        get(
                            answer,
                            "read the topics' settings",
                            right(AclOperation.DESCRIBE_CONFIGS, topic.name())))));
    return result;
  }

  /** A broker may list a setting without its value. */
  private static Map<String, String> listed(Config config) {
    Map<String, String> settings = new HashMap<>();
    for (ConfigEntry entry : config.entries()) {
      Optional.ofNullable(entry.value()).ifPresent(value -> settings.put(entry.name(), value));
    }
    return settings;
  }

  void create(List<NewTopic> topics) {
    admin
        .createTopics(topics)
        .values()
        .forEach(
            (topic, created) -> {
              try {
                get(created, "create topic " + topic, right(AclOperation.CREATE, topic));
                LOG.info("Created topic {}", topic);
              } catch (TopicExistsException e) {
                LOG.debug("Topic {} was created by another instance", topic);
              }
            });
  }

  /**
   * Lets the brokers check new topics, without creating them. A missing right is no refusal: it is
   * no matter of the settings.
   *
   * @return the topics that they refuse, each with their words
   */
  Map<String, String> refusals(List<NewTopic> topics) {
    Map<String, String> refused = new TreeMap<>();
    admin
        .createTopics(topics, new CreateTopicsOptions().validateOnly(true))
        .values()
        .forEach(
            (topic, answer) ->
                refusal(answer, "create topic " + topic)
                    .ifPresent(words -> refused.put(topic, words)));
    return refused;
  }

  /** Why the brokers would not alter a setting; empty if they would, or this client may not ask. */
  Optional<String> refusalToAlter(String topic, String key, String value) {
    ConfigResource resource = resource(topic);
    return refusal(
        admin
            .incrementalAlterConfigs(
                Map.of(
                    resource,
                    List.of(
                        new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET))),
                new AlterConfigsOptions().validateOnly(true))
            .all(),
        "alter topic " + topic);
  }

  private Optional<String> refusal(KafkaFuture<?> answer, String what) {
    try {
      answers.getOrCause(answer, what);
      return Optional.empty();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof AuthorizationException || cause instanceof TopicExistsException) {
        return Optional.empty();
      }
      return Optional.of(SettingsRefusal.words(cause).orElseThrow(() -> answers.refused(what, e)));
    }
  }

  private static ConfigResource resource(String topic) {
    return new ConfigResource(ConfigResource.Type.TOPIC, topic);
  }

  /** The right on all topics of a kind: on changelogs, or on those with our prefix. */
  private Right right(AclOperation operation, String topic) {
    String internal = config.applicationId() + "-";
    return Right.topics(
        operation, topic.startsWith(internal) ? internal : config.topics().prefix() + ".");
  }

  /**
   * @throws TopicExistsException if another instance has created the topic
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

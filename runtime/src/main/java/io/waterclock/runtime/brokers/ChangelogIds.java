package io.waterclock.runtime.brokers;

import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.topology.scheduler.store.StateCopy;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.protocol.Errors;

/**
 * Kafka's ids of the changelogs. A topic that is made anew under the same name has another id.
 *
 * <p>Kafka Streams creates missing changelogs before it opens their stores. Only then are the
 * brokers asked, once. Safe for all threads.
 */
public final class ChangelogIds {
  private static final String DESCRIBE = "describe the changelogs";

  private final Collection<String> names;
  private final BrokerAnswers answers;
  private Map<String, String> known = Map.of();

  public ChangelogIds(Map<String, Object> client, WaterclockConfig config) {
    this.names = StateCopy.changelogs(config.applicationId());
    this.answers = new BrokerAnswers(client);
  }

  /**
   * Replaces what is known.
   *
   * @param ids of the changelogs that exist, by name
   * @return whether they are all
   */
  public synchronized boolean set(Map<String, String> ids) {
    known = Map.copyOf(ids);
    return known.keySet().containsAll(names);
  }

  /**
   * The id of a changelog.
   *
   * @throws TopicException if the brokers do not tell it
   */
  public synchronized String of(String changelog) {
    if (!known.containsKey(changelog)) {
      known = answers.ask(this::ask);
    }
    return Objects.requireNonNull(known.get(changelog), changelog);
  }

  private Map<String, String> ask(Admin admin) {
    return BrokerAnswers.retry(() -> tryOnce(admin))
        .orElseThrow(
            () ->
                answers.refused(
                    DESCRIBE,
                    new ExecutionException(Errors.UNKNOWN_TOPIC_OR_PARTITION.exception())));
  }

  /** Empty while a broker does not see a new topic. */
  private Optional<Map<String, String>> tryOnce(Admin admin) {
    try {
      return Optional.of(
          in(answers.getOrCause(admin.describeTopics(names).allTopicNames(), DESCRIBE)));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return Optional.empty();
      }
      throw answers.refused(DESCRIBE, e);
    }
  }

  static Map<String, String> in(Map<String, TopicDescription> topics) {
    return topics.values().stream()
        .collect(Collectors.toMap(TopicDescription::name, topic -> topic.topicId().toString()));
  }
}

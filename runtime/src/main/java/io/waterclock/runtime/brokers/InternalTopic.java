package io.waterclock.runtime.brokers;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * A topic in which the brokers keep what they coordinate. They create it with the first request
 * that needs it; while they cannot, such requests get no answer, and all others do.
 */
public enum InternalTopic {
  OFFSETS("__consumer_offsets", "groups", "offsets.topic.replication.factor"),
  TRANSACTIONS("__transaction_state", "transactions", "transaction.state.log.replication.factor");

  private static final int TIMEOUT_S = 5;

  private final String topic;
  private final String coordinated;
  private final String factor;

  InternalTopic(String topic, String coordinated, String factor) {
    this.topic = topic;
    this.coordinated = coordinated;
    this.factor = factor;
  }

  /**
   * Why a request that needs the topic gets no answer, as a sentence without a full stop; empty if
   * the topic is not the reason. Takes 15 s at most.
   */
  public Optional<String> problem(Admin admin) {
    try {
      TopicDescription found = first(get(admin.describeTopics(List.of(topic)).allTopicNames()));
      long lost =
          found.partitions().stream()
              .filter(one -> one.leader() == null || one.leader().isEmpty())
              .count();
      return lost == 0
          ? Optional.empty()
          : Optional.of(
              "the brokers cannot coordinate %s: %s of %s partitions of %s have no leader"
                  .formatted(coordinated, lost, found.partitions().size(), topic));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return Optional.of(uncreated("have not created " + topic, admin));
      }
      return e.getCause() instanceof AuthorizationException
          ? Optional.of(
              uncreated("may not have created " + topic + ", which this user may not see", admin))
          : Optional.empty();
    } catch (TimeoutException e) {
      return Optional.empty();
    }
  }

  private String uncreated(String what, Admin admin) {
    return "the brokers do not coordinate %s: they %s%s"
        .formatted(coordinated, what, tooFew(admin));
  }

  /** Empty if they are enough: then they are slow, or a policy refuses the topic. */
  private String tooFew(Admin admin) {
    try {
      Collection<Node> brokers = get(admin.describeCluster().nodes());
      ConfigResource one =
          new ConfigResource(ConfigResource.Type.BROKER, brokers.iterator().next().idString());
      return Optional.ofNullable(first(get(admin.describeConfigs(List.of(one)).all())).get(factor))
          .map(ConfigEntry::value)
          .filter(wanted -> Integer.parseInt(wanted) > brokers.size())
          .map(
              wanted ->
                  "; they must be as many as %s says (it is %s, and there is %s)"
                      .formatted(factor, wanted, brokers.size()))
          .orElse("");
    } catch (ExecutionException | TimeoutException e) {
      return "; they must be as many as %s says".formatted(factor);
    }
  }

  private static <T> T first(Map<?, T> one) {
    return one.values().iterator().next();
  }

  private static <T> T get(KafkaFuture<T> answer) throws ExecutionException, TimeoutException {
    try {
      return answer.get(TIMEOUT_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TopicException("interrupted while asking about internal topics");
    }
  }
}

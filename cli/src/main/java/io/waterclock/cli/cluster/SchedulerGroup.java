package io.waterclock.cli.cluster;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.runtime.brokers.DeathNotes;
import io.waterclock.runtime.brokers.InternalTopic;
import io.waterclock.runtime.brokers.NotedDeaths;
import io.waterclock.runtime.brokers.Right;
import io.waterclock.topology.limiter.LimiterTopology;
import io.waterclock.topology.scheduler.store.StateCopy;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A scheduler as Kafka knows it: a consumer group with members and offsets, and internal topics.
 */
public record SchedulerGroup(Cluster cluster, String applicationId) {
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The broker aborts an abandoned transaction within 10 to 20 s. */
  private static final long TRANSACTION_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** The stream threads that run, each with its host; empty if none runs. */
  public List<String> members() {
    try {
      return ask(
              group(AclOperation.DESCRIBE),
              admin -> admin.describeConsumerGroups(List.of(applicationId)).all())
          .values()
          .stream()
          .flatMap(group -> group.members().stream())
          .map(member -> member.clientId() + " on " + member.host())
          .sorted()
          .toList();
    } catch (GroupIdNotFoundException e) {
      return List.of();
    }
  }

  /** The committed offsets of its inputs. */
  public Map<TopicPartition, Long> committed() {
    return offsets(applicationId, OffsetAndMetadata::offset);
  }

  /** Sets the committed offsets of its inputs; no instance may run. */
  public void commit(Map<TopicPartition, Long> offsets) {
    Map<TopicPartition, OffsetAndMetadata> all =
        offsets.entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey, offset -> new OffsetAndMetadata(offset.getValue())));
    ask(
        group(AclOperation.READ),
        admin -> admin.alterConsumerGroupOffsets(applicationId, all).all());
  }

  /** The notes about records that killed its threads, or that an administrator set aside. */
  public Map<TopicPartition, NotedDeaths> deaths() {
    return offsets(DeathNotes.group(applicationId), offset -> NotedDeaths.parse(offset.metadata()));
  }

  /** The offsets of a group, each converted; empty if there is no such group. */
  private <T> Map<TopicPartition, T> offsets(
      String group, Function<OffsetAndMetadata, T> conversion) {
    try {
      Map<TopicPartition, T> offsets = new HashMap<>();
      ask(
              Right.group(AclOperation.DESCRIBE, group),
              admin -> admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata())
          .forEach(
              (partition, offset) -> {
                if (offset != null) {
                  offsets.put(partition, conversion.apply(offset));
                }
              });
      return offsets;
    } catch (GroupIdNotFoundException e) {
      return Map.of();
    }
  }

  /** Notes that the scheduler must set a record aside; instances may run. */
  public void setAside(TopicPartition partition, long offset) {
    NotedDeaths noted = deaths().getOrDefault(partition, NotedDeaths.none()).byHand(offset);
    ask(
        Right.group(AclOperation.READ, DeathNotes.group(applicationId)),
        admin ->
            admin
                .alterConsumerGroupOffsets(
                    DeathNotes.group(applicationId),
                    Map.of(partition, new OffsetAndMetadata(offset, noted.text())))
                .all());
  }

  /** The number of partitions of each of its changelogs that exists. */
  public Map<String, Integer> changelogs() {
    return sizes(StateCopy.changelogs(applicationId));
  }

  /** How many fires the limiter keeps until their limits have room. */
  public long waitingForLimits() {
    long waiting = 0;
    String state = LimiterTopology.changelog(applicationId);
    for (TopicPartition partition : cluster.reader().partitionsIfAny(state)) {
      Set<ByteBuffer> kept = new HashSet<>();
      cluster
          .reader()
          .each(
              List.of(partition),
              record -> {
                if (LimiterTopology.isOfWaiting(record.key())) {
                  ByteBuffer key = ByteBuffer.wrap(record.key());
                  boolean unused = record.value() == null ? kept.remove(key) : kept.add(key);
                }
              });
      waiting += kept.size();
    }
    return waiting;
  }

  /** The number of partitions of each of these topics that exists. */
  public Map<String, Integer> sizes(Collection<String> topics) {
    Map<String, Integer> sizes = new TreeMap<>();
    topics.forEach(topic -> size(topic).ifPresent(size -> sizes.put(topic, size)));
    return sizes;
  }

  /** Asks for the topic by name, because lists leave out topics that may not be read. */
  private Optional<Integer> size(String topic) {
    Right read = Right.topic(AclOperation.READ, topic);
    try {
      return ask(read, admin -> admin.describeTopics(List.of(topic)).allTopicNames())
          .values()
          .stream()
          .map(found -> found.partitions().size())
          .findFirst();
    } catch (UnknownTopicOrPartitionException e) {
      return Optional.empty();
    }
  }

  public String topicId(String topic) {
    return ask(
            Right.topic(AclOperation.DESCRIBE, topic),
            admin -> admin.describeTopics(List.of(topic)).allTopicNames())
        .values()
        .stream()
        .map(description -> description.topicId().toString())
        .findFirst()
        .orElseThrow();
  }

  public void widen(String topic, int partitions) {
    ask(
        Right.topic(AclOperation.ALTER, topic),
        admin -> admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions))).all());
  }

  /** Deletes topics and waits until they are gone. */
  public void delete(Collection<String> topics) {
    ask(
        Right.topics(AclOperation.DELETE, applicationId + "-"),
        admin -> admin.deleteTopics(topics).all());
    long since = System.nanoTime();
    while (!sizes(topics).isEmpty()) {
      if (System.nanoTime() - since > TRANSACTION_NANOS) {
        throw new Failure("Kafka has not deleted " + String.join(", ", topics) + " after 60 s.");
      }
      LockSupport.parkNanos(RETRY_NANOS);
    }
  }

  public String clusterId() {
    return ask(group(AclOperation.DESCRIBE), admin -> admin.describeCluster().clusterId());
  }

  /** The ends of partitions, open transactions included. */
  public Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
    return ends(partitions, IsolationLevel.READ_UNCOMMITTED, OffsetSpec.latest());
  }

  /**
   * Waits until the open transactions of a stopped scheduler are committed or aborted.
   *
   * @throws Failure if that takes longer than 60 s
   */
  public void awaitNoTransaction(Collection<TopicPartition> partitions) {
    long since = System.nanoTime();
    while (!ends(partitions)
        .equals(ends(partitions, IsolationLevel.READ_COMMITTED, OffsetSpec.latest()))) {
      if (System.nanoTime() - since > TRANSACTION_NANOS) {
        throw new Failure(
            "A transaction on the state of "
                + applicationId
                + " is still open after 60 s; kafka-transactions.sh find-hanging shows it.");
      }
      LockSupport.parkNanos(RETRY_NANOS);
    }
  }

  private Map<TopicPartition, Long> ends(
      Collection<TopicPartition> partitions, IsolationLevel isolation, OffsetSpec which) {
    Map<TopicPartition, OffsetSpec> wanted =
        partitions.stream().collect(Collectors.toMap(partition -> partition, partition -> which));
    Map<TopicPartition, Long> ends = new HashMap<>();
    for (Map.Entry<TopicPartition, ListOffsetsResultInfo> end :
        ask(
                Right.topics(AclOperation.DESCRIBE, applicationId + "-"),
                admin -> admin.listOffsets(wanted, new ListOffsetsOptions(isolation)).all())
            .entrySet()) {
      ends.put(end.getKey(), end.getValue().offset());
    }
    return ends;
  }

  private Right group(AclOperation operation) {
    return Right.group(operation, applicationId);
  }

  @FunctionalInterface
  private interface Question<T> {
    KafkaFuture<T> put(Admin admin);
  }

  private <T> T answer(Admin admin, Right needed, Question<T> question)
      throws InterruptedException {
    try {
      return question.put(admin).get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException
          || e.getCause() instanceof UnknownTopicOrPartitionException) {
        throw (ApiException) e.getCause();
      }
      if (e.getCause() instanceof TimeoutException
          && needed.resource().resourceType() == ResourceType.GROUP) {
        InternalTopic.OFFSETS
            .problem(admin)
            .ifPresent(
                problem -> {
                  throw new Failure("At " + cluster.address() + " " + problem + ".", e);
                });
      }
      throw cluster.failure(e.getCause() instanceof Exception cause ? cause : e, needed);
    }
  }

  private <T> T ask(Right needed, Question<T> question) {
    try (Admin admin = cluster.admin()) {
      return answer(admin, needed, question);
    } catch (GroupIdNotFoundException | UnknownTopicOrPartitionException e) {
      throw e; // an answer, not a failure
    } catch (KafkaException e) {
      throw cluster.failure(e, needed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("Interrupted.", e);
    }
  }
}

package io.waterclock.client.worker.brokers;

import io.waterclock.schemas.Topics;
import io.waterclock.schemas.brokers.SettingsRefusal;
import io.waterclock.schemas.brokers.WantedSetting;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;

/**
 * The topic {@code <prefix>.workers}: compacted, with as many partitions as the fires had when it
 * was created. Thread-safe.
 */
public final class MemoryTopic {
  private static final Logger LOG = SafeLogger.of(MemoryTopic.class);
  private static final Duration BETWEEN_TRIES = Duration.ofMinutes(1);
  private static final Duration UNKNOWN_AT_MOST = Duration.ofSeconds(30);
  private static final Duration BETWEEN_QUESTIONS = Duration.ofMillis(50);

  /**
   * The first so that {@code max.message.bytes} bounds what a worker reads; the second because
   * Kafka never compacts the newest segment, and each takeover reads it.
   */
  private static final Map<WantedSetting, String> WANTED =
      Map.of(
          WantedSetting.COMPRESSION_TYPE,
          "uncompressed",
          WantedSetting.SEGMENT_BYTES,
          Integer.toString(16 << 20));

  private final String name;
  private final Supplier<Integer> creation;
  private Optional<Integer> found = Optional.empty();
  private long nextTryNanos = System.nanoTime();

  /**
   * @param creation creates the topic unless it exists, and returns how many partitions it has; may
   *     wait for the brokers and throw a {@link KafkaException}
   */
  public MemoryTopic(String name, Supplier<Integer> creation) {
    this.name = name;
    this.creation = creation;
  }

  /**
   * @param adminSettings of the client that creates the topic
   */
  public static MemoryTopic of(Topics topics, Map<String, Object> adminSettings) {
    return new MemoryTopic(
        topics.workers(),
        () -> {
          try (Admin admin = Admin.create(adminSettings)) {
            return findOrCreate(admin, topics);
          }
        });
  }

  /** The name of the topic. */
  public String name() {
    return name;
  }

  /**
   * Creates the topic if it does not exist; without the settings that it only wants where the
   * cluster refuses them. If that fails, logs it and does not retry for a minute. May wait for the
   * brokers.
   *
   * @return how many partitions it has; empty if the topic does not exist
   */
  public synchronized Optional<Integer> ensure() {
    if (found.isPresent() || System.nanoTime() - nextTryNanos < 0) {
      return found;
    }
    try {
      found = Optional.of(creation.get());
    } catch (InterruptException e) {
      LOG.debug("The worker ends", e);
    } catch (KafkaException e) {
      LOG.error(
          "The topic {} cannot be created: last starts and checkpoints are lost when this worker"
              + " ends. The topic must be compacted, with as many partitions as the topic of the"
              + " fires, and should have compression.type=uncompressed",
          name,
          e);
      nextTryNanos = System.nanoTime() + BETWEEN_TRIES.toNanos();
    }
    return found;
  }

  private static int findOrCreate(Admin admin, Topics topics) {
    Optional<Integer> partitions = partitions(admin, topics.workers());
    if (partitions.isEmpty()) {
      partitions = partitions(admin, topics.fires());
      create(admin, topics.workers(), partitions.orElseThrow());
    }
    awaitLeaders(admin, topics.workers(), partitions.orElseThrow());
    return partitions.orElseThrow();
  }

  private static void create(Admin admin, String name, int partitions) {
    try {
      createWithout(Set.of(), admin, name, partitions);
    } catch (ApiException e) {
      Map<WantedSetting, String> refused =
          SettingsRefusal.words(e).isEmpty() ? Map.of() : refused(admin, name, partitions);
      if (refused.isEmpty()) {
        throw e;
      }
      createWithout(refused.keySet(), admin, name, partitions);
      LOG.warn(
          "The cluster refuses to create {} with {}, so it was created without: {}",
          name,
          refused.entrySet().stream()
              .map(one -> one.getKey().key() + " (\"" + one.getValue() + "\")")
              .collect(Collectors.joining(" and ")),
          refused.keySet().stream().map(WantedSetting::loss).collect(Collectors.joining("; ")));
    }
  }

  private static void createWithout(
      Set<WantedSetting> refused, Admin admin, String name, int partitions) {
    try {
      answer(
          admin.createTopics(List.of(toCreate(name, partitions, Optional.empty(), refused))).all());
    } catch (TopicExistsException e) {
      LOG.debug("Another worker has created {}", name, e);
    }
  }

  /** A broker names one thing that it refuses, so each setting is tried alone; creates nothing. */
  private static Map<WantedSetting, String> refused(Admin admin, String name, int partitions) {
    Map<WantedSetting, String> refused = new EnumMap<>(WantedSetting.class);
    for (WantedSetting setting : WANTED.keySet()) {
      Set<WantedSetting> others = EnumSet.complementOf(EnumSet.of(setting));
      NewTopic topic = toCreate(name, partitions, Optional.empty(), others);
      try {
        answer(
            admin.createTopics(List.of(topic), new CreateTopicsOptions().validateOnly(true)).all());
      } catch (ApiException e) {
        SettingsRefusal.words(e).ifPresent(words -> refused.put(setting, words));
      }
    }
    return refused;
  }

  /**
   * The topic as a worker creates it.
   *
   * @param replicas empty: as many as the brokers have by default
   * @param without settings to leave out, as far as they are only wanted
   */
  public static NewTopic toCreate(
      String name, int partitions, Optional<Short> replicas, Set<WantedSetting> without) {
    Map<String, String> settings = new HashMap<>();
    settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
    WANTED.forEach(
        (setting, value) -> {
          if (!without.contains(setting)) {
            settings.put(setting.key(), value);
          }
        });
    return new NewTopic(name, Optional.of(partitions), replicas).configs(settings);
  }

  /**
   * If an idempotent producer sends its first batches while a partition has no leader yet, the
   * broker may accept a later batch before an earlier one, and then refuses the earlier one until
   * it times out.
   *
   * <p>A broker may not know yet a topic that was created a moment ago; {@code listOffsets} does
   * not retry by itself.
   */
  private static void awaitLeaders(Admin admin, String name, int partitions) {
    Map<TopicPartition, OffsetSpec> ends =
        IntStream.range(0, partitions)
            .mapToObj(partition -> new TopicPartition(name, partition))
            .collect(Collectors.toMap(each -> each, each -> OffsetSpec.latest()));
    long start = System.nanoTime();
    while (!answers(admin, ends)) {
      if (System.nanoTime() - start > UNKNOWN_AT_MOST.toNanos()) {
        throw new UnknownTopicOrPartitionException(
            "no broker knows " + name + " after " + UNKNOWN_AT_MOST.toSeconds() + " s");
      }
      LockSupport.parkNanos(BETWEEN_QUESTIONS.toNanos());
    }
  }

  /** False while the broker does not know the topic. */
  private static boolean answers(Admin admin, Map<TopicPartition, OffsetSpec> ends) {
    try {
      answer(admin.listOffsets(ends).all());
      return true;
    } catch (UnknownTopicOrPartitionException e) {
      return false;
    }
  }

  private static Optional<Integer> partitions(Admin admin, String topic) {
    try {
      TopicDescription found =
          answer(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic);
      return Optional.ofNullable(found).map(description -> description.partitions().size());
    } catch (UnknownTopicOrPartitionException e) {
      return Optional.empty();
    }
  }

  /** Waits for an answer; throws the exception that a failed request ends with. */
  private static <T> T answer(KafkaFuture<T> request) {
    try {
      return request.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException cause
          ? cause
          : new KafkaException(String.valueOf(e.getCause()), e.getCause());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }
}

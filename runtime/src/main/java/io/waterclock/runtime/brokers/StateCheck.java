package io.waterclock.runtime.brokers;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.ReaderSettings;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.brokers.WantedSetting;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.store.StateCopy;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;

/**
 * Compares the state of a scheduler with its topics.
 *
 * <p>After somebody adds partitions, recreates a topic, or mirrors it from another cluster, the
 * state no longer matches the places of the schedules. A scheduler that continued would fire
 * occurrences again, or forget schedules. So the check stops the start, and names the command to
 * use.
 */
public final class StateCheck {
  private static final int TIMEOUT_S = 30;
  private static final Duration POLL = Duration.ofMillis(200);

  /** This many of the newest offsets of a partition always hold a watermark. */
  private static final long NEWEST = 5_000;

  private static final Logger LOG = SafeLogger.of(StateCheck.class);

  private final Admin admin;
  private final BrokerAnswers answers;
  private final Map<String, Object> client;
  private final WaterclockConfig config;
  private final SchemaSource schemas;

  private StateCheck(
      Admin admin, Map<String, Object> client, WaterclockConfig config, SchemaSource schemas) {
    this.admin = admin;
    this.answers = new BrokerAnswers(client);
    this.client = client;
    this.config = config;
    this.schemas = schemas;
  }

  /**
   * Checks the topics with new clients.
   *
   * @param schemas for watermarks in the registry format
   * @return the ids of the changelogs that exist, by name
   * @throws TopicException if the state does not belong to the topics, or the cluster does not
   *     answer
   */
  public static Map<String, String> run(
      Map<String, Object> client, WaterclockConfig config, SchemaSource schemas) {
    return new BrokerAnswers(client)
        .ask(admin -> new StateCheck(admin, client, config, schemas).run());
  }

  /**
   * Why a scheduler cannot go on: the state does not belong to the topics any more. Empty if it
   * does, or if the cluster does not answer.
   */
  public static Optional<TopicException> explain(
      Map<String, Object> client, WaterclockConfig config, SchemaSource schemas) {
    try {
      return new BrokerAnswers(client)
          .ask(admin -> new StateCheck(admin, client, config, schemas).misfit());
    } catch (TopicException e) {
      LOG.warn("Whether the state belongs to the topics is unknown: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private Map<String, String> run() {
    Map<String, TopicDescription> topics = describe();
    Map<String, TopicDescription> changelogs = changelogs(topics);
    problem(topics, changelogs)
        .ifPresent(
            problem -> {
              throw new TopicException(problem);
            });
    return ChangelogIds.in(changelogs);
  }

  private Optional<TopicException> misfit() {
    Map<String, TopicDescription> topics = describe();
    return problem(topics, changelogs(topics)).map(TopicException::new);
  }

  private Map<String, TopicDescription> changelogs(Map<String, TopicDescription> topics) {
    Map<String, TopicDescription> changelogs = new TreeMap<>(topics);
    changelogs.keySet().retainAll(StateCopy.changelogs(config.applicationId()));
    return changelogs;
  }

  /** Reports one problem: the same command repairs nearly all of them. */
  private Optional<String> problem(
      Map<String, TopicDescription> topics, Map<String, TopicDescription> changelogs) {
    String name = config.topics().schedules();
    TopicDescription schedules = topics.get(name);
    if (schedules == null) {
      return changelogs.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "topic " + name + " is gone, but the state of its schedules is there" + remedy(""));
    }
    int partitions = schedules.partitions().size();
    for (TopicDescription changelog : changelogs.values()) {
      int found = changelog.partitions().size();
      if (found != partitions) {
        return Optional.of(
            ("topic %s has %s partitions, but the state of its schedules was made"
                    + " when it had %s, and they belong to other partitions now%s")
                .formatted(name, partitions, found, remedy("")));
      }
    }
    Collection<Watermark> watermarks = watermarks(topics);
    Optional<String> before =
        watermarks.stream()
            .max(Comparator.comparing(Watermark::getWrittenAt))
            .flatMap(newest -> Optional.ofNullable(newest.getTopicId()));
    if (before.isPresent() && !before.get().equals(id(schedules))) {
      return Optional.of(
          ("topic %s is not the one that its schedules were last decided from: it was"
                  + " made anew, or mirrored from another cluster%s")
              .formatted(name, remedy("")));
    }
    List<String> missing =
        Stream.of(
                StateCopy.definitions(config.applicationId()),
                StateCopy.progress(config.applicationId()))
            .filter(changelog -> !changelogs.containsKey(changelog))
            .toList();
    if (before.isPresent() && !missing.isEmpty()) {
      return Optional.of(
          "the state of the schedules is gone (there is no topic %s)%s"
              .formatted(missing.get(0), remedy(" --from-topics")));
    }
    return emptied(watermarks, changelogs).or(() -> lost(name));
  }

  /** Reports a changelog without records: each watermark was written together with a position. */
  private Optional<String> emptied(
      Collection<Watermark> watermarks, Map<String, TopicDescription> changelogs) {
    Map<TopicPartition, OffsetSpec> written = new HashMap<>();
    for (Watermark watermark : watermarks) {
      List<String> names =
          watermark.getLive() + watermark.getCatchingUp() == 0
              ? List.of(StateCopy.progress(config.applicationId()))
              : List.of(
                  StateCopy.progress(config.applicationId()),
                  StateCopy.definitions(config.applicationId()));
      for (String name : names) {
        TopicDescription changelog = changelogs.get(name);
        if (changelog != null && watermark.getPartition() < changelog.partitions().size()) {
          written.put(new TopicPartition(name, watermark.getPartition()), OffsetSpec.latest());
        }
      }
    }
    return answers
        .get(admin.listOffsets(written).all(), "ask for the ends of the changelogs")
        .entrySet()
        .stream()
        .filter(end -> end.getValue().offset() == 0)
        .findFirst()
        .map(
            end ->
                "the state of the schedules is gone: %s is empty, it was made anew%s"
                    .formatted(end.getKey(), remedy(" --from-topics")));
  }

  /** Reports records that the scheduler has read and that no longer exist. */
  private Optional<String> lost(String topic) {
    Map<TopicPartition, Long> committed = committed(topic);
    Map<TopicPartition, OffsetSpec> wanted =
        committed.keySet().stream()
            .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
    Map<TopicPartition, ListOffsetsResultInfo> ends =
        answers.get(admin.listOffsets(wanted).all(), "ask for the ends of " + topic);
    return ends.entrySet().stream()
        .filter(end -> end.getValue().offset() < committed.getOrDefault(end.getKey(), 0L))
        .findFirst()
        .map(
            end ->
                ("partition %s ends at offset %s, but was read up to %s: it has lost"
                        + " records%s")
                    .formatted(
                        end.getKey(),
                        end.getValue().offset(),
                        committed.get(end.getKey()),
                        remedy("")));
  }

  private Map<TopicPartition, Long> committed(String topic) {
    Map<TopicPartition, Long> known = new HashMap<>();
    answers
        .get(
            admin.listConsumerGroupOffsets(config.applicationId()).partitionsToOffsetAndMetadata(),
            "ask for the offsets of group " + config.applicationId())
        .forEach(
            (partition, offset) -> {
              if (offset != null && partition.topic().equals(topic)) {
                known.put(partition, offset.offset());
              }
            });
    return known;
  }

  /** The newest watermark of each partition. */
  private Collection<Watermark> watermarks(Map<String, TopicDescription> topics) {
    TopicDescription watermarks = topics.get(config.topics().watermarks());
    if (watermarks == null) {
      return List.of();
    }
    List<TopicPartition> partitions =
        watermarks.partitions().stream()
            .map(partition -> new TopicPartition(watermarks.name(), partition.partition()))
            .toList();
    try (Consumer<byte[], byte[]> consumer = ReaderSettings.consumer(client)) {
      return newest(consumer, partitions);
    } catch (KafkaException e) {
      throw new TopicException("cannot read " + watermarks.name() + ": " + RootCause.of(e));
    }
  }

  private Collection<Watermark> newest(
      Consumer<byte[], byte[]> consumer, List<TopicPartition> partitions) {
    consumer.assign(partitions);
    Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    beginnings.forEach(
        (partition, beginning) ->
            consumer.seek(
                partition, Math.max(beginning, ends.getOrDefault(partition, 0L) - NEWEST)));
    Map<String, Watermark> byKey = new HashMap<>();
    long since = System.nanoTime();
    while (ends.entrySet().stream()
        .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      if (System.nanoTime() - since > TimeUnit.SECONDS.toNanos(TIMEOUT_S)) {
        throw new TopicException("cannot read " + config.topics().watermarks() + " to its end");
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        take(record, byKey);
      }
    }
    return byKey.values();
  }

  /** A tombstone removes its watermark. */
  private void take(ConsumerRecord<byte[], byte[]> record, Map<String, Watermark> byKey) {
    String key = record.key() == null ? "" : new String(record.key(), UTF_8);
    if (record.value() == null) {
      byKey.remove(key);
      return;
    }
    try {
      byKey.put(key, RecordCodecs.watermark().decode(record.value(), schemas));
    } catch (UndecodableException e) {
      byKey.remove(key);
    } catch (SchemaUnavailableException e) {
      LOG.warn("The check of the state waits for a schema: {}", e.getMessage());
      byKey.remove(key);
    }
  }

  private Map<String, TopicDescription> describe() {
    Set<String> present = answers.get(admin.listTopics().names(), "list the topics");
    Topics topics = config.topics();
    Collection<String> wanted =
        Stream.concat(
                Stream.of(topics.schedules(), topics.watermarks()),
                StateCopy.changelogs(config.applicationId()).stream())
            .filter(present::contains)
            .toList();
    return answers.get(admin.describeTopics(wanted).allTopicNames(), "describe the topics");
  }

  private static String id(TopicDescription topic) {
    return topic.topicId().toString();
  }

  private String remedy(String options) {
    String byDefault = config.topics().prefix() + WaterclockConfig.APPLICATION_ID_ENDING;
    return ": stop all instances and run waterclock reset --bootstrap-server %s --prefix %s%s%s%s"
        .formatted(
            config.bootstrapServers(),
            config.topics().prefix(),
            config.applicationId().equals(byDefault)
                ? ""
                : " --application-id " + config.applicationId(),
            config.accepted().isEmpty() ? "" : " --accept " + WantedSetting.text(config.accepted()),
            options);
  }
}

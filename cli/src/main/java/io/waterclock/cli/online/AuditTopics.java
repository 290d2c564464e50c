package io.waterclock.cli.online;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.audit.Audit;
import io.waterclock.topology.audit.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * What the topics hold for an audit, and from when to when that is complete.
 *
 * <p>Watermarks are read first: what they say is decided was committed no later than they were, and
 * so lies before the ends to which the other topics are read afterwards.
 */
final class AuditTopics {
  private final Cluster cluster;
  private final Topics topics;
  private final TopicReader reader;
  private final Audit audit = new Audit();
  private final Map<Integer, Watermark> watermarks = new HashMap<>();
  private final Map<TopicPartition, Instant> completeAfter = new HashMap<>();
  private final List<String> unreadable = new ArrayList<>();
  private final Map<String, List<TopicPartition>> partitions = new HashMap<>();

  private AuditTopics(Cluster cluster, Progress progress) {
    this.cluster = cluster;
    this.topics = cluster.topics();
    this.reader = new TopicReader(cluster, progress);
    for (String topic :
        List.of(
            topics.schedules(),
            topics.revisions(),
            topics.fires(),
            topics.missed(),
            topics.status())) {
      partitions.put(topic, cluster.partitions(topic));
    }
  }

  /**
   * @param id reads only the partitions of this schedule
   */
  static AuditTopics read(Cluster cluster, Optional<String> id, Progress progress) {
    AuditTopics all = new AuditTopics(cluster, progress);
    all.readWatermarks();
    all.readOutcomes(id);
    return all;
  }

  Audit audit() {
    return audit;
  }

  /** Positions of records that are none. */
  List<String> unreadable() {
    return unreadable;
  }

  /** Empty when no scheduler has said yet that anything is decided. */
  Optional<Window> window(String id) {
    Optional<Watermark> watermark =
        Optional.ofNullable(watermarks.get(home(topics.schedules(), id).partition()));
    return watermark.map(
        found ->
            new Window(
                List.of(topics.fires(), topics.missed()).stream()
                    .map(topic -> completeAfter(topic, id))
                    .reduce(Instant.MIN, (a, b) -> a.isAfter(b) ? a : b),
                found.getDecidedThrough()));
  }

  private Instant completeAfter(String topic, String id) {
    return completeAfter.getOrDefault(home(topic, id), Instant.MIN);
  }

  private TopicPartition home(String topic, String id) {
    return Partitions.home(id, partitions.getOrDefault(topic, List.of()));
  }

  private void readWatermarks() {
    reader.toEnd(
        cluster.partitions(topics.watermarks()),
        record -> {
          decode(
              RecordCodecs.watermark(),
              record,
              watermark -> watermarks.put(watermark.getPartition(), watermark));
          return true;
        });
  }

  private void readOutcomes(Optional<String> id) {
    List<TopicPartition> wanted = new ArrayList<>();
    for (String topic :
        List.of(topics.revisions(), topics.fires(), topics.missed(), topics.status())) {
      wanted.addAll(
          id.map(one -> List.of(home(topic, one)))
              .orElseGet(() -> partitions.getOrDefault(topic, List.of())));
    }
    Map<TopicPartition, Long> beginnings = reader.beginnings(wanted);
    reader.toEnd(
        wanted,
        record -> {
          TopicPartition partition = new TopicPartition(record.topic(), record.partition());
          if (beginnings.getOrDefault(partition, 0L) > 0) {
            completeAfter.putIfAbsent(partition, Instant.ofEpochMilli(record.timestamp()));
          }
          take(record, id);
          return true;
        });
    beginnings.forEach(
        (partition, beginning) -> {
          if (beginning > 0) {
            completeAfter.putIfAbsent(partition, Instant.MAX); // nothing of it is left
          }
        });
  }

  private void take(ConsumerRecord<byte[], byte[]> record, Optional<String> id) {
    if (record.topic().equals(topics.revisions())) {
      decode(
          RecordCodecs.revision(), record, it -> only(id, it.getScheduleId(), () -> audit.add(it)));
    } else if (record.topic().equals(topics.fires())) {
      decode(RecordCodecs.fire(), record, it -> only(id, it.getScheduleId(), () -> audit.add(it)));
    } else if (record.topic().equals(topics.missed())) {
      decode(
          RecordCodecs.missed(), record, it -> only(id, it.getScheduleId(), () -> audit.add(it)));
    } else if (record.value() == null) {
      String deleted = record.key() == null ? "" : new String(record.key(), UTF_8);
      only(id, deleted, () -> audit.statusDeleted(deleted));
    } else {
      decode(
          RecordCodecs.status(), record, it -> only(id, it.getScheduleId(), () -> audit.add(it)));
    }
  }

  private static void only(Optional<String> id, String scheduleId, Runnable add) {
    if (id.isEmpty() || id.get().equals(scheduleId)) {
      add.run();
    }
  }

  private <T extends SpecificRecordBase> void decode(
      RecordCodec<T> codec, ConsumerRecord<byte[], byte[]> record, Consumer<T> to) {
    if (record.value() == null) {
      return;
    }
    try {
      to.accept(codec.decode(record.value()));
    } catch (UndecodableException e) {
      unreadable.add(record.topic() + "-" + record.partition() + "@" + record.offset());
    }
  }
}

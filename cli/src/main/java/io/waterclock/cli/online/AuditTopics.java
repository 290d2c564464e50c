package io.waterclock.cli.online;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.occurrences.Zones;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.audit.Audit;
import io.waterclock.topology.audit.Window;
import io.waterclock.topology.decide.Triggers;
import java.time.Instant;
import java.time.ZoneId;
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

  private AuditTopics(Cluster cluster, ReadProgress progress) {
    this.cluster = cluster;
    this.topics = cluster.topics();
    this.reader = cluster.reader(progress);
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
   * @param zone of schedules that name none
   */
  static AuditTopics read(
      Cluster cluster, Optional<String> id, ZoneId zone, ReadProgress progress) {
    AuditTopics all = new AuditTopics(cluster, progress);
    all.readWatermarks();
    all.readOutcomes(id);
    all.readDefinitions(id, zone);
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

  /**
   * What is in force may be older than the topic revisions goes back; the topic schedules has it.
   */
  private void readDefinitions(Optional<String> id, ZoneId zone) {
    Map<String, ScheduleStatus> unknown = new HashMap<>();
    audit.unknownInForce().forEach(status -> unknown.put(status.getRevision(), status));
    if (unknown.isEmpty()) {
      return;
    }
    List<TopicPartition> all = partitions.getOrDefault(topics.schedules(), List.of());
    reader.toEnd(
        id.map(one -> List.of(home(topics.schedules(), one))).orElse(all),
        record -> {
          Optional.ofNullable(unknown.get(position(record)))
              .ifPresent(
                  status ->
                      decode(
                          RecordCodecs.schedule(),
                          record,
                          schedule ->
                              inForce(status, schedule, zone).ifPresent(audit::addInForce)));
          return true;
        });
  }

  /**
   * The revision as far as the definition tells it. Empty for one that counts from its acceptance,
   * or ends after a number of occurrences since.
   */
  private Optional<Revision> inForce(ScheduleStatus status, Schedule schedule, ZoneId zone) {
    schedule.setTimezone(Optional.ofNullable(schedule.getTimezone()).orElse(zone.getId()));
    if (schedule.getMaxOccurrences() != null
        || Triggers.known(schedule, Zones.parse(schedule.getTimezone()), Optional.empty())
            .isEmpty()) {
      return Optional.empty();
    }
    Instant oldest = completeAfter(topics.revisions(), status.getScheduleId());
    boolean goesFurtherBack = oldest.isAfter(Instant.MIN) && oldest.isBefore(status.getSince());
    Instant since = goesFurtherBack ? oldest : status.getSince();
    return Optional.of(
        Revision.newBuilder()
            .setScheduleId(status.getScheduleId())
            .setRevision(status.getRevision())
            .setSchedule(schedule)
            .setOwnsAfter(since)
            .setEffectiveAt(since)
            .setAcceptedAt(since)
            .setResolvedAt(Triggers.resolve(schedule, since).orElse(null))
            .setBoundedBy(schedule.getEndAt())
            .setTzdb("")
            .build());
  }

  private static String position(ConsumerRecord<byte[], byte[]> record) {
    return record.topic() + "-" + record.partition() + "@" + record.offset();
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
      to.accept(codec.decode(record.value(), cluster.schemas()));
    } catch (UndecodableException e) {
      unreadable.add(position(record));
    }
  }
}

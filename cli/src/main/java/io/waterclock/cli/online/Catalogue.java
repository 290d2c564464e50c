package io.waterclock.cli.online;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** What the topics schedules, revisions and status say now, by schedule id. */
final class Catalogue {
  private final Cluster cluster;
  private final SortedMap<String, Entry> entries = new TreeMap<>();

  private Catalogue(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Every schedule; keeps all definitions in memory. */
  static List<Entry> all(Cluster cluster, Progress progress) {
    Catalogue catalogue = new Catalogue(cluster);
    List<TopicPartition> schedules = cluster.partitions(cluster.topics().schedules());
    List<TopicPartition> partitions = new ArrayList<>(schedules);
    catalogue.statements().forEach(topic -> partitions.addAll(cluster.partitions(topic)));
    new TopicReader(cluster, progress)
        .toEnd(partitions, record -> isStray(record, schedules) || catalogue.take(record));
    return catalogue.entries.values().stream().filter(Entry::exists).toList();
  }

  /** One schedule; reads only the partitions that it lives in. */
  static Optional<Entry> of(String id, Cluster cluster) {
    Catalogue catalogue = new Catalogue(cluster);
    List<TopicPartition> partitions =
        catalogue.topics().stream()
            .map(topic -> Partitions.home(id, cluster.partitions(topic)))
            .toList();
    new TopicReader(cluster)
        .toEnd(partitions, record -> !id.equals(key(record)) || catalogue.take(record));
    return Optional.ofNullable(catalogue.entries.get(id)).filter(Entry::exists);
  }

  private List<String> topics() {
    return Stream.concat(Stream.of(cluster.topics().schedules()), statements().stream()).toList();
  }

  /** What the scheduler says of schedules. */
  private List<String> statements() {
    return List.of(cluster.topics().revisions(), cluster.topics().status());
  }

  /** True for a definition that is still to be moved home, and for what it leaves behind. */
  private static boolean isStray(
      ConsumerRecord<byte[], byte[]> record, List<TopicPartition> schedules) {
    return schedules.get(0).topic().equals(record.topic())
        && Partitions.home(key(record), schedules).partition() != record.partition();
  }

  private boolean take(ConsumerRecord<byte[], byte[]> record) {
    if (record.topic().equals(cluster.topics().schedules())) {
      Optional<Definition> definition =
          Optional.ofNullable(record.value())
              .map(
                  value ->
                      new Definition(position(record), decode(RecordCodecs.schedule(), value)));
      change(record, entry -> entry.with(definition));
    } else if (record.topic().equals(cluster.topics().status())) {
      change(record, entry -> entry.withStatus(value(RecordCodecs.status(), record)));
    } else {
      Optional<Revision> revision = value(RecordCodecs.revision(), record);
      revision.ifPresent(accepted -> change(record, entry -> entry.withRevision(accepted)));
    }
    return true;
  }

  private void change(ConsumerRecord<byte[], byte[]> record, UnaryOperator<Entry> change) {
    entries.compute(key(record), (id, entry) -> change.apply(entry == null ? Entry.of(id) : entry));
  }

  private static String key(ConsumerRecord<byte[], byte[]> record) {
    return record.key() == null ? "" : new String(record.key(), UTF_8);
  }

  private static String position(ConsumerRecord<byte[], byte[]> record) {
    return record.topic() + "-" + record.partition() + "@" + record.offset();
  }

  private <T extends SpecificRecordBase> Optional<T> value(
      RecordCodec<T> codec, ConsumerRecord<byte[], byte[]> record) {
    return Optional.ofNullable(record.value()).flatMap(bytes -> decode(codec, bytes));
  }

  /** What cannot be read is the scheduler's to report, in the status; here it is just absent. */
  private <T extends SpecificRecordBase> Optional<T> decode(RecordCodec<T> codec, byte[] bytes) {
    try {
      return Optional.of(codec.decode(bytes, cluster.schemas()));
    } catch (UndecodableException e) {
      return Optional.empty();
    }
  }
}

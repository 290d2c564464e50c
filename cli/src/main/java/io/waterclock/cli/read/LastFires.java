package io.waterclock.cli.read;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.client.topics.Partitions;
import io.waterclock.client.topics.ReadProgress;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The last fire of each schedule, among the newest records of each partition of the topic fires.
 */
final class LastFires {
  private final List<TopicPartition> partitions;
  private final List<TopicPartition> schedules;

  /** The first offsets of the partitions from which no record was read yet. */
  private final Map<TopicPartition, Long> beginnings;

  private final Map<String, Instant> firedAt = new HashMap<>();
  private final Map<Integer, Instant> readSince = new HashMap<>();

  private LastFires(
      List<TopicPartition> partitions,
      List<TopicPartition> schedules,
      Map<TopicPartition, Long> beginnings) {
    this.partitions = partitions;
    this.schedules = schedules;
    this.beginnings = new HashMap<>(beginnings);
  }

  /**
   * Reads the newest fires.
   *
   * @param depth the number of records to read of each partition
   */
  static LastFires read(Cluster cluster, long depth, ReadProgress progress) {
    TopicReader reader = cluster.reader(progress);
    List<TopicPartition> partitions = cluster.partitions(cluster.topics().fires());
    LastFires fires =
        new LastFires(
            partitions,
            cluster.partitions(cluster.topics().schedules()),
            reader.beginnings(partitions));
    reader.newest(partitions, depth, fires::take);
    return fires;
  }

  /** The time of the last fire, "not since" and a time, or a hyphen if no fire is retained. */
  String text(String id) {
    return firedAt(id)
        .map(Instant::toString)
        .or(() -> notSince(id).map(since -> "not since " + since))
        .orElse("-");
  }

  void addTo(ObjectNode tree, String id) {
    firedAt(id).ifPresent(at -> tree.put("last_fired_at", at.toString()));
    if (firedAt(id).isEmpty()) {
      notSince(id).ifPresent(since -> tree.put("not_fired_since", since.toString()));
    }
  }

  private Optional<Instant> firedAt(String id) {
    return Optional.ofNullable(firedAt.get(id));
  }

  /** Empty if the whole partition was read. */
  private Optional<Instant> notSince(String id) {
    return Optional.ofNullable(
        readSince.get(Partitions.ofFires(id, () -> schedules, partitions).partition()));
  }

  private boolean take(ConsumerRecord<byte[], byte[]> record) {
    Instant at = Instant.ofEpochMilli(record.timestamp());
    Long beginning = beginnings.remove(new TopicPartition(record.topic(), record.partition()));
    if (beginning != null && record.offset() > beginning) {
      readSince.put(record.partition(), at);
    }
    if (record.key() != null) {
      id(record.key()).ifPresent(id -> firedAt.merge(id, at, Instants::later));
    }
    return true;
  }

  /** Ignores keys that are not keys of fires. */
  private static Optional<String> id(byte[] key) {
    try {
      return Optional.of(FireKey.parse(new String(key, UTF_8)).schedule().value());
    } catch (InvalidIdException e) {
      return Optional.empty();
    }
  }
}

package io.waterclock.client.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.Topics;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** The partitions that contain the records of a schedule, and places in them. */
public final class Partitions {
  private static final Pattern POSITION = Pattern.compile("(.+)-(\\d{1,9})@(\\d{1,18})");

  private Partitions() {}

  /** Where a record is. */
  public record Place(TopicPartition partition, long offset) {}

  /** The partition to which the Java client's partitioner sends this id. */
  public static TopicPartition home(String id, List<TopicPartition> partitions) {
    return number(HomePartition.of(id.getBytes(UTF_8), partitions.size()), partitions);
  }

  /** The partition in which a schedule's fires are. Asks the brokers. */
  public static TopicPartition ofFires(String id, TopicReader reader, Topics topics) {
    return home(id, topics.fires(), topics, reader::partitions);
  }

  /**
   * The partition of a topic in which the records of a schedule are.
   *
   * @param partitions gives those of a topic
   */
  public static TopicPartition home(
      String id, String topic, Topics topics, Function<String, List<TopicPartition>> partitions) {
    List<TopicPartition> all = partitions.apply(topic);
    return topic.equals(topics.fires())
        ? ofFires(id, () -> partitions.apply(topics.schedules()), all)
        : home(id, all);
  }

  /**
   * The same, where the partitions of fires are known.
   *
   * @param schedules asked only for a delayed record without a name: others need no right to it
   */
  public static TopicPartition ofFires(
      String id, Supplier<List<TopicPartition>> schedules, List<TopicPartition> fires) {
    byte[] key = id.getBytes(UTF_8);
    return HomePartition.isUnnamed(key)
        ? number(HomePartition.ofFires(key, schedules.get().size(), fires.size()), fires)
        : home(id, fires);
  }

  private static TopicPartition number(int number, List<TopicPartition> partitions) {
    return partitions.stream()
        .filter(partition -> partition.partition() == number)
        .findFirst()
        .orElseThrow();
  }

  /**
   * The same record, for a topic of so many partitions: one beyond them, as of another topic that
   * has more, is left to the producer, which would wait for it in vain.
   */
  public static ProducerRecord<byte[], byte[]> within(
      int partitions, ProducerRecord<byte[], byte[]> record) {
    Integer partition = record.partition();
    return partition == null || partition < partitions
        ? record
        : new ProducerRecord<>(
            record.topic(),
            null,
            record.timestamp(),
            record.key(),
            record.value(),
            record.headers());
  }

  /** The key of a record as text, which need not be an id; empty if it has none. */
  public static String key(ConsumerRecord<byte[], byte[]> record) {
    return record.key() == null ? "" : new String(record.key(), UTF_8);
  }

  /** Whether the key of a record begins with these bytes. */
  public static boolean keyBegins(ConsumerRecord<byte[], byte[]> record, byte[] beginning) {
    byte[] key = record.key();
    return key != null
        && key.length >= beginning.length
        && Arrays.equals(key, 0, beginning.length, beginning, 0, beginning.length);
  }

  /** The position of a record: topic-partition@offset. A definition's is its revision. */
  public static String position(ConsumerRecord<?, ?> record) {
    return record.topic() + "-" + record.partition() + "@" + record.offset();
  }

  /** The place that a text of the form of {@link #position} names; empty for another text. */
  public static Optional<Place> place(String position) {
    Matcher parts = POSITION.matcher(position);
    return parts.matches()
        ? Optional.of(
            new Place(
                new TopicPartition(parts.group(1), Integer.parseInt(parts.group(2))),
                Long.parseLong(parts.group(3))))
        : Optional.empty();
  }
}

package io.waterclock.cli.live;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.client.topics.TopicReader;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Watermark;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The newest watermark of a partition.
 *
 * @param stampedAt when the broker stored it, by the clock of the broker
 */
public record NewestWatermark(Watermark watermark, Instant stampedAt) {

  /** More offsets than a partition of the topic receives in some minutes. */
  private static final long NEWEST = 2_000;

  /** How far the clock of the instance that wrote it was ahead of the broker's. */
  public Duration ownerAhead() {
    return Duration.between(stampedAt, watermark.getWrittenAt());
  }

  /**
   * The newest watermarks of all partitions that ever had one, by partition. Reads the end of the
   * topic, and the whole topic only if a watermark is missing there.
   *
   * @param partitions of the schedules topic
   */
  public static Map<Integer, NewestWatermark> all(Cluster cluster, int partitions) {
    Map<Integer, NewestWatermark> watermarks = new HashMap<>();
    List<TopicPartition> topic = cluster.partitions(cluster.topics().watermarks());
    TopicReader reader = cluster.reader();
    reader.newest(topic, NEWEST, record -> take(record, watermarks, cluster));
    if (watermarks.size() < partitions) {
      reader.toEnd(topic, record -> take(record, watermarks, cluster));
    }
    return watermarks;
  }

  /** Ignores invalid records: the next watermark of the scheduler follows within seconds. */
  private static boolean take(
      ConsumerRecord<byte[], byte[]> record,
      Map<Integer, NewestWatermark> watermarks,
      Cluster cluster) {
    cluster
        .decode(RecordCodecs.watermark(), record)
        .ifPresent(
            watermark ->
                watermarks.put(
                    watermark.getPartition(),
                    new NewestWatermark(watermark, Instant.ofEpochMilli(record.timestamp()))));
    return true;
  }
}

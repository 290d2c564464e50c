package io.waterclock.client.topics;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
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
   * @param topic the topic of watermarks
   * @param partitions how many the topic of schedules has
   */
  public static Map<Integer, NewestWatermark> all(
      TopicReader reader, String topic, SchemaSource schemas, int partitions) {
    Map<Integer, NewestWatermark> watermarks = new HashMap<>();
    List<TopicPartition> all = reader.partitions(topic);
    reader.newest(all, NEWEST, record -> take(record, watermarks, schemas));
    if (watermarks.size() < partitions) {
      reader.toEnd(all, record -> take(record, watermarks, schemas));
    }
    return watermarks;
  }

  /** Ignores invalid records: the next watermark of the scheduler follows within seconds. */
  private static boolean take(
      ConsumerRecord<byte[], byte[]> record,
      Map<Integer, NewestWatermark> watermarks,
      SchemaSource schemas) {
    RecordCodecs.watermark()
        .readable(record.value(), schemas)
        .ifPresent(
            watermark ->
                watermarks.put(
                    watermark.getPartition(),
                    new NewestWatermark(watermark, Instant.ofEpochMilli(record.timestamp()))));
    return true;
  }
}

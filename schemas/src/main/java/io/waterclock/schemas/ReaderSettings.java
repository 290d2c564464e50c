package io.waterclock.schemas;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The settings of every consumer that reads committed records without a group, and the bound that
 * all consumers share.
 */
public final class ReaderSettings {
  /**
   * How many bytes a consumer fetches at a time; a larger batch comes alone. A megabyte of records
   * that consist of empty headers takes 45 MB in memory, and with Kafka's 50 MB one fetch would
   * bring those of all partitions.
   */
  public static final int FETCH_MAX_BYTES = 1 << 20;

  /** Bounds what a poll unpacks from one compressed batch. */
  private static final int MAX_POLL_RECORDS = 100;

  private ReaderSettings() {}

  /**
   * A consumer with the settings of {@link #of}. It has no group to leave, so {@code close} waits
   * for nothing: Kafka's own waits for the fetch that is under way, half a second at a topic's end.
   */
  public static KafkaConsumer<byte[], byte[]> consumer(Map<String, ?> settings) {
    return new KafkaConsumer<>(
        of(settings), new ByteArrayDeserializer(), new ByteArrayDeserializer()) {
      @Override
      @SuppressWarnings("deprecation") // kafka-clients 3.9 has no CloseOptions
      public void close() {
        close(Duration.ZERO);
      }
    };
  }

  /**
   * @param settings how to reach the cluster; bounds among them win over ours
   */
  static Map<String, Object> of(Map<String, ?> settings) {
    Map<String, Object> own = new HashMap<>(settings);
    own.putIfAbsent(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_MAX_BYTES);
    own.putIfAbsent(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_MAX_BYTES);
    own.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_POLL_RECORDS);
    // whole topics overflow Kafka's 64 kB
    own.putIfAbsent(ConsumerConfig.RECEIVE_BUFFER_CONFIG, -1);
    own.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    own.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    own.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    own.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    return own;
  }
}

package io.waterclock.bench;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A read_committed consumer of the fires on a thread of its own: what it sees, a service would see.
 * Begins at the end of the topic.
 */
final class Arrivals implements AutoCloseable {
  private static final InstantSource CLOCK = InstantSource.system();

  /** Hears of each record on the consumer's thread. */
  @FunctionalInterface
  interface Listener {
    /**
     * @param seenUs epoch microseconds when the poll returned it
     */
    void seen(ConsumerRecord<byte[], byte[]> record, long seenUs);
  }

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Thread thread;
  private volatile Listener listener = (record, seenUs) -> {};
  private volatile boolean closing;

  Arrivals(String bootstrapServers, String topic) {
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "enable.auto.commit",
                "false",
                "isolation.level",
                "read_committed",
                "max.poll.records",
                5_000),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
    thread = new Thread(this::run, "arrivals");
    thread.setDaemon(true);
    thread.start();
  }

  /** Sends the fires of a work to this listener from now on, and nothing else. */
  void to(Work work, FireListener next) {
    to(
        (record, seenUs) -> {
          if (Keys.isOf(work.phase(), record.key())) {
            int number = Keys.number(record.key());
            long dueMs =
                work.interval().isPresent()
                    ? Keys.occurrenceMs(record.key())
                    : work.due(number).toEpochMilli();
            next.fired(number, dueMs, seenUs);
          }
        });
  }

  /** Sends everything from now on to this listener. */
  void to(Listener next) {
    listener = next;
  }

  private void run() {
    while (!closing) {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(100));
      long seenUs = nowUs();
      Listener current = listener;
      for (ConsumerRecord<byte[], byte[]> record : records) {
        current.seen(record, seenUs);
      }
    }
    consumer.close();
  }

  private static long nowUs() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, CLOCK.instant());
  }

  @Override
  public void close() {
    closing = true;
    try {
      thread.join(5_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

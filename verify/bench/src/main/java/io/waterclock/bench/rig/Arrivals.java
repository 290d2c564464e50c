package io.waterclock.bench.rig;

import io.waterclock.bench.load.Keys;
import io.waterclock.bench.load.Work;
import io.waterclock.bench.meter.FireListener;
import io.waterclock.bench.meter.RecordListener;
import io.waterclock.bench.run.Await;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/**
 * A read_committed consumer of the fires on a thread of its own: what it sees, a service would see.
 * Begins at the end of the topic.
 */
public final class Arrivals implements AutoCloseable {
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Thread thread;
  private volatile RecordListener listener = (record, seenUs) -> {};
  private volatile boolean closing;

  Arrivals(String bootstrapServers, String topic) {
    consumer = Clients.consumer(bootstrapServers, topic, Map.of("max.poll.records", 5_000));
    consumer.seekToEnd(consumer.assignment());
    consumer.assignment().forEach(consumer::position);
    thread = new Thread(this::run, "arrivals");
    thread.setDaemon(true);
    thread.start();
  }

  /** Sends the fires of a work to this listener from now on, and nothing else. */
  public void to(Work work, FireListener next) {
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
  public void to(RecordListener next) {
    listener = next;
  }

  private void run() {
    while (!closing) {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(100));
      long seenUs = nowUs();
      RecordListener current = listener;
      for (ConsumerRecord<byte[], byte[]> record : records) {
        current.seen(record, seenUs);
      }
    }
    consumer.close();
  }

  private static long nowUs() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Await.now());
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

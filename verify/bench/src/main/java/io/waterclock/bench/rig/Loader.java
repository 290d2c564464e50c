package io.waterclock.bench.rig;

import io.waterclock.bench.load.Keys;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** Writes schedules ahead of time and waits until all were accepted. */
public final class Loader implements AutoCloseable {
  /** The consumer group of schedulers with the default prefix. */
  static final String GROUP = "waterclock-scheduler";

  private static final Duration STALL_BOUND = Duration.ofMinutes(5);

  private final String topic;
  private final String group;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Admin admin;
  private final Queue<Exception> failures = new ConcurrentLinkedQueue<>();

  /**
   * @param group the consumer group that accepts them
   */
  Loader(String bootstrapServers, String topic, String group) {
    this.topic = topic;
    this.group = group;
    this.producer =
        Clients.producer(bootstrapServers, Map.of("linger.ms", 20, "batch.size", 256 * 1024));
    this.admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
  }

  /** Writes {@code count} schedules; returns when the broker has them. */
  public void write(String phase, int count, IntFunction<byte[]> definition) {
    for (int i = 0; i < count; i++) {
      send(phase, i, definition.apply(i));
    }
    flush();
  }

  /** Deletes what {@link #write} has written; returns when the broker knows. */
  public void delete(String phase, int count) {
    for (int i = 0; i < count; i++) {
      send(new ProducerRecord<>(topic, key(phase, i), null));
    }
    flush();
  }

  /** Writes a schedule; {@link #awaitAccepted} fails if the broker does not take it. */
  public void send(String phase, int number, byte[] definition) {
    send(new ProducerRecord<>(topic, key(phase, number), definition));
  }

  private void send(ProducerRecord<byte[], byte[]> record) {
    Future<RecordMetadata> unused =
        producer.send(
            record, (written, failure) -> Optional.ofNullable(failure).ifPresent(failures::add));
  }

  private static byte[] key(String phase, int number) {
    return Keys.id(phase, number).getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns when the broker has all that was sent. */
  private void flush() {
    producer.flush();
    if (!failures.isEmpty()) {
      throw new BenchException("a schedule could not be written", failures.element());
    }
  }

  /** As {@link #send}, as if it had been written at another time. */
  public void writeAt(String phase, int number, Instant timestamp, byte[] definition) {
    byte[] key = key(phase, number);
    send(new ProducerRecord<>(topic, null, timestamp.toEpochMilli(), key, definition));
  }

  /**
   * Returns when the group has committed everything that was written.
   *
   * @throws BenchException if it does not get on for minutes
   */
  public void awaitAccepted() {
    flush();
    Map<TopicPartition, ListOffsetsResultInfo> ends = ends();
    long left = left(ends);
    while (left > 0) {
      long before = left;
      Await.until(group + " accepts more", STALL_BOUND, () -> left(ends) < before);
      left = left(ends);
    }
  }

  /** How many offsets the group has not committed yet. */
  private long left(Map<TopicPartition, ListOffsetsResultInfo> ends) {
    Map<TopicPartition, OffsetAndMetadata> committed =
        Await.answer(
            "the offsets of " + group,
            admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
    OffsetAndMetadata none = new OffsetAndMetadata(0);
    return ends.entrySet().stream()
        .mapToLong(
            end -> end.getValue().offset() - committed.getOrDefault(end.getKey(), none).offset())
        .filter(offsets -> offsets > 0)
        .sum();
  }

  private Map<TopicPartition, ListOffsetsResultInfo> ends() {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    producer
        .partitionsFor(topic)
        .forEach(
            info -> latest.put(new TopicPartition(topic, info.partition()), OffsetSpec.latest()));
    return Await.answer("the end of " + topic, admin.listOffsets(latest).all());
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
  }
}

package io.waterclock.bench.rig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * The baseline of loading: a plain loop that reads definitions, and writes for each of them what a
 * scheduler wrote for one, in transactions with the offsets. It understands, checks and remembers
 * nothing.
 */
final class BaselineLoop implements AutoCloseable {
  /** What is written for each definition, under its key. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Copied(String topic, byte[] value) {}

  private final String definitions;
  private final String bootstrapServers;
  private final String group;
  private final long commitNanos;
  private final KafkaProducer<byte[], byte[]> producer;
  private final List<Copied> outputs = new ArrayList<>();
  private volatile boolean isClosing;

  BaselineLoop(String definitions, String group, long commitMs, Map<String, String> settings) {
    this.definitions = definitions;
    this.group = group;
    this.commitNanos = TimeUnit.MILLISECONDS.toNanos(commitMs);
    this.bootstrapServers = Objects.requireNonNull(settings.get("bootstrap.servers"));
    this.producer = Clients.producer(bootstrapServers, settings);
    producer.initTransactions();
  }

  @Override
  public void close() {
    isClosing = true;
  }

  /** Reads a record of a topic, to write it to another one from now on. */
  void learn(String topic, String copy) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        Clients.consumer(bootstrapServers, topic, Map.of("max.poll.records", 1))) {
      consumer.seekToBeginning(consumer.assignment());
      ConsumerRecords<byte[], byte[]> records = ConsumerRecords.empty();
      while (records.isEmpty()) {
        records = consumer.poll(Duration.ofMillis(100));
      }
      outputs.add(new Copied(copy, records.iterator().next().value()));
    }
  }

  /** Begins with the definitions that are written next. */
  void run() {
    KafkaConsumer<byte[], byte[]> consumer =
        Clients.consumer(bootstrapServers, definitions, Map.of("group.id", group));
    consumer.seekToEnd(consumer.assignment());
    consumer.assignment().forEach(consumer::position);
    Thread thread = new Thread(() -> copy(consumer), "loop");
    thread.setDaemon(true);
    thread.start();
  }

  private void copy(KafkaConsumer<byte[], byte[]> consumer) {
    Map<TopicPartition, OffsetAndMetadata> read = new HashMap<>();
    long commitAt = 0;
    while (!isClosing) {
      ConsumerRecords<byte[], byte[]> records =
          consumer.poll(Duration.ofMillis(read.isEmpty() ? 100 : 1));
      if (read.isEmpty() && !records.isEmpty()) {
        producer.beginTransaction();
        commitAt = System.nanoTime() + commitNanos;
      }
      records.forEach(this::copy);
      read.putAll(records.nextOffsets());
      if (!read.isEmpty() && System.nanoTime() - commitAt >= 0) {
        producer.sendOffsetsToTransaction(read, consumer.groupMetadata());
        producer.commitTransaction();
        read.clear();
      }
    }
  }

  /** Does not wait: a record that fails makes the commit fail. */
  private void copy(ConsumerRecord<byte[], byte[]> definition) {
    for (Copied output : outputs) {
      Future<RecordMetadata> unused =
          producer.send(new ProducerRecord<>(output.topic(), definition.key(), output.value()));
    }
  }
}

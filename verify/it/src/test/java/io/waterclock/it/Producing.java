package io.waterclock.it;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes records as anybody would, with a plain producer. */
final class Producing implements AutoCloseable {
  private final KafkaProducer<byte[], byte[]> producer;
  private final String topic;

  Producing(String bootstrapServers, String topic) {
    this(bootstrapServers, topic, Map.of());
  }

  /**
   * @param more settings of the producer
   */
  Producing(String bootstrapServers, String topic, Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", bootstrapServers);
    settings.put("linger.ms", 0);
    this.topic = topic;
    this.producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** A producer whose writes are part of transactions. */
  static Producing inTransactions(Tenant tenant, String topic) {
    Producing producing =
        new Producing(
            tenant.bootstrapServers(),
            topic,
            Map.of(
                "transactional.id",
                tenant.prefix() + "-writer",
                "transaction.timeout.ms",
                600_000));
    producing.producer.initTransactions();
    return producing;
  }

  void begin() {
    producer.beginTransaction();
  }

  void commit() {
    producer.commitTransaction();
  }

  void abort() {
    producer.abortTransaction();
  }

  void put(String id, String json) {
    send(Optional.of(bytes(id)), Optional.of(bytes(json)), Map.of());
  }

  /** Writes a definition as of some time ago. */
  void put(String id, String json, Instant timestamp) {
    await(
        producer.send(
            new ProducerRecord<>(topic, null, timestamp.toEpochMilli(), bytes(id), bytes(json))));
  }

  /** Returns the timestamp that the broker says the record has. */
  Instant putAt(String id, String json) {
    return Instant.ofEpochMilli(
        await(producer.send(new ProducerRecord<>(topic, bytes(id), bytes(json)))).timestamp());
  }

  void delete(String id) {
    send(Optional.of(bytes(id)), Optional.empty(), Map.of());
  }

  /** Deletes them together, and waits for all. */
  void delete(List<String> ids) {
    sendAll(ids.stream().map(id -> new ProducerRecord<>(topic, bytes(id), null)));
  }

  /** Deletes a schedule in a partition of choice. */
  void delete(String id, int partition) {
    await(producer.send(new ProducerRecord<>(topic, partition, bytes(id), null)));
  }

  /** Writes many schedules that will not fire, so that it takes a while to read them. */
  void fill(int count) {
    byte[] value = bytes("{\"at\":\"2099-01-01T00:00:00Z\"}");
    sendAll(
        IntStream.range(0, count)
            .mapToObj(i -> new ProducerRecord<>(topic, bytes("fill/" + i), value)));
  }

  private void sendAll(Stream<ProducerRecord<byte[], byte[]>> records) {
    List<Future<RecordMetadata>> written = records.map(producer::send).toList();
    written.forEach(Producing::await);
  }

  void send(Optional<byte[]> key, Optional<byte[]> value, Map<String, String> headers) {
    await(producer.send(record(key, value, headers)));
  }

  /** Does not wait. */
  Future<RecordMetadata> send(String key, String value, Map<String, String> headers) {
    return producer.send(record(Optional.of(bytes(key)), Optional.of(bytes(value)), headers));
  }

  /** Does not wait. */
  Future<RecordMetadata> send(
      String key, String value, Map<String, String> headers, Instant timestamp) {
    ProducerRecord<byte[], byte[]> record =
        record(Optional.of(bytes(key)), Optional.of(bytes(value)), headers);
    return producer.send(
        new ProducerRecord<>(
            topic, null, timestamp.toEpochMilli(), record.key(), record.value(), record.headers()));
  }

  private ProducerRecord<byte[], byte[]> record(
      Optional<byte[]> key, Optional<byte[]> value, Map<String, String> headers) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, key.orElse(null), value.orElse(null));
    headers.forEach((name, text) -> record.headers().add(name, bytes(text)));
    return record;
  }

  static RecordMetadata await(Future<RecordMetadata> written) {
    try {
      return written.get(120, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    producer.close();
  }
}

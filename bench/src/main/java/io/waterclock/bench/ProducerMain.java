package io.waterclock.bench;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.Headers;
import io.waterclock.schemas.ScheduleId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The baseline: a plain transactional producer in a process of its own, {@code ProducerMain TOPIC
 * KEY=VALUE ...}, that writes again what a scheduler wrote. It knows the records beforehand and has
 * nothing to read, to search or to remember, so no scheduler on Kafka can beat it.
 *
 * <p>{@code learn COUNT} reads fires to write again, {@code herd PHASE COUNT COMMIT_MS START_MS}
 * writes as fast as it can, {@code pace PHASE RATE COUNT COMMIT_MS START_MS} writes each fire when
 * it is due.
 */
final class ProducerMain {
  private static final InstantSource CLOCK = InstantSource.system();

  private final String topic;
  private final Map<String, Object> settings;
  private final KafkaProducer<byte[], byte[]> producer;
  private final List<ConsumerRecord<byte[], byte[]>> learned = new ArrayList<>();

  private ProducerMain(String topic, Map<String, Object> settings) {
    this.topic = topic;
    this.settings = settings;
    this.producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    producer.initTransactions();
  }

  public static void main(String[] args) throws Exception {
    Map<String, Object> settings = new HashMap<>();
    for (String arg : List.of(args).subList(1, args.length)) {
      String[] parts = arg.split("=", 2);
      settings.put(parts[0], parts[1]);
    }
    ProducerMain main = new ProducerMain(args[0], settings);
    Commands.serve(main::answer);
    main.producer.close();
  }

  private String answer(List<String> words) {
    return switch (words.get(0)) {
      case "learn" -> learn(Integer.parseInt(words.get(1)));
      case "herd" ->
          herd(words.get(1), number(words.get(2)), number(words.get(3)), number(words.get(4)));
      case "pace" ->
          pace(
              words.get(1),
              new OpenLoop(
                  Instant.ofEpochMilli(number(words.get(5))),
                  Math.toIntExact(number(words.get(2))),
                  Duration.ZERO,
                  Duration.ZERO),
              number(words.get(3)),
              number(words.get(4)));
      default -> throw new IllegalArgumentException("unknown command " + words);
    };
  }

  private String learn(int count) {
    Map<String, Object> reading = new HashMap<>();
    reading.put("bootstrap.servers", settings.get("bootstrap.servers"));
    reading.put("auto.offset.reset", "earliest");
    reading.put("isolation.level", "read_committed");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(reading, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Await.until(
          count + " fires are read",
          Duration.ofSeconds(60),
          () -> {
            consumer.poll(Duration.ofMillis(100)).forEach(learned::add);
            return learned.size() >= count;
          });
    }
    return Integer.toString(learned.size());
  }

  private String herd(String phase, long count, long commitMs, long startMs) {
    Instant start = Instant.ofEpochMilli(startMs);
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(Math.toIntExact(count));
    for (int i = 0; i < count; i++) {
      records.add(record(phase, i, i, start));
    }
    Await.instant(start);
    long commitNanos = TimeUnit.MILLISECONDS.toNanos(commitMs);
    long commitAt = System.nanoTime() + commitNanos;
    producer.beginTransaction();
    for (ProducerRecord<byte[], byte[]> record : records) {
      send(record);
      if (System.nanoTime() - commitAt >= 0) {
        producer.commitTransaction();
        producer.beginTransaction();
        commitAt = System.nanoTime() + commitNanos;
      }
    }
    producer.commitTransaction();
    return "";
  }

  private String pace(String phase, OpenLoop loop, long count, long commitMs) {
    long next = 0;
    while (next < count) {
      Instant commitAt = CLOCK.instant().plusMillis(commitMs);
      boolean open = false;
      for (Instant now = CLOCK.instant(); now.isBefore(commitAt); now = CLOCK.instant()) {
        while (next < count && !loop.due(next).isAfter(now)) {
          if (!open) {
            producer.beginTransaction();
            open = true;
          }
          int schedule = Math.toIntExact(next % loop.schedules());
          send(record(phase, schedule, next, loop.due(next)));
          next++;
        }
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(500));
      }
      if (open) {
        producer.commitTransaction();
      }
    }
    return "";
  }

  /** Does not wait: a record that fails makes the commit fail. */
  private void send(ProducerRecord<byte[], byte[]> record) {
    Future<RecordMetadata> unused = producer.send(record);
  }

  /** What a scheduler fired, as the fire of another schedule at another time. */
  private ProducerRecord<byte[], byte[]> record(
      String phase, int number, long sequence, Instant occurrence) {
    ConsumerRecord<byte[], byte[]> like = learned.get(Math.toIntExact(sequence % learned.size()));
    byte[] key = FireKey.of(ScheduleId.parse(Keys.id(phase, number)), occurrence).bytes();
    RecordHeaders headers = new RecordHeaders(like.headers().toArray());
    headers.remove(Headers.CE_TIME);
    headers.add(Headers.CE_TIME, occurrence.toString().getBytes(StandardCharsets.US_ASCII));
    return new ProducerRecord<>(topic, null, occurrence.toEpochMilli(), key, like.value(), headers);
  }

  private static long number(String text) {
    return Long.parseLong(text);
  }
}

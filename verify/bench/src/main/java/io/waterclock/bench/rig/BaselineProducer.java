package io.waterclock.bench.rig;

import io.waterclock.bench.load.Keys;
import io.waterclock.bench.load.Work;
import io.waterclock.bench.run.Await;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.ScheduleId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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

/**
 * The baseline: a plain transactional producer that writes again what a scheduler wrote. It knows
 * the records beforehand and has nothing to read, to search or to remember, so no scheduler with
 * one producer can drain a herd quicker. For one thread at a time.
 */
public final class BaselineProducer implements AutoCloseable {
  private final String topic;
  private final String bootstrapServers;
  private final KafkaProducer<byte[], byte[]> producer;
  private final int partitions;
  private final List<ConsumerRecord<byte[], byte[]>> learned = new ArrayList<>();
  private final List<ProducerRecord<byte[], byte[]>> herd = new ArrayList<>();
  private Optional<Work> work = Optional.empty();

  BaselineProducer(String topic, Map<String, String> settings) {
    this.topic = topic;
    this.bootstrapServers = Objects.requireNonNull(settings.get("bootstrap.servers"));
    this.producer = Clients.producer(bootstrapServers, settings);
    producer.initTransactions();
    this.partitions = producer.partitionsFor(topic).size();
  }

  @Override
  public void close() {
    producer.close();
  }

  /** Reads the newest fires, to write them again. */
  void learn(int count) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        Clients.consumer(bootstrapServers, topic, Map.of())) {
      Set<TopicPartition> partitions = consumer.assignment();
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      ArrayDeque<ConsumerRecord<byte[], byte[]>> newest = new ArrayDeque<>();
      Await.until(
          "all fires are read",
          Duration.ofMinutes(5),
          Duration.ZERO,
          () -> {
            for (ConsumerRecord<byte[], byte[]> fire : consumer.poll(Duration.ofMillis(100))) {
              newest.add(fire);
              if (newest.size() > count) {
                newest.remove();
              }
            }
            return ends.entrySet().stream()
                .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
          });
      learned.addAll(newest);
    }
  }

  /** A herd is at hand before it is due, so that writing it is all that is left to do. */
  public void define(Work next) {
    work = Optional.of(next);
    herd.clear();
    for (int i = 0; next.isHerd() && i < next.count(); i++) {
      herd.add(record(next.phase(), i, i, next.start()));
    }
  }

  /** Writes so many fires of the work, each when it is due and a herd as fast as it can. */
  public void write(long count, long commitMs) {
    Work defined = work.orElseThrow();
    if (defined.isHerd()) {
      herd(defined.start(), commitMs);
    } else {
      pace(defined, count, commitMs);
    }
  }

  private void herd(Instant start, long commitMs) {
    Await.instant(start);
    long commitNanos = TimeUnit.MILLISECONDS.toNanos(commitMs);
    long commitAt = System.nanoTime() + commitNanos;
    producer.beginTransaction();
    for (ProducerRecord<byte[], byte[]> record : herd) {
      send(record);
      if (System.nanoTime() - commitAt >= 0) {
        producer.commitTransaction();
        producer.beginTransaction();
        commitAt = System.nanoTime() + commitNanos;
      }
    }
    producer.commitTransaction();
  }

  private void pace(Work defined, long count, long commitMs) {
    long next = 0;
    while (next < count) {
      Instant commitAt = Await.now().plusMillis(commitMs);
      boolean open = false;
      for (Instant now = Await.now(); now.isBefore(commitAt); now = Await.now()) {
        while (next < count && !due(defined, next).isAfter(now)) {
          if (!open) {
            producer.beginTransaction();
            open = true;
          }
          int schedule = Math.toIntExact(next % defined.count());
          send(record(defined.phase(), schedule, next, due(defined, next)));
          next++;
        }
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(500));
      }
      if (open) {
        producer.commitTransaction();
      }
    }
  }

  /** When a fire is due, all schedules taking turns. */
  private static Instant due(Work defined, long fire) {
    Duration interval = defined.interval().orElse(Duration.ZERO);
    return defined
        .due(Math.toIntExact(fire % defined.count()))
        .plus(interval.multipliedBy(fire / defined.count()));
  }

  /** Does not wait: a record that fails makes the commit fail. */
  private void send(ProducerRecord<byte[], byte[]> record) {
    Future<RecordMetadata> unused = producer.send(record);
  }

  /** Copies a fire of the scheduler for another schedule and another time. */
  private ProducerRecord<byte[], byte[]> record(
      String phase, int number, long sequence, Instant occurrence) {
    ConsumerRecord<byte[], byte[]> like = learned.get(Math.toIntExact(sequence % learned.size()));
    ScheduleId id = ScheduleId.parse(Keys.id(phase, number));
    FireKey fire = FireKey.of(id, occurrence);
    RecordHeaders headers = new RecordHeaders(like.headers().toArray());
    headers.remove(HeaderNames.CE_TIME);
    headers.add(HeaderNames.CE_TIME, fire.occurrenceBytes());
    return new ProducerRecord<>(
        topic,
        HomePartition.of(id.utf8(), partitions),
        occurrence.toEpochMilli(),
        fire.bytes(),
        like.value(),
        headers);
  }
}

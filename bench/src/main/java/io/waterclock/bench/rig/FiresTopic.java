package io.waterclock.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import io.waterclock.bench.load.Definitions;
import io.waterclock.bench.load.Keys;
import io.waterclock.bench.meter.RateMeter;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.Closing;
import io.waterclock.bench.run.Options;
import io.waterclock.bench.run.Progress;
import io.waterclock.schemas.FireIds;
import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.Headers;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** A broker in a process of its own whose fires are there already, as a scheduler writes them. */
public final class FiresTopic implements AutoCloseable {
  private static final Topics TOPICS = Topics.ofDefault();
  private static final FireIds IDS = FireIds.of(TOPICS.ceSource());

  private final Rig rig;
  private final List<TopicPartition> partitions;

  private FiresTopic(int partitions) {
    this.rig = Rig.withoutScheduler(new Options());
    this.partitions =
        IntStream.range(0, partitions)
            .mapToObj(partition -> new TopicPartition(TOPICS.fires(), partition))
            .toList();
  }

  public static FiresTopic filled(int partitions, int schedules, int fires) {
    FiresTopic topic = new FiresTopic(partitions);
    return Closing.onFailure(
        topic::close,
        () -> {
          topic.create();
          topic.fill(schedules, fires);
          return topic;
        });
  }

  public String bootstrapServers() {
    return rig.bootstrapServers();
  }

  private void create() {
    try (Admin admin = rig.admin()) {
      NewTopic wanted = new NewTopic(TOPICS.fires(), partitions.size(), (short) 1);
      Await.answer("the topic of fires", admin.createTopics(List.of(wanted)).all());
      // a topic is there for clients when its leaders answer
      Await.answer(
          "the topic of fires",
          admin
              .listOffsets(partitions.stream().collect(toMap(p -> p, p -> OffsetSpec.latest())))
              .all());
    }
  }

  private void fill(int schedules, int fires) {
    Instant first = Await.now().truncatedTo(ChronoUnit.MILLIS);
    try (KafkaProducer<byte[], byte[]> producer =
        Clients.producer(bootstrapServers(), Map.of("linger.ms", 5, "batch.size", 256 * 1024))) {
      for (int i = 0; i < fires; i++) {
        Future<?> unused = producer.send(fire(i % schedules, first.plusMillis(i)));
      }
    }
    Progress.say(fires + " fires are written");
  }

  private ProducerRecord<byte[], byte[]> fire(int number, Instant occurrence) {
    ScheduleId id = ScheduleId.parse(Keys.id("work", number));
    FireKey key = FireKey.of(id, occurrence);
    String fireId = IDS.of(key).toString();
    Schedule schedule =
        Definitions.schedule(new EveryTrigger(1L, Unit.HOUR, occurrence), number)
            .setCatchUp(CatchUp.REPLAY)
            .build();
    Fire fire =
        Fire.newBuilder()
            .setFireId(fireId)
            .setScheduleId(id.value())
            .setOccurrence(occurrence)
            .setDue(occurrence)
            .setFiredAt(occurrence)
            .setCause(Cause.SCHEDULED)
            .setRevision(TOPICS.schedules() + "-0@" + number)
            .setPrevious(occurrence.minus(Duration.ofHours(1)))
            .setNext(occurrence.plus(Duration.ofHours(1)))
            .setSchedule(schedule)
            .build();
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            TOPICS.fires(),
            HomePartition.of(id.utf8(), partitions.size()),
            key.bytes(),
            RecordCodecs.fire().encode(fire, WireFormat.AVRO));
    Map.of(
            Headers.CE_SPECVERSION, Headers.SPECVERSION,
            Headers.CE_ID, fireId,
            Headers.CE_SOURCE, TOPICS.ceSource(),
            Headers.CE_TYPE, Headers.FIRE_TYPE,
            Headers.CE_SUBJECT, id.value(),
            Headers.CE_TIME, occurrence.toString(),
            Headers.CONTENT_TYPE, WireFormat.AVRO.contentType())
        .forEach((name, value) -> record.headers().add(name, value.getBytes(UTF_8)));
    return record;
  }

  public void read(RateMeter meter, Consumer<byte[]> each) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        Clients.consumer(bootstrapServers(), TOPICS.fires(), Map.of("group.id", "bare"))) {
      consumer.seekToBeginning(consumer.assignment());
      long committedNanos = System.nanoTime();
      while (!meter.isDone()) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(100));
        for (ConsumerRecord<byte[], byte[]> record : records) {
          each.accept(record.value());
          meter.count(1);
        }
        if (System.nanoTime() - committedNanos > 1_000_000_000L) {
          consumer.commitAsync();
          committedNanos = System.nanoTime();
        }
      }
    }
  }

  @Override
  public void close() {
    rig.close();
  }
}

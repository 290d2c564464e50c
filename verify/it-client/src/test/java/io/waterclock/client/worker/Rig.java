package io.waterclock.client.worker;

import io.waterclock.client.TestFires;
import io.waterclock.schemas.Encoding;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Schedule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/** A tenant's topics on a broker that tests share, and fires in them as a scheduler emits them. */
final class Rig implements AutoCloseable {
  static final int PARTITIONS = 6;

  /** An outcome that the listener got. */
  record Told(Fire fire, Outcome outcome) {
    boolean is(OutcomeState state) {
      return outcome.getState() == state;
    }
  }

  final Topics topics;
  final List<Told> told = new CopyOnWriteArrayList<>();
  private final String bootstrapServers;
  private final KafkaProducer<byte[], byte[]> producer;

  Rig(String bootstrapServers, String prefix) throws ExecutionException, InterruptedException {
    this.bootstrapServers = bootstrapServers;
    this.topics = new Topics(prefix);
    this.producer = producer(bootstrapServers);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      List<NewTopic> wanted = new ArrayList<>();
      for (String name :
          List.of(topics.fires(), topics.outcomes(), topics.dlq(), topics.schedules())) {
        wanted.add(new NewTopic(name, PARTITIONS, (short) 1));
      }
      admin.createTopics(wanted).all().get();
      Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
      for (NewTopic topic : wanted) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
          ends.put(new TopicPartition(topic.name(), partition), OffsetSpec.latest());
        }
      }
      // waits until each partition has a leader, which a producer's first batches need
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .ignoreExceptionsMatching(e -> e.getCause() instanceof UnknownTopicOrPartitionException)
          .until(() -> admin.listOffsets(ends).all().get() != null);
    }
  }

  private static KafkaProducer<byte[], byte[]> producer(String bootstrapServers) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", bootstrapServers),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  String setting(String topic, String name) throws ExecutionException, InterruptedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      return admin
          .describeConfigs(List.of(resource))
          .values()
          .get(resource)
          .get()
          .get(name)
          .value();
    }
  }

  /** The offset that a group has committed. */
  Optional<Long> committed(String group, TopicPartition partition)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      return Optional.ofNullable(
              admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get())
          .flatMap(offsets -> Optional.ofNullable(offsets.get(partition)))
          .map(OffsetAndMetadata::offset);
    }
  }

  /** A worker with a listener for all outcomes, and with short timeouts for tests. */
  FireWorker.Builder worker(String group) {
    return FireWorker.builder(bootstrapServers, group)
        .prefix(topics.prefix())
        .consumer(Map.of("session.timeout.ms", 1500, "heartbeat.interval.ms", 300))
        .patience(Duration.ofMillis(300))
        .listener(
            new WorkerListener() {
              @Override
              public void onOutcome(Fire fire, Outcome outcome) {
                told.add(new Told(fire, outcome));
              }
            });
  }

  /** The fires with an outcome in this state. */
  List<Fire> told(OutcomeState state) {
    return told.stream().filter(entry -> entry.is(state)).map(Told::fire).toList();
  }

  /** Emits a fire now. */
  Fire fire(String id, Instant occurrence, Duration interval, Consumer<Schedule> definition) {
    Fire fire = TestFires.of(id, occurrence, interval, definition);
    emit(fire);
    return fire;
  }

  /** Emits a fire and waits until it is written. */
  void emit(Fire fire) {
    emit(fire, Encoding.AVRO);
  }

  /** Emits a fire in a format and waits until it is written. */
  void emit(Fire fire, Encoding encoding) {
    await(record(fire, partition(fire), encoding));
  }

  /** The id of a schedule whose fires a new partition gets. */
  String idOfNewPartition() {
    return Stream.iterate(0, n -> n + 1)
        .map(n -> "moved-" + n)
        .filter(
            id ->
                HomePartition.of(id.getBytes(StandardCharsets.UTF_8), PARTITIONS + 1) == PARTITIONS)
        .findFirst()
        .orElseThrow();
  }

  /** Adds a partition to the topic of the fires unless it has it, and emits the fire there. */
  void emitInNewPartition(Fire fire) throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      TopicDescription fires =
          admin.describeTopics(List.of(topics.fires())).allTopicNames().get().get(topics.fires());
      if (fires.partitions().size() == PARTITIONS) {
        admin
            .createPartitions(Map.of(topics.fires(), NewPartitions.increaseTo(PARTITIONS + 1)))
            .all()
            .get();
      }
    }
    try (KafkaProducer<byte[], byte[]> knowing = producer(bootstrapServers)) {
      knowing.send(record(fire, PARTITIONS, Encoding.AVRO)).get();
    }
  }

  /** Emits a fire without waiting. */
  void send(Fire fire) {
    Future<?> unused = producer.send(record(fire, partition(fire), Encoding.AVRO));
  }

  void flush() {
    producer.flush();
  }

  private ProducerRecord<byte[], byte[]> record(Fire fire, int partition, Encoding encoding) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topics.fires(),
            partition,
            TestFires.key(fire).bytes(),
            RecordCodecs.fire().encode(fire, encoding));
    record
        .headers()
        .add(HeaderNames.CE_TYPE, HeaderNames.FIRE_TYPE.getBytes(StandardCharsets.UTF_8));
    return record;
  }

  /** Where a schedule's fires are. */
  int partition(Fire fire) {
    return HomePartition.of(fire.getScheduleId().getBytes(StandardCharsets.UTF_8), PARTITIONS);
  }

  void emitBytes(int partition, byte[] value, Header... headers) {
    byte[] key = "junk".getBytes(StandardCharsets.UTF_8);
    await(new ProducerRecord<>(topics.fires(), partition, key, value, List.of(headers)));
  }

  private void await(ProducerRecord<byte[], byte[]> record) {
    try {
      producer.send(record).get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Everything that is in a topic now; nothing if it does not exist. */
  List<ConsumerRecord<byte[], byte[]>> read(String topic) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    } catch (UnknownTopicOrPartitionException e) {
      return records;
    }
    return records;
  }

  List<Outcome> outcomes() {
    return read(topics.outcomes()).stream()
        .map(record -> RecordCodecs.outcome().decode(record.value()))
        .toList();
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return Optional.ofNullable(record.headers().lastHeader(name))
        .map(header -> new String(header.value(), StandardCharsets.UTF_8))
        .orElse("");
  }

  @Override
  public void close() {
    producer.close();
  }
}

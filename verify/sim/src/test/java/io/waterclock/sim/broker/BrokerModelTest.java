package io.waterclock.sim.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.testkit.EmbeddedKafka;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same random operations on the model and on Kafka: both show the same records at the same
 * offsets, the same ends, the same committed offsets, and refuse the same. {@code
 * -Dwaterclock.seed=N} repeats a run, {@code -Dwaterclock.operations=N} makes it longer.
 */
final class BrokerModelTest {
  private static final String TOPIC = "log";
  private static final String GROUP = "group";
  private static final int PARTITIONS = 2;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path folder;

  private final Broker model = new Broker();
  private final List<String> story = new ArrayList<>();
  private final Map<Integer, Writer> writers = new HashMap<>();
  private final List<KafkaProducer<String, String>> all = new ArrayList<>();
  private int written;

  /** Two producers of one member: Kafka and the model keep the same of their offsets. */
  @Test
  @Tag("all")
  void of_the_offsets_of_two_producers_the_model_keeps_what_kafka_keeps() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(folder, 0);
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        KafkaConsumer<String, String> consumer = consumer(kafka, "read_committed")) {
      createTopic(admin);
      Place place = new Place(TOPIC, 0);
      long offset = 1;
      for (int firstToAdd = 0; firstToAdd < 2; firstToAdd++) {
        for (int firstToEnd = 0; firstToEnd < 2; firstToEnd++) {
          for (int commits = 0; commits < 4; commits++) {
            offsets(writer(kafka, firstToAdd), 0, offset++, consumer.groupMetadata());
            offsets(writer(kafka, 1 - firstToAdd), 0, offset++, consumer.groupMetadata());
            end(writer(kafka, firstToEnd), (commits & 1) == 0);
            end(writer(kafka, 1 - firstToEnd), (commits & 2) == 0);
            assertThat(committed(consumer, new TopicPartition(TOPIC, 0)))
                .as("%s", story)
                .isEqualTo(model.group(GROUP).offset(place));
          }
        }
      }
    } finally {
      all.forEach(producer -> producer.close(Duration.ZERO));
    }
  }

  /** Members of this, an earlier and no generation, and one that the group does not know. */
  @Test
  @Tag("all")
  @SuppressWarnings("removal") // no other way to name an earlier generation
  void the_model_compares_the_generation_of_a_member_as_kafka_does() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(folder, 0);
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        KafkaConsumer<String, String> first = consumer(kafka, "read_committed");
        KafkaConsumer<String, String> second = consumer(kafka, "read_committed")) {
      createTopic(admin);
      Group group = model.group(GROUP);
      first.subscribe(List.of(TOPIC));
      awaitGeneration(1, first);
      group.join("first", Set.of(), Long.MAX_VALUE);
      assertThat(group.sync("first").generation()).isEqualTo(1);
      sameAnswer(kafka, first.groupMetadata(), "first", true);
      sameAnswer(kafka, of(first, 0), "first", false);
      sameAnswer(kafka, of(first, 2), "first", false);
      sameAnswer(kafka, new ConsumerGroupMetadata(GROUP, 1, "x", Optional.empty()), "x", false);
      sameAnswer(kafka, new ConsumerGroupMetadata(GROUP), "", true);
      ConsumerGroupMetadata before = first.groupMetadata();
      second.subscribe(List.of(TOPIC));
      awaitGeneration(2, first, second);
      group.join("second", Set.of(), Long.MAX_VALUE);
      group.join("first", Set.of(), Long.MAX_VALUE);
      assertThat(group.sync("first").generation()).isEqualTo(2);
      sameAnswer(kafka, before, "first", false);
      sameAnswer(kafka, first.groupMetadata(), "first", true);
    } finally {
      all.forEach(producer -> producer.close(Duration.ZERO));
    }
  }

  @SafeVarargs
  private static void awaitGeneration(int generation, KafkaConsumer<String, String>... members) {
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              boolean isReached = true;
              for (KafkaConsumer<String, String> member : members) {
                member.poll(Duration.ofMillis(20));
                isReached &= member.groupMetadata().generationId() == generation;
              }
              return isReached;
            });
  }

  @SuppressWarnings("removal")
  private static ConsumerGroupMetadata of(KafkaConsumer<String, String> member, int generation) {
    return new ConsumerGroupMetadata(
        GROUP, generation, member.groupMetadata().memberId(), Optional.empty());
  }

  /** Adds offsets to a transaction as a member in a generation: both accept or both refuse. */
  private void sameAnswer(
      EmbeddedKafka kafka, ConsumerGroupMetadata member, String modelled, boolean isAccepted) {
    long offset = ++written;
    Writer writer = writer(kafka, 0);
    writer.begin();
    String what = modelled + " of generation " + member.generationId();
    Place place = new Place(TOPIC, 0);
    assertThat(
            refusal(
                () ->
                    model.commitOffsets(
                        writer.modelled,
                        GROUP,
                        new Group.Assignment(member.generationId(), Set.of()),
                        modelled,
                        Map.of(place, offset))))
        .as("the model: %s", what)
        .matches(refused -> refused.isEmpty() == isAccepted);
    assertThat(
            refusal(
                () ->
                    writer.real.sendOffsetsToTransaction(
                        Map.of(new TopicPartition(TOPIC, 0), new OffsetAndMetadata(offset)),
                        member)))
        .as("Kafka: %s", what)
        .matches(refused -> refused.isEmpty() == isAccepted);
    end(writer, isAccepted);
    assertThat(model.group(GROUP).offset(place).equals(Optional.of(offset))).isEqualTo(isAccepted);
  }

  @Test
  @Tag("all")
  void the_model_of_the_brokers_does_what_kafka_does() throws Exception {
    long seed = Long.getLong("waterclock.seed", 1);
    System.out.println("Operations on the brokers and on their model: waterclock.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    try (EmbeddedKafka kafka = EmbeddedKafka.start(folder, 0);
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        KafkaConsumer<String, String> committed = consumer(kafka, "read_committed");
        KafkaConsumer<String, String> uncommitted = consumer(kafka, "read_uncommitted")) {
      createTopic(admin);
      try (KafkaProducer<String, String> plain = producer(kafka, Map.of())) {
        for (int i = 0; i < Integer.getInteger("waterclock.operations", 60); i++) {
          operate(kafka, admin, plain, committed.groupMetadata(), random);
          compare(committed, uncommitted, seed);
        }
      }
    } finally {
      all.forEach(producer -> producer.close(Duration.ZERO));
    }
  }

  /** Of three producers two are late: one has records, one has offsets in its transaction. */
  @Test
  @Tag("all")
  void both_abort_a_transaction_that_times_out_and_fence_its_producer() throws Exception {
    long seed = Long.getLong("waterclock.seed", 1);
    System.out.println("Time-outs of transactions and their model: waterclock.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    String interval = "transaction.abort.timed.out.transaction.cleanup.interval.ms";
    int timeoutMs = 7_000;
    try (EmbeddedKafka kafka = EmbeddedKafka.start(folder, 0, Map.of(interval, "100"));
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
        KafkaConsumer<String, String> committed = consumer(kafka, "read_committed");
        KafkaConsumer<String, String> uncommitted = consumer(kafka, "read_uncommitted");
        KafkaProducer<String, String> plain = producer(kafka, Map.of())) {
      createTopic(admin);
      writer(kafka, 0);
      List<Writer> late = List.of(writer(kafka, 1, timeoutMs), writer(kafka, 2, timeoutMs));
      for (int i = 0; i < 8; i++) {
        int partition = random.nextInt(PARTITIONS);
        switch (random.nextInt(3)) {
          case 0 -> plain(plain, partition);
          case 1 -> send(writer(kafka, 0), partition);
          default -> send(late.get(0), partition);
        }
      }
      send(late.get(0), random.nextInt(PARTITIONS));
      offsets(late.get(1), random.nextInt(PARTITIONS), 5, committed.groupMetadata());
      model.advanceTo(timeoutMs);
      compare(committed, uncommitted, seed);
      story.add("time-out");
      model.advanceTo(timeoutMs + 1);
      assertThat(model.group(GROUP).isUnstable(new Place(TOPIC, 0))).isFalse();
      compare(committed, uncommitted, seed);
      for (Writer writer : late) {
        if (random.nextBoolean()) {
          fenced(writer, random.nextInt(PARTITIONS));
        } else {
          refusedToCommit(writer);
        }
      }
      compare(committed, uncommitted, seed);
      for (int number = 0; number < 3; number++) {
        if (number > 0) {
          writers.remove(number);
        }
        send(writer(kafka, number), random.nextInt(PARTITIONS));
        end(writer(kafka, number), true);
        compare(committed, uncommitted, seed);
      }
    } finally {
      all.forEach(producer -> producer.close(Duration.ZERO));
    }
  }

  private void refusedToCommit(Writer late) {
    assertThat(refusal(() -> model.end(late.modelled, true)))
        .as("%s", story)
        .containsInstanceOf(BrokerException.class);
    assertThat(refusal(late.real::commitTransaction))
        .as("%s", story)
        .containsInstanceOf(KafkaException.class);
  }

  private void createTopic(Admin admin) throws Exception {
    // the records are of 1970, and Kafka looks for what is past its retention after half a minute
    NewTopic topic =
        new NewTopic(TOPIC, PARTITIONS, (short) 1).configs(Map.of("retention.ms", "-1"));
    admin.createTopics(List.of(topic)).all().get();
    model.create(TOPIC, PARTITIONS, TopicRules.deleted(Duration.ofDays(7)));
    model.createGroup(GROUP, PARTITIONS);
  }

  private static KafkaConsumer<String, String> consumer(EmbeddedKafka kafka, String isolation) {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "isolation.level",
            isolation,
            "group.id",
            GROUP,
            "enable.auto.commit",
            "false",
            "fetch.max.wait.ms",
            "10"),
        new StringDeserializer(),
        new StringDeserializer());
  }

  private KafkaProducer<String, String> producer(EmbeddedKafka kafka, Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    all.add(producer);
    return producer;
  }

  private void operate(
      EmbeddedKafka kafka,
      Admin admin,
      KafkaProducer<String, String> plain,
      ConsumerGroupMetadata group,
      SplittableRandom random)
      throws Exception {
    int number = random.nextInt(2);
    int partition = random.nextInt(PARTITIONS);
    switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> send(writer(kafka, number), partition);
      case 4, 5 -> end(writer(kafka, number), true);
      case 6 -> end(writer(kafka, number), false);
      case 7 -> plain(plain, partition);
      case 8 -> {
        Optional<Writer> old = Optional.ofNullable(writers.remove(number));
        Writer fresh = writer(kafka, number);
        if (old.isPresent()) {
          fenced(old.get(), partition);
        }
        assertThat(fresh.isInTransaction()).isFalse();
      }
      default -> {
        if (random.nextBoolean()) {
          offsets(writer(kafka, number), partition, random.nextInt(100), group);
        } else {
          delete(admin, partition);
        }
      }
    }
  }

  private Writer writer(EmbeddedKafka kafka, int number) {
    return writer(kafka, number, 60_000);
  }

  private Writer writer(EmbeddedKafka kafka, int number, int timeoutMs) {
    return writers.computeIfAbsent(
        number,
        any -> {
          story.add("initialise " + number);
          KafkaProducer<String, String> real =
              producer(
                  kafka,
                  Map.of("transactional.id", "t" + number, "transaction.timeout.ms", timeoutMs));
          real.initTransactions();
          return new Writer(real, model.initialise("t" + number, timeoutMs));
        });
  }

  private Message message() {
    return Message.of(text("k" + written % 5), Optional.of(text("v" + written++)), 1_000);
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static ProducerRecord<String, String> record(int partition, Message message) {
    return new ProducerRecord<>(
        TOPIC,
        partition,
        message.timestampMs(),
        new String(message.key(), StandardCharsets.UTF_8),
        new String(Optional.ofNullable(message.value()).orElseThrow(), StandardCharsets.UTF_8));
  }

  private void send(Writer writer, int partition) throws Exception {
    story.add(writer.modelled + " sends to " + partition);
    Message message = message();
    writer.begin();
    long expected = model.append(writer.modelled, new Place(TOPIC, partition), message);
    assertThat(writer.real.send(record(partition, message)).get().offset())
        .as("%s", story)
        .isEqualTo(expected);
  }

  private void plain(KafkaProducer<String, String> producer, int partition) throws Exception {
    story.add("plain " + partition);
    Message message = message();
    model.append(new Place(TOPIC, partition), message);
    producer.send(record(partition, message)).get();
  }

  private void end(Writer writer, boolean commits) {
    if (!writer.isInTransaction()) {
      return;
    }
    story.add(writer.modelled + (commits ? " commits" : " aborts"));
    writer.end(model, commits);
  }

  private void offsets(Writer writer, int partition, long offset, ConsumerGroupMetadata group) {
    story.add(writer.modelled + " adds the offset " + offset + " of " + partition);
    writer.begin();
    model.commitOffsets(
        writer.modelled,
        GROUP,
        new Group.Assignment(-1, Set.of()),
        "",
        Map.of(new Place(TOPIC, partition), offset));
    writer.real.sendOffsetsToTransaction(
        Map.of(new TopicPartition(TOPIC, partition), new OffsetAndMetadata(offset)), group);
  }

  /** A producer of the past: both refuse its next commit. */
  private void fenced(Writer old, int partition) {
    story.add(old.modelled + " is fenced");
    Message message = message();
    assertThat(refusal(() -> model.append(old.modelled, new Place(TOPIC, partition), message)))
        .as("%s", story)
        .containsInstanceOf(BrokerException.class);
    assertThat(
            refusal(
                () -> {
                  old.begin();
                  old.real.send(record(partition, message));
                  old.real.commitTransaction();
                }))
        .as("%s", story)
        .containsInstanceOf(KafkaException.class);
  }

  private static Optional<RuntimeException> refusal(Runnable action) {
    try {
      action.run();
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(e);
    }
  }

  private void delete(Admin admin, int partition) throws Exception {
    PartitionLog log = model.log(new Place(TOPIC, partition));
    long before = log.start() + (log.lastStable() - log.start()) / 2;
    story.add("delete before " + before + " in " + partition);
    log.deleteTo(before);
    admin
        .deleteRecords(
            Map.of(new TopicPartition(TOPIC, partition), RecordsToDelete.beforeOffset(before)))
        .all()
        .get();
  }

  private void compare(
      KafkaConsumer<String, String> committed,
      KafkaConsumer<String, String> uncommitted,
      long seed) {
    for (int p = 0; p < PARTITIONS; p++) {
      TopicPartition real = new TopicPartition(TOPIC, p);
      PartitionLog log = model.log(new Place(TOPIC, p));
      String where = "waterclock.seed=" + seed + " " + story;
      await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(2))
          .untilAsserted(
              () -> {
                assertThat(uncommitted.endOffsets(Set.of(real)).get(real))
                    .as("end %s", where)
                    .isEqualTo(log.highWatermark());
                assertThat(committed.endOffsets(Set.of(real)).get(real))
                    .as("stable end %s", where)
                    .isEqualTo(log.lastStable());
                assertThat(committed.beginningOffsets(Set.of(real)).get(real))
                    .as("start %s", where)
                    .isEqualTo(log.start());
              });
      assertThat(read(committed, real, log)).as("%s", where).isEqualTo(shown(log));
      if (!model.group(GROUP).isUnstable(new Place(TOPIC, p))) {
        assertThat(committed(committed, real))
            .as("offset %s", where)
            .isEqualTo(model.group(GROUP).offset(new Place(TOPIC, p)));
      }
    }
  }

  private static Optional<Long> committed(
      KafkaConsumer<String, String> consumer, TopicPartition partition) {
    return Optional.ofNullable(consumer.committed(Set.of(partition)).get(partition))
        .map(OffsetAndMetadata::offset);
  }

  private static List<String> shown(PartitionLog log) {
    return log.fetch(log.start(), Integer.MAX_VALUE).records().stream()
        .map(
            record ->
                record.offset()
                    + " "
                    + new String(record.value().orElseThrow(), StandardCharsets.UTF_8))
        .toList();
  }

  private static List<String> read(
      KafkaConsumer<String, String> consumer, TopicPartition partition, PartitionLog log) {
    List<String> read = new ArrayList<>();
    consumer.assign(Set.of(partition));
    consumer.seek(partition, log.start());
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              consumer
                  .poll(Duration.ofMillis(20))
                  .forEach(record -> read.add(record.offset() + " " + record.value()));
              return consumer.position(partition) >= log.lastStable();
            });
    return read;
  }
}

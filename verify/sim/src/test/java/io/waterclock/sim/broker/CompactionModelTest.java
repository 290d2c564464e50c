package io.waterclock.sim.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.testkit.EmbeddedKafka;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same random records in compacted topics of the model and of Kafka: after each cleaning a
 * consumer that reads committed records finds the same ones at the same offsets. {@code
 * -Dwaterclock.seed=N} repeats a run.
 *
 * <p>The timestamps of the records decide where segments begin, and the checkpoint of Kafka's
 * cleaner says how far it came. It takes whole segments: one that has a part of an open transaction
 * stays as it is, where the model, whose segments may begin anywhere, cleans up to the transaction.
 * The test then tells the model where that segment begins.
 */
final class CompactionModelTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration SEGMENT = Duration.ofMinutes(10);
  private static final Duration STEP = Duration.ofMinutes(11);
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final int ROUNDS = 3;

  private final long seed = Long.getLong("waterclock.seed", 1);
  private final Broker model = new Broker();
  private final List<AutoCloseable> open = new ArrayList<>();
  private KafkaConsumer<String, String> committed;
  private KafkaConsumer<String, String> uncommitted;
  private EmbeddedKafka kafka;
  private Admin admin;

  @TempDir private Path folder;

  @BeforeEach
  void start() {
    System.out.println("Compaction by Kafka and by its model: waterclock.seed=" + seed);
    kafka = opened(EmbeddedKafka.start(folder, 0, Map.of("log.cleaner.backoff.ms", "50")));
    admin = opened(Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers())));
    committed = consumer("read_committed");
    uncommitted = consumer("read_uncommitted");
  }

  private <T extends AutoCloseable> T opened(T thing) {
    open.add(0, thing);
    return thing;
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable thing : open) {
      thing.close();
    }
  }

  @Test
  @Tag("all")
  void what_the_model_leaves_of_random_records_kafka_leaves() throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Topic kept = new Topic("kept", TopicRules.compacted(Duration.ofHours(1), Duration.ZERO));
    Topic shortly = new Topic("shortly", TopicRules.compacted(SHORT, Duration.ZERO));
    Topic once = new Topic("once", TopicRules.compacted(Duration.ZERO, Duration.ZERO));
    for (int round = 0; round < ROUNDS; round++) {
      kept.write(random);
      once.write(random);
      shortly.write(random);
      if (round == 1) {
        kept.hold(random);
        once.hold(random);
      }
      // one cleaning a round, so that no delay of this test lets a tombstone's time pass between
      // two
      shortly.endAll(random);
      shortly.awaitTombstonesOver();
      shortly.roll(Optional.empty(), random);
      for (Topic topic : List.of(kept, once)) {
        topic.roll(topic.writers.stream().filter(any -> random.nextBoolean()).findFirst(), random);
      }
      for (Topic topic : List.of(kept, once, shortly)) {
        topic.compareAfterCleaning();
      }
      for (Topic topic : List.of(kept, once)) {
        topic.endSome(random, round == ROUNDS - 1);
      }
    }
    assertThat(kept.tombstonesShown()).as("waterclock.seed=" + seed).isPositive();
  }

  /** The young one is a record in one topic, and the marker of a transaction in the other. */
  @Test
  @Tag("all")
  void compaction_ends_before_what_is_younger_than_the_lag() throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    for (boolean isMarker : List.of(false, true)) {
      Topic topic =
          new Topic(
              isMarker ? "marker" : "record",
              TopicRules.compacted(Duration.ofHours(1), Duration.ofMinutes(30)));
      long now = System.currentTimeMillis();
      topic.timestampMs = now - Duration.ofHours(2).toMillis();
      topic.send(Optional.empty(), 20, random);
      Optional<Writer> writer = Optional.of(topic.writers.get(0)).filter(any -> isMarker);
      topic.send(writer, 1, random);
      if (isMarker) {
        // the marker has the clock's time, so a segment begins with it
        topic.segments.add(topic.log().highWatermark());
        topic.end(topic.writers.get(0), true);
      } else {
        topic.timestampMs = now - STEP.toMillis();
        topic.roll(Optional.empty(), random);
      }
      topic.timestampMs = now - Duration.ofHours(2).toMillis();
      topic.send(Optional.empty(), 20, random);
      topic.timestampMs = now;
      topic.roll(Optional.empty(), random);
      long active = topic.segments.last();
      topic.compareAfterCleaning(topic.segments.headSet(active).last(), active);
    }
  }

  private KafkaConsumer<String, String> consumer(String isolation) {
    return opened(
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "isolation.level",
                isolation,
                "fetch.max.wait.ms",
                "10"),
            new StringDeserializer(),
            new StringDeserializer()));
  }

  /** Records that are sent without a pause between them share a batch. */
  private KafkaProducer<String, String> producer(Map<String, Object> more) {
    Map<String, Object> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put("linger.ms", 1_000);
    KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    open.add(0, () -> producer.close(Duration.ZERO));
    return producer;
  }

  /** A topic of one partition in both worlds. */
  private final class Topic {
    private final String name;
    private final TopicRules rules;
    private final Place place;
    private final TopicPartition real;
    private final KafkaProducer<String, String> plain = producer(Map.of());
    private final List<Writer> writers = new ArrayList<>();
    private final List<String> story = new ArrayList<>();

    /** Where its segments began, before the cleaner put some of them together. */
    private final TreeSet<Long> segments = new TreeSet<>(Set.of(0L));

    private long timestampMs = System.currentTimeMillis();
    private long cleanedTo;
    private long cleanedMs;
    private int written;

    Topic(String name, TopicRules rules) throws Exception {
      this.name = name;
      this.rules = rules;
      this.place = new Place(name, 0);
      this.real = new TopicPartition(name, 0);
      Map<String, String> settings =
          Map.of(
              "cleanup.policy",
              "compact",
              "segment.ms",
              Long.toString(SEGMENT.toMillis()),
              "min.cleanable.dirty.ratio",
              "0",
              "delete.retention.ms",
              Long.toString(rules.deleteRetention().toMillis()),
              "min.compaction.lag.ms",
              Long.toString(rules.minCompactionLag().toMillis()),
              "message.timestamp.after.max.ms",
              Long.toString(Duration.ofDays(1).toMillis()));
      admin.createTopics(List.of(new NewTopic(name, 1, (short) 1).configs(settings))).all().get();
      model.create(name, 1, rules);
      for (int i = 0; i < 2; i++) {
        KafkaProducer<String, String> writer =
            producer(Map.of("transactional.id", name + i, "transaction.timeout.ms", 600_000));
        writer.initTransactions();
        writers.add(new Writer(writer, model.initialise(name + i, 600_000)));
      }
    }

    private PartitionLog log() {
      return model.log(place);
    }

    private void write(SplittableRandom random) throws Exception {
      for (int i = 0; i < 12; i++) {
        Writer writer = writers.get(random.nextInt(2));
        switch (random.nextInt(6)) {
          case 0, 1 -> send(Optional.empty(), 1 + random.nextInt(4), random);
          case 2, 3 -> send(Optional.of(writer), 1 + random.nextInt(4), random);
          default -> endAndCompare(writer, random.nextBoolean());
        }
      }
    }

    private void send(Optional<Writer> writer, int records, SplittableRandom random)
        throws Exception {
      writer.ifPresent(Writer::begin);
      model.advanceTo(System.currentTimeMillis());
      KafkaProducer<String, String> producer = writer.map(one -> one.real).orElse(plain);
      Map<Long, Future<RecordMetadata>> sent = new HashMap<>();
      for (int i = 0; i < records; i++) {
        String key = "k" + random.nextInt(30);
        Optional<String> value = Optional.of("v" + written++).filter(any -> random.nextInt(3) > 0);
        Message message =
            Message.of(bytes(key), value.map(CompactionModelTest::bytes), timestampMs);
        long offset =
            writer
                .map(one -> model.append(one.modelled, place, message))
                .orElseGet(() -> model.append(place, message));
        story.add(
            line(offset, key, value)
                + writer.map(one -> " in a transaction of " + writers.indexOf(one)).orElse(""));
        sent.put(
            offset,
            producer.send(new ProducerRecord<>(name, 0, timestampMs, key, value.orElse(null))));
      }
      producer.flush();
      for (Map.Entry<Long, Future<RecordMetadata>> one : sent.entrySet()) {
        assertThat(one.getValue().get().offset()).as(where()).isEqualTo(one.getKey());
      }
    }

    private void end(Writer writer, boolean commits) {
      if (!writer.isInTransaction()) {
        return;
      }
      model.advanceTo(System.currentTimeMillis());
      writer.end(model, commits);
      story.add(
          (log().highWatermark() - 1)
              + (commits ? " commit of " : " abort of ")
              + writers.indexOf(writer));
      await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> uncommitted.endOffsets(Set.of(real)).get(real) == log().highWatermark());
    }

    /** A record that is younger than the segment may be: a new one begins with it. */
    private void roll(Optional<Writer> writer, SplittableRandom random) throws Exception {
      timestampMs += STEP.toMillis();
      long offset = log().highWatermark();
      segments.add(offset);
      story.add("a segment begins");
      send(writer, 1, random);
      assertThat(folder.resolve("logs").resolve(real.toString()))
          .as(where())
          .isDirectoryContaining("glob:**/%020d.log".formatted(offset));
    }

    /** A segment that begins with a transaction, and ends before it: up to there Kafka cleans. */
    private void hold(SplittableRandom random) throws Exception {
      endSome(random, true);
      roll(Optional.of(writers.get(0)), random);
      send(Optional.empty(), 4, random);
      send(Optional.of(writers.get(0)), 4, random);
      roll(Optional.empty(), random);
      assertThat(segments).as(where()).contains(log().lastStable());
      compareAfterCleaning();
    }

    private void endAll(SplittableRandom random) {
      writers.forEach(writer -> end(writer, random.nextBoolean()));
    }

    /** Kafka may clean more when a transaction ends that held a segment. */
    private void endAndCompare(Writer writer, boolean commits) {
      end(writer, commits);
      compareAfterCleaning();
    }

    private void endSome(SplittableRandom random, boolean isAll) {
      for (Writer writer : writers) {
        if (isAll || random.nextBoolean()) {
          endAndCompare(writer, random.nextBoolean());
        }
      }
    }

    private void awaitTombstonesOver() {
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  System.currentTimeMillis() > cleanedMs + rules.deleteRetention().toMillis() + 20);
    }

    private void compareAfterCleaning() {
      long stable = log().lastStable();
      long segment = segments.headSet(stable, true).last();
      compareAfterCleaning(segment, segment == stable ? segments.last() : segment);
    }

    /**
     * @param cleanable how far Kafka may clean: to the begin of a segment
     * @param activeFrom where the active segment of the model begins
     */
    private void compareAfterCleaning(long cleanable, long activeFrom) {
      if (cleanable > cleanedTo) {
        await()
            .atMost(LIMIT)
            .pollInterval(Duration.ofMillis(10))
            .untilAsserted(() -> assertThat(checkpoint()).as(where()).isEqualTo(cleanable));
        cleanedTo = cleanable;
        cleanedMs = System.currentTimeMillis();
        model.advanceTo(cleanedMs);
        log().compact(rules, activeFrom, cleanedMs);
        story.add("cleaned to " + cleanable);
      }
      assertThat(read()).as(where()).isEqualTo(shown());
    }

    /** Up to where Kafka's cleaner came; it writes that down after it has replaced the segments. */
    private long checkpoint() throws IOException {
      Path file = folder.resolve("logs").resolve("cleaner-offset-checkpoint");
      return Files.exists(file)
          ? Files.readAllLines(file).stream()
              .filter(line -> line.startsWith(name + " 0 "))
              .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
              .findFirst()
              .orElse(0)
          : 0;
    }

    private String where() {
      return "waterclock.seed=" + seed + ", topic " + name + ": " + String.join(", ", story);
    }

    private List<String> shown() {
      return log().fetch(0, Integer.MAX_VALUE).records().stream()
          .map(
              record ->
                  line(
                      record.offset(),
                      record.keyText(),
                      record.value().map(value -> new String(value, StandardCharsets.UTF_8))))
          .toList();
    }

    private long tombstonesShown() {
      return shown().stream().filter(line -> line.endsWith("no value")).count();
    }

    private List<String> read() {
      List<String> read = new ArrayList<>();
      committed.assign(Set.of(real));
      committed.seekToBeginning(Set.of(real));
      await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(1))
          .until(
              () -> {
                committed
                    .poll(Duration.ofMillis(20))
                    .forEach(
                        record ->
                            read.add(
                                line(
                                    record.offset(),
                                    record.key(),
                                    Optional.ofNullable(record.value()))));
                return committed.position(real) >= log().lastStable();
              });
      return read;
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String line(long offset, String key, Optional<String> value) {
    return offset + " " + key + " " + value.orElse("no value");
  }
}

package io.waterclock.client.schedules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A business event, the schedule that follows from it and the consumed offsets: all or nothing. */
@Timeout(600)
final class SchedulesInTransactionTest {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
  private static final TopicPartition EVENTS = new TopicPartition("events", 0);
  private static final ScheduleBuilder HOURLY = ScheduleBuilder.every("1h");

  @TempDir static Path dir;
  static EmbeddedKafka kafka;
  static Waterclock scheduler;
  static Schedules all;

  @BeforeAll
  static void start() throws ExecutionException, InterruptedException {
    kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(ORDERS.topic(), 1, (short) 1),
                  new NewTopic(EVENTS.topic(), 1, (short) 1)))
          .all()
          .get();
    }
    scheduler = TestScheduler.start(kafka.bootstrapServers(), "waterclock", dir, Map.of());
    all = Schedules.builder(kafka.bootstrapServers()).timeout(Duration.ofSeconds(20)).build();
  }

  @AfterAll
  static void stop() {
    all.close();
    scheduler.close();
    kafka.close();
  }

  private static KafkaProducer<byte[], byte[]> producer(String id) {
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", id),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }

  /** What a service does with an order that it has consumed. */
  private static Pending take(
      KafkaProducer<byte[], byte[]> producer, SchedulesInTransaction schedules, String order) {
    producer.beginTransaction();
    var unused =
        producer.send(new ProducerRecord<>(EVENTS.topic(), (order + " placed").getBytes(UTF_8)));
    Pending pending = schedules.put("reminders/" + order, HOURLY);
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(order)) {
      producer.sendOffsetsToTransaction(
          Map.of(ORDERS, new OffsetAndMetadata(1)), consumer.groupMetadata());
    }
    return pending;
  }

  @Test
  void a_commit_makes_event_schedule_and_offsets_there_and_brings_the_answer() throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = producer("commit")) {
      SchedulesInTransaction schedules = all.in(producer);
      Pending pending = take(producer, schedules, "committed");
      Pending paused = schedules.pause("reminders/committed");
      assertThat(all.get("reminders/committed").join()).isEmpty();
      producer.commitTransaction();
      assertThat(pending.scheduleId()).isEqualTo("reminders/committed");
      assertThat(pending.answer().join().orThrow().next()).isPresent();
      assertThat(pending.answer()).isSameAs(pending.answer());
      assertThat(paused.answer().join().orThrow().next()).isEmpty();
      await()
          .untilAsserted(
              () -> {
                assertThat(events()).contains("committed placed");
                assertThat(offset("committed")).isTrue();
              });
    }
  }

  @Test
  void an_abort_leaves_nothing_behind_and_the_handle_says_so() throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = producer("abort")) {
      Pending pending = take(producer, all.in(producer), "aborted");
      producer.flush();
      producer.abortTransaction();
      assertAborted(pending);
      assertThat(all.next("reminders/aborted")).failsWithin(Duration.ofSeconds(20));
      assertThat(all.get("reminders/aborted").join()).isEmpty();
      assertThat(events()).doesNotContain("aborted placed");
      assertThat(offset("aborted")).isFalse();
    }
  }

  @Test
  void an_abort_before_a_record_reached_the_broker_is_reported_too() {
    try (KafkaProducer<byte[], byte[]> producer = producer("early")) {
      SchedulesInTransaction schedules = all.in(producer);
      producer.beginTransaction();
      Pending pending = schedules.put("early", HOURLY);
      producer.abortTransaction();
      assertAborted(pending);
    }
  }

  @Test
  void a_transaction_that_had_failed_names_the_record_that_failed() {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "transactional.id",
                "no-topic",
                "max.block.ms",
                3_000),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.initTransactions();
      SchedulesInTransaction schedules = all.in(producer);
      producer.beginTransaction();
      var unused = producer.send(new ProducerRecord<>("no-such-topic", "an order".getBytes(UTF_8)));
      assertThatThrownBy(() -> schedules.put("reminders/none", HOURLY))
          .isInstanceOf(NotWrittenException.class)
          .hasMessageContaining(
              "its transaction had failed before: Topic no-such-topic not present");
      producer.abortTransaction();
    }
  }

  private static void assertAborted(Pending pending) {
    Instant asked = Instant.now();
    assertThatThrownBy(() -> pending.answer().join())
        .isInstanceOf(NotWrittenException.class)
        .hasMessageStartingWith("The record for " + pending.scheduleId() + " was not written: ")
        .hasMessageContaining("aborted");
    assertThat(Instant.now()).as("before the time-out").isBefore(asked.plusSeconds(20));
  }

  @Test
  void an_open_transaction_is_reported_and_its_schedule_follows_with_the_commit() {
    try (Schedules impatient =
            Schedules.builder(kafka.bootstrapServers()).timeout(Duration.ofSeconds(2)).build();
        KafkaProducer<byte[], byte[]> producer = producer("open")) {
      SchedulesInTransaction schedules = impatient.in(producer);
      producer.beginTransaction();
      Pending pending = schedules.put("open", HOURLY);
      producer.flush();
      assertThatThrownBy(() -> pending.answer().join())
          .isInstanceOf(NoAnswerException.class)
          .hasMessageContaining(
              "is still open, and no scheduler reads the record before the commit");
      producer.commitTransaction();
      assertThat(all.next("open").join()).isPresent();
    }
  }

  @Test
  void a_producer_without_transactions_is_refused() {
    for (Map<String, Object> settings :
        List.<Map<String, Object>>of(
            Map.of(), Map.of("enable.idempotence", false), Map.of("transactional.id", "late"))) {
      Map<String, Object> complete = new HashMap<>(settings);
      complete.put("bootstrap.servers", kafka.bootstrapServers());
      try (KafkaProducer<byte[], byte[]> producer =
          new KafkaProducer<>(complete, new ByteArraySerializer(), new ByteArraySerializer())) {
        assertThatThrownBy(() -> all.in(producer))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("the producer is not transactional")
            .hasMessageContaining("transactional.id, for example \"orders-1\"");
      }
    }
  }

  @Test
  void outside_of_a_transaction_nothing_is_sent() {
    KafkaProducer<byte[], byte[]> producer = producer("outside");
    SchedulesInTransaction schedules = all.in(producer);
    assertThatThrownBy(() -> schedules.put("outside", HOURLY))
        .isInstanceOf(IllegalStateException.class);
    producer.close(Duration.ZERO); // Kafka's producer waits for what it has refused to send
    assertThat(all.get("outside").join()).isEmpty();
  }

  private static KafkaConsumer<byte[], byte[]> consumer(String group) {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "group.id",
            group,
            "isolation.level",
            "read_committed"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private static List<String> events() {
    List<String> events = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer("events")) {
      consumer.assign(List.of(EVENTS));
      consumer.seekToBeginning(List.of(EVENTS));
      long end = consumer.endOffsets(List.of(EVENTS)).getOrDefault(EVENTS, 0L);
      while (consumer.position(EVENTS) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          events.add(new String(record.value(), UTF_8));
        }
      }
    }
    return events;
  }

  private static boolean offset(String group) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      return admin
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .get()
          .keySet()
          .equals(Set.of(ORDERS));
    }
  }
}

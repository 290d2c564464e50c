package io.waterclock.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.client.schedules.Schedules;
import io.waterclock.client.schedules.SchedulesInTransaction;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.client.worker.JdbcFireHandler.Connections;
import io.waterclock.client.worker.WorkerStatus;
import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each example against a broker and a real scheduler, with its effect. */
@Timeout(600)
final class ExamplesTest {
  private static final Duration BOUND = Duration.ofMinutes(4);

  @TempDir static Path dir;
  static EmbeddedKafka kafka;
  static Waterclock scheduler;
  static Schedules schedules;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start(dir.resolve("kafka"), 0);
    scheduler =
        Waterclock.start(
            WaterclockConfig.parse(
                Map.of(
                    "bootstrap.servers", kafka.bootstrapServers(),
                    "partitions", "1",
                    "state.dir", dir.resolve("state").toString(),
                    "targets.allow", "examples.*",
                    "health.port", "off")));
    await().atMost(BOUND).until(scheduler::isReady);
    schedules = Schedules.builder(kafka.bootstrapServers()).timeout(Duration.ofSeconds(30)).build();
  }

  @AfterAll
  static void stop() {
    schedules.close();
    scheduler.close();
    kafka.close();
  }

  @Test
  void a_reminder_is_a_message_in_a_topic_at_its_time_and_a_deleted_one_is_none() throws Exception {
    Setup.createTopic(kafka.bootstrapServers(), Reminders.TOPIC);
    Setup.createTopic(kafka.bootstrapServers(), Reminders.TOPIC);
    Instant at = Instant.now().plusSeconds(5);
    Reminders.remind(schedules, "43", at, "{\"cart\":1}");
    Reminders.remind(schedules, "42", at.plusSeconds(1), "{\"cart\":3}");
    schedules.delete("examples/reminders/43").join().orThrow();
    await().atMost(BOUND).until(() -> !read(Reminders.TOPIC).isEmpty());
    List<ConsumerRecord<String, String>> messages = read(Reminders.TOPIC);
    assertThat(messages).extracting(ConsumerRecord::key).containsExactly("42");
    assertThat(messages).extracting(ConsumerRecord::value).containsExactly("{\"cart\":3}");
    assertThat(Instant.ofEpochMilli(messages.get(0).timestamp())).isAfter(at);
  }

  @Test
  @Tag("all")
  void a_document_is_indexed_once_after_the_last_of_its_changes() {
    Duration quiet = Duration.ofSeconds(2);
    List<String> indexed = new CopyOnWriteArrayList<>();
    for (int change = 0; change < 5; change++) {
      Debounce.changed(schedules, "manual", quiet);
    }
    Instant last = Instant.now();
    try (FireWorker worker = Debounce.start(kafka.bootstrapServers(), indexed::add)) {
      await().atMost(BOUND).until(() -> !indexed.isEmpty());
      Debounce.changed(schedules, "manual", Duration.ZERO);
      await().atMost(BOUND).until(() -> indexed.size() == 2);
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
    List<Fire> fires = schedules.fires("examples/index/manual").join();
    assertThat(fires).as("one for five changes, and one for the last change").hasSize(2);
    assertThat(fires.get(0).getFiredAt()).isAfter(last.plus(quiet).minusSeconds(1));
  }

  @Test
  @Tag("all")
  void a_session_ends_after_its_latest_event_although_older_ones_arrive_later() {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    Duration silence = Duration.ofSeconds(2);
    List<SessionTimeout.Session> ended = new CopyOnWriteArrayList<>();
    SessionTimeout.Session latest = new SessionTimeout.Session("42", now);
    SessionTimeout.Session older = new SessionTimeout.Session("42", now.minusSeconds(1));
    assertThat(SessionTimeout.seen(schedules, older, silence).isChange()).isTrue();
    assertThat(SessionTimeout.seen(schedules, latest, silence).next()).contains(now.plus(silence));
    assertThat(SessionTimeout.seen(schedules, older, silence).isChange()).isFalse();
    try (FireWorker worker = SessionTimeout.start(kafka.bootstrapServers(), ended::add)) {
      await().atMost(BOUND).until(() -> !ended.isEmpty());
      assertThat(SessionTimeout.seen(schedules, older, silence).neverFires()).isTrue();
      SessionTimeout.Session next = new SessionTimeout.Session("42", now.plusSeconds(1));
      assertThat(SessionTimeout.seen(schedules, next, silence).isChange()).isTrue();
      await().atMost(BOUND).until(() -> ended.size() == 2);
      assertThat(ended).containsExactly(latest, next);
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
  }

  @Test
  void an_order_that_is_not_paid_by_its_deadline_is_cancelled() throws Exception {
    Setup.createTopic(kafka.bootstrapServers(), SagaDeadline.ORDERS);
    List<String> cancelled = new CopyOnWriteArrayList<>();
    try (Producer<byte[], byte[]> producer = SagaDeadline.producer(kafka.bootstrapServers());
        FireWorker worker = SagaDeadline.start(kafka.bootstrapServers(), cancelled::add)) {
      SchedulesInTransaction deadlines = schedules.in(producer);
      SagaDeadline.placed(producer, deadlines, "18", Duration.ofSeconds(3));
      SagaDeadline.paid(producer, deadlines, "18");
      SagaDeadline.placed(producer, deadlines, "17", Duration.ofSeconds(4));
      await().atMost(BOUND).until(() -> !cancelled.isEmpty());
      assertThat(cancelled).containsExactly("17");
      assertThat(schedules.get("examples/deadlines/18").join()).isEmpty();
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
  }

  @Test
  void a_nightly_report_is_written_once_although_its_fires_are_read_twice() throws Exception {
    Connections database =
        () -> DriverManager.getConnection("jdbc:h2:mem:reports;DB_CLOSE_DELAY=-1");
    try (FireWorker worker = report("first", database)) {
      for (int night = 0; night < 3; night++) {
        schedules.trigger(NightlyReport.ID).join().orThrow();
      }
      await().atMost(BOUND).until(() -> reports(database).size() >= 3);
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
    try (FireWorker again = report("second", database)) {
      schedules.trigger(NightlyReport.ID).join().orThrow();
      await().atMost(BOUND).until(() -> reports(database).size() >= 4);
      assertThat(again.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
    assertThat(reports(database)).hasSize(4).doesNotHaveDuplicates();
  }

  /** A group that is new reads all fires from the beginning. */
  private static FireWorker report(String group, Connections database) throws SQLException {
    return NightlyReport.start(kafka.bootstrapServers(), group, schedules, database);
  }

  private static List<String> reports(Connections database) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("select line from reports")) {
      while (found.next()) {
        lines.add(found.getString(1));
      }
    }
    return lines;
  }

  @Test
  @Tag("all")
  void a_mailbox_is_read_to_its_end_in_several_runs_each_message_once() {
    List<String> messages = IntStream.range(0, 30).mapToObj(i -> "message " + i).toList();
    List<String> handled = new CopyOnWriteArrayList<>();
    PolledMailbox mailbox =
        new PolledMailbox(
            messages,
            message -> {
              LockSupport.parkNanos(Duration.ofMillis(150).toNanos());
              handled.add(message);
            });
    try (FireWorker worker = mailbox.start(kafka.bootstrapServers(), schedules)) {
      await().atMost(BOUND).until(() -> handled.size() >= messages.size());
      assertThat(worker.state()).isEqualTo(WorkerStatus.State.RUNNING);
    }
    assertThat(handled).isEqualTo(messages);
    assertThat(schedules.fires(PolledMailbox.ID).join()).hasSizeGreaterThan(1);
    schedules.delete(PolledMailbox.ID).join().orThrow();
  }

  @Test
  @Tag("all")
  void invoices_join_fires_with_customers_and_a_backfill_makes_no_second_one() throws Exception {
    String servers = kafka.bootstrapServers();
    Setup.createTopic(servers, Invoices.CUSTOMERS);
    Setup.createTopic(servers, Invoices.INVOICES);
    Invoices.addCustomer(servers, "42", "Ada Lovelace");
    String id = Invoices.invoice(schedules, "42", Duration.ofSeconds(1)).scheduleId();
    try (KafkaStreams streams = Invoices.start(servers, dir.resolve("invoices"))) {
      await().atMost(BOUND).until(() -> read(Invoices.INVOICES).size() >= 2);
      List<Instant> fired = schedules.fires(id).join().stream().map(Fire::getOccurrence).toList();
      schedules.backfill(id, fired.get(0), fired.get(1).plusMillis(1)).join().orThrow();
      await().atMost(BOUND).until(() -> schedules.fires(id).join().size() >= fired.size() + 4);
      int later = schedules.fires(id).join().size() - 2;
      await().atMost(BOUND).until(() -> read(Invoices.INVOICES).size() >= later);
      assertThat(streams.state().isRunningOrRebalancing()).isTrue();
    }
    assertThat(read(Invoices.INVOICES))
        .extracting(ConsumerRecord::value)
        .allMatch(invoice -> invoice.startsWith("invoice for Ada Lovelace, 20"))
        .doesNotHaveDuplicates();
    schedules.delete(id).join().orThrow();
  }

  private static List<ConsumerRecord<String, String>> read(String topic) {
    TopicPartition partition = new TopicPartition(topic, 0);
    List<ConsumerRecord<String, String>> records = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed"),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }
}

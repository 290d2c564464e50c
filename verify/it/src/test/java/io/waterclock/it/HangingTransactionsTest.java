package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.brokers.TransactionWatch;
import io.waterclock.runtime.clients.WatchedClients;
import io.waterclock.testkit.KafkaProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker forgets a transaction that is still open in a changelog (KAFKA-20734). */
@Timeout(180)
final class HangingTransactionsTest {
  private static final Map<String, String> BROKER =
      Map.of(
          "group.min.session.timeout.ms", "500",
          "transaction.abort.timed.out.transaction.cleanup.interval.ms", "50",
          "broker.session.timeout.ms", "9000");
  private static final List<String> JVM =
      List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  @TempDir Path dir;

  @Test
  @Tag("all")
  void an_instance_ends_what_its_coordinator_has_aborted_and_then_fires() throws Exception {
    KafkaProcess kafka = start(0);
    try {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "hang", dir);
      Map<String, String> settings = tenant.settings("one", Map.of("partitions", "1"));
      tenant.createTopics(settings);
      TopicPartition changelog =
          new TopicPartition(tenant.applicationId() + "-progress-changelog", 0);
      kafka = untilItHangs(kafka, tenant, changelog);

      try (SchedulerProcess scheduler = SchedulerProcess.start(settings)) {
        await().atMost(Duration.ofSeconds(90)).until(() -> scheduler.ready().isOk());
        assertThat(scheduler.log())
            .anyMatch(
                line ->
                    line.contains(
                            "Ended a transaction that blocked the scheduler: a transaction hangs in ")
                        && line.contains(changelog.toString()));
      }
      assertThat(hangs(tenant, changelog)).isFalse();
    } finally {
      kafka.close();
    }
  }

  @Test
  @Tag("all")
  void an_instance_that_is_not_to_abort_names_the_command_and_leaves_it_to_a_person()
      throws Exception {
    KafkaProcess kafka = start(0);
    try {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "left", dir);
      Map<String, String> settings =
          tenant.settings("one", Map.of("partitions", "1", "transactions.abort", "false"));
      tenant.createTopics(settings);
      TopicPartition changelog =
          new TopicPartition(tenant.applicationId() + "-progress-changelog", 0);
      kafka = untilItHangs(kafka, tenant, changelog);

      try (SchedulerProcess scheduler = SchedulerProcess.start(settings)) {
        await()
            .atMost(Duration.ofSeconds(90))
            .until(
                () ->
                    scheduler.log().stream()
                        .anyMatch(
                            line ->
                                line.contains(
                                        "The instance cannot continue: a transaction hangs in ")
                                    && line.contains("kafka-transactions.sh")));
        assertThat(scheduler.ready().isOk()).isFalse();
      }
      assertThat(hangs(tenant, changelog)).isTrue();
    } finally {
      kafka.close();
    }
  }

  @Test
  @Tag("all")
  void a_producer_that_begins_anew_commits_nothing_of_what_was_aborted() throws Exception {
    KafkaProcess kafka = start(0);
    try {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "anew", dir);
      TopicPartition fires = new TopicPartition(tenant.topics().fires(), 0);
      try (Admin admin = tenant.admin()) {
        admin.createTopics(List.of(new NewTopic(fires.topic(), 1, (short) 1))).all().get();
      }
      kafka = untilItHangs(kafka, tenant, fires);

      Map<String, Object> settings = new HashMap<>(writer(tenant));
      settings.put("client.id", "thread-producer");
      TransactionWatch watch =
          new TransactionWatch(
              tenant.config(Map.of()),
              Map.of("bootstrap.servers", tenant.bootstrapServers()),
              () -> true);
      try (Producer<byte[], byte[]> producer =
          new WatchedClients(watch::settle, ends -> {}, Optional.empty()).getProducer(settings)) {
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(fires.topic(), 0, bytes("next"), bytes("next"))).get();
        producer.commitTransaction();
      }
      try (TopicReader<byte[]> reader =
          new TopicReader<>(tenant.bootstrapServers(), fires.topic(), bytes -> bytes)) {
        assertThat(reader.toEnd())
            .extracting(TopicReader.Entry::key)
            .containsExactly(Optional.of("next"));
      }
    } finally {
      kafka.close();
    }
  }

  private KafkaProcess untilItHangs(KafkaProcess first, Tenant tenant, TopicPartition partition)
      throws ExecutionException, InterruptedException, IOException {
    KafkaProcess kafka = first;
    do {
      leaveOpen(tenant, partition, kafka);
      hideTheCrash();
      kafka = start(kafka.port());
    } while (!hangs(tenant, partition));
    return kafka;
  }

  private KafkaProcess start(int port) {
    return KafkaProcess.start(dir.resolve("kafka"), port, BROKER, JVM);
  }

  /** Writes as an instance does that the broker's end takes by surprise. */
  private static void leaveOpen(Tenant tenant, TopicPartition partition, KafkaProcess kafka)
      throws ExecutionException, InterruptedException {
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(writer(tenant), new ByteArraySerializer(), new ByteArraySerializer());
    try {
      producer.initTransactions();
      producer.beginTransaction();
      byte[] key = bytes("never committed");
      producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), key, key)).get();
      kafka.kill();
    } finally {
      producer.close(Duration.ZERO);
    }
  }

  private static Map<String, Object> writer(Tenant tenant) {
    return Map.of(
        "bootstrap.servers",
        tenant.bootstrapServers(),
        "transactional.id",
        tenant.applicationId() + "-gone-1",
        "transaction.timeout.ms",
        500);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The test kit would see to it that nothing hangs; real brokers do not. */
  private void hideTheCrash() throws IOException {
    Files.deleteIfExists(dir.resolve("kafka/logs/__cluster_metadata-0/quorum-state"));
  }

  /** True when what is open is not ended within the time in which it would be. */
  private static boolean hangs(Tenant tenant, TopicPartition partition)
      throws ExecutionException, InterruptedException {
    try (Admin admin = tenant.admin()) {
      long end = end(admin, partition, IsolationLevel.READ_UNCOMMITTED);
      await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> end(admin, partition, IsolationLevel.READ_COMMITTED) >= end);
      return false;
    } catch (ConditionTimeoutException e) {
      return true;
    }
  }

  private static long end(Admin admin, TopicPartition partition, IsolationLevel isolation)
      throws ExecutionException, InterruptedException {
    return admin
        .listOffsets(Map.of(partition, OffsetSpec.latest()), new ListOffsetsOptions(isolation))
        .partitionResult(partition)
        .get()
        .offset();
  }
}

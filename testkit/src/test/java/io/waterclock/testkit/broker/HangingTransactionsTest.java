package io.waterclock.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.testkit.KafkaProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
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
          "broker.session.timeout.ms", "4000");
  private static final List<String> JVM =
      List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  @TempDir Path dir;

  @Test
  void an_instance_ends_what_its_coordinator_has_aborted_and_then_fires() throws Exception {
    KafkaProcess kafka = start(0);
    try {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "hang", dir);
      Map<String, String> settings = tenant.settings("one", Map.of("partitions", "1"));
      SchedulerProcess.start(settings).awaitReady().terminate();
      TopicPartition changelog =
          new TopicPartition(tenant.applicationId() + "-progress-changelog", 0);
      do {
        leaveOpen(tenant, changelog, kafka);
        hideTheCrash();
        kafka = start(kafka.port());
      } while (!hangs(tenant, changelog));

      try (SchedulerProcess scheduler = SchedulerProcess.start(settings)) {
        await().atMost(Duration.ofSeconds(90)).until(() -> scheduler.ready().isOk());
        assertThat(scheduler.log())
            .anyMatch(
                line ->
                    line.contains("Ended what held this instance up: a transaction hangs in ")
                        && line.contains(changelog.toString()));
      }
      assertThat(hangs(tenant, changelog)).isFalse();
    } finally {
      kafka.close();
    }
  }

  private KafkaProcess start(int port) {
    return KafkaProcess.start(dir.resolve("kafka"), port, BROKER, JVM);
  }

  /** Writes as an instance does that the broker's end takes by surprise. */
  private static void leaveOpen(Tenant tenant, TopicPartition partition, KafkaProcess kafka)
      throws ExecutionException, InterruptedException {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            tenant.bootstrapServers(),
            "transactional.id",
            tenant.applicationId() + "-gone-1",
            "transaction.timeout.ms",
            500);
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    try {
      producer.initTransactions();
      producer.beginTransaction();
      byte[] key = "never committed".getBytes(StandardCharsets.UTF_8);
      producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), key, key)).get();
      kafka.kill();
    } finally {
      producer.close(Duration.ZERO);
    }
  }

  /** The test kit would see to it that nothing hangs; real brokers do not. */
  private void hideTheCrash() throws IOException {
    Files.delete(dir.resolve("kafka/logs/bootstrap.checkpoint"));
  }

  /** True when what is open is not ended within the time in which it would be. */
  private static boolean hangs(Tenant tenant, TopicPartition partition)
      throws ExecutionException, InterruptedException {
    try (Admin admin = tenant.admin()) {
      long end = end(admin, partition, IsolationLevel.READ_UNCOMMITTED);
      for (int i = 0; i < 50; i++) {
        if (end(admin, partition, IsolationLevel.READ_COMMITTED) >= end) {
          return false;
        }
        Thread.sleep(100);
      }
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

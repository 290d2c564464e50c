package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.clients.WatchedClients;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.avro.Watermark;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Instances come and go; the schedules notice nothing. */
@Timeout(600)
final class TwoInstancesTest {
  private static final Map<String, String> FOUR = Map.of("partitions", "4");

  @TempDir static Path dir;
  @RegisterExtension static final TestBroker kafka = new TestBroker(TestBroker.SHORT_TRANSACTIONS);

  @Test
  @Tag("all")
  void an_instance_that_ends_leaves_the_group_unless_it_has_a_name_to_come_back_under()
      throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "names", dir);
    Map<String, String> named =
        Map.of(
            "partitions", "1",
            "main.consumer.group.instance.id", "named",
            "main.consumer.session.timeout.ms", "30000",
            "main.consumer.heartbeat.interval.ms", "3000");
    run(tenant.config(named));
    assertThat(members(tenant)).containsExactly(Optional.of("named-1"));
    run(tenant.config(named));
    assertThat(members(tenant)).containsExactly(Optional.of("named-1"));

    Tenant other = new Tenant(kafka.bootstrapServers(), "nameless", dir);
    run(other.config(Map.of("partitions", "1")));
    assertThat(members(other)).isEmpty();
  }

  /**
   * A stream thread that takes partitions of a dead instance over asks for their offsets, while the
   * partitions that it already has go on.
   */
  @Test
  @Tag("all")
  @Timeout(180)
  void offsets_that_an_open_transaction_commits_hold_a_thread_up_only_shortly() throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "offsets", dir);
    tenant.createTopics(tenant.settings("one", Map.of("partitions", "1")));
    TopicPartition partition = new TopicPartition(tenant.topics().schedules(), 0);
    Map<String, Object> client =
        Map.of(
            "bootstrap.servers",
            tenant.bootstrapServers(),
            "group.id",
            "offsets",
            "client.id",
            "thread-consumer",
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            "false",
            "key.deserializer",
            ByteArrayDeserializer.class,
            "value.deserializer",
            ByteArrayDeserializer.class,
            "default.api.timeout.ms",
            600_000);
    Map<String, Object> dead =
        Map.of(
            "bootstrap.servers",
            tenant.bootstrapServers(),
            "transactional.id",
            "dead",
            "transaction.timeout.ms",
            600_000,
            "key.serializer",
            ByteArraySerializer.class,
            "value.serializer",
            ByteArraySerializer.class);
    WatchedClients clients = new WatchedClients(id -> {}, ends -> {}, Optional.empty());
    KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(dead);
    try (KafkaConsumer<byte[], byte[]> consumer = clients.getConsumer(client)) {
      consumer.assign(Set.of(partition));
      await()
          .ignoreExceptionsInstanceOf(TimeoutException.class)
          .until(
              () -> {
                consumer.poll(Duration.ZERO);
                return consumer.committed(Set.of(partition)).get(partition) == null;
              });
      producer.initTransactions();
      producer.beginTransaction();
      producer.sendOffsetsToTransaction(
          Map.of(partition, new OffsetAndMetadata(7)), consumer.groupMetadata());
      assertThatThrownBy(() -> consumer.committed(Set.of(partition)))
          .isInstanceOf(TimeoutException.class);
      producer.commitTransaction();
      await()
          .ignoreExceptionsInstanceOf(TimeoutException.class)
          .untilAsserted(
              () -> {
                consumer.poll(Duration.ZERO);
                assertThat(consumer.committed(Set.of(partition)))
                    .containsEntry(partition, new OffsetAndMetadata(7));
              });
    } finally {
      producer.close(Duration.ZERO);
    }
  }

  private static void run(WaterclockConfig config) {
    try (Waterclock scheduler = Waterclock.start(config)) {
      await().atMost(Duration.ofMinutes(4)).until(scheduler::isReady);
    }
  }

  private static List<Optional<String>> members(Tenant tenant) throws Exception {
    try (Admin admin = tenant.admin()) {
      return admin
          .describeConsumerGroups(List.of(tenant.applicationId()))
          .all()
          .get()
          .values()
          .stream()
          .flatMap(group -> group.members().stream())
          .map(MemberDescription::groupInstanceId)
          .toList();
    }
  }

  @Test
  @Tag("all")
  void two_instances_share_the_partitions_and_nothing_is_lost_or_doubled_when_one_is_killed() {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "two", dir);
    try (SchedulerProcess a = SchedulerProcess.start(tenant.settings("a", FOUR)).awaitReady();
        SchedulerProcess b = SchedulerProcess.start(tenant.settings("b", FOUR))) {
      Herd herd = Herd.define(tenant, 80);
      awaitOwners(tenant, Set.of("a", "b"));
      assertThat(List.of(a.awaitReady().live().status(), b.awaitReady().live().status()))
          .containsOnly(200);

      a.kill();
      awaitOwners(tenant, Set.of("b"));

      try (SchedulerProcess c = SchedulerProcess.start(tenant.settings("c", FOUR))) {
        awaitOwners(tenant, Set.of("b", "c"));
        assertThat(b.terminate()).isZero();
        awaitOwners(tenant, Set.of("c"));
        assertThat(c.terminate()).isZero();
      }
      assertThat(herd.assertAccounted()).isPositive();
    }
  }

  @Test
  @Tag("all")
  void sigterm_ends_an_instance_and_the_next_one_waits_for_no_time_out() throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "term", dir);
    Map<String, String> patient =
        Map.of(
            "partitions", "1",
            "main.consumer.session.timeout.ms", "600000",
            "producer.transaction.timeout.ms", "600000");
    Herd herd;
    try (SchedulerProcess first = SchedulerProcess.start(tenant.settings("one", patient));
        Admin admin = tenant.admin()) {
      first.awaitReady();
      herd = Herd.define(tenant, 50);
      awaitOwners(tenant, Set.of("one"));
      assertThat(first.terminate()).isZero();
      assertThat(members(admin, tenant)).isEmpty();
    }
    try (SchedulerProcess second = SchedulerProcess.start(tenant.settings("two", patient))) {
      second.awaitReady();
      awaitOwners(tenant, Set.of("two"));
      assertThat(second.terminate()).isZero();
    }
    assertThat(herd.assertAccounted()).isPositive();
  }

  private static Collection<MemberDescription> members(Admin admin, Tenant tenant)
      throws ExecutionException, InterruptedException {
    return admin
        .describeConsumerGroups(List.of(tenant.applicationId()))
        .all()
        .get()
        .values()
        .stream()
        .flatMap(group -> group.members().stream())
        .toList();
  }

  /** Waits until the latest watermarks, all written after this call, name these instances. */
  private static void awaitOwners(Tenant tenant, Set<String> instances) {
    Instant since = Instant.now();
    try (TopicReader<Watermark> watermarks = tenant.watermarks()) {
      await()
          .atMost(Duration.ofMinutes(4))
          .until(
              () -> {
                Map<Integer, Watermark> latest = new HashMap<>();
                watermarks
                    .values()
                    .forEach(watermark -> latest.put(watermark.getPartition(), watermark));
                return Set.copyOf(latest.values().stream().map(Watermark::getInstance).toList())
                        .equals(instances)
                    && latest.values().stream().allMatch(w -> w.getWrittenAt().isAfter(since));
              });
    }
  }
}

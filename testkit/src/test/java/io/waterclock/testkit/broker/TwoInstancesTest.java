package io.waterclock.testkit.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.schemas.avro.Watermark;
import io.waterclock.testkit.EmbeddedKafka;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Instances come and go; the schedules notice nothing. */
@Timeout(120)
final class TwoInstancesTest {
  private static final Map<String, String> FOUR = Map.of("partitions", "4");

  @TempDir static Path dir;
  private static EmbeddedKafka kafka;

  @BeforeAll
  static void startBroker() {
    kafka =
        EmbeddedKafka.start(
            dir.resolve("kafka"),
            0,
            Map.of(
                "group.min.session.timeout.ms", "500",
                "transaction.abort.timed.out.transaction.cleanup.interval.ms", "200"));
  }

  @AfterAll
  static void stopBroker() {
    kafka.close();
  }

  @Test
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
  void sigterm_ends_an_instance_within_seconds_and_the_next_one_waits_for_no_time_out()
      throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "term", dir);
    Map<String, String> patient =
        Map.of(
            "partitions", "1",
            "main.consumer.session.timeout.ms", "60000",
            "producer.transaction.timeout.ms", "60000");
    Herd herd;
    try (SchedulerProcess first = SchedulerProcess.start(tenant.settings("one", patient));
        Admin admin = tenant.admin()) {
      first.awaitReady();
      herd = Herd.define(tenant, 50);
      awaitOwners(tenant, Set.of("one"));
      Instant term = Instant.now();
      assertThat(first.terminate()).isZero();
      assertThat(Duration.between(term, Instant.now())).isLessThan(Duration.ofSeconds(5));
      assertThat(members(admin, tenant)).isEmpty();
    }
    Instant restart = Instant.now();
    try (SchedulerProcess second = SchedulerProcess.start(tenant.settings("two", patient))) {
      second.awaitReady();
      assertThat(Duration.between(restart, Instant.now())).isLessThan(Duration.ofSeconds(25));
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
          .atMost(Duration.ofSeconds(40))
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

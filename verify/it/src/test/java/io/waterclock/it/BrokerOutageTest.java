package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.testkit.KafkaProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The only broker is killed with {@code kill -9} while the scheduler fires. It stays away until the
 * scheduler has noticed, which takes longer than the time-outs of the group and of transactions.
 *
 * <p>{@code -Dwaterclock.outages=20} for more of them, {@code -Dwaterclock.outageSeconds=60} for
 * longer ones.
 */
@Timeout(3_600)
final class BrokerOutageTest {
  private static final int OUTAGES = Integer.getInteger("waterclock.outages", 1);
  private static final Duration LONGER =
      Duration.ofSeconds(Long.getLong("waterclock.outageSeconds", 0));
  private static final Map<String, String> BROKER =
      Map.of(
          "group.min.session.timeout.ms", "500",
          "transaction.abort.timed.out.transaction.cleanup.interval.ms", "200");
  private static final List<String> JVM =
      List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  @TempDir Path dir;

  @Test
  @Tag("all")
  void every_occurrence_fires_exactly_once_though_the_broker_was_away() {
    KafkaProcess kafka = startBroker(0);
    try {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "outage", dir);
      try (SchedulerProcess scheduler = start(tenant)) {
        Herd herd = Herd.define(tenant, 70).awaitAccepted();
        for (int i = 0; i < OUTAGES; i++) {
          awaitFireAfter(tenant, Instant.now());
          kafka.kill();
          awaitUnready(scheduler);
          assertThat(scheduler.live()).isEqualTo(new SchedulerProcess.Health(200, "ok\n"));
          kafka = startBroker(kafka.port());
          scheduler.awaitReady();
        }
        awaitFireAfter(tenant, Instant.now());
        assertThat(scheduler.terminate()).isZero();
        assertThat(lines(scheduler, "BrokerWatch - No broker has answered for "))
            .isEqualTo(OUTAGES);
        assertThat(lines(scheduler, "The brokers answer again after ")).isEqualTo(OUTAGES);
        System.out.println(OUTAGES + " outages, " + herd.assertAccounted() + " fires");
      }
    } finally {
      kafka.close();
    }
  }

  @Test
  @Tag("all")
  void sigterm_ends_an_instance_while_the_broker_is_away() {
    try (KafkaProcess kafka = startBroker(0)) {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "away", dir);
      try (SchedulerProcess scheduler = start(tenant)) {
        Herd.define(tenant, 70);
        awaitFireAfter(tenant, Instant.now());
        kafka.kill();
        awaitUnready(scheduler);

        assertThat(scheduler.terminate()).isZero();
        assertThat(
                lines(
                    scheduler, "The instance has not ended after 5 s, and no broker has answered"))
            .isEqualTo(1);
      }
    }
  }

  private KafkaProcess startBroker(int port) {
    return KafkaProcess.start(dir.resolve("kafka"), port, BROKER, JVM);
  }

  private static SchedulerProcess start(Tenant tenant) {
    return SchedulerProcess.start(tenant.settings("one", Map.of("partitions", "2"))).awaitReady();
  }

  private static void awaitUnready(SchedulerProcess scheduler) {
    await()
        .pollDelay(LONGER)
        .atMost(LONGER.plusSeconds(40))
        .untilAsserted(
            () -> {
              SchedulerProcess.Health ready = scheduler.ready();
              assertThat(ready.status()).isEqualTo(503);
              assertThat(ready.text()).startsWith("no broker has answered for ");
            });
  }

  private static void awaitFireAfter(Tenant tenant, Instant since) {
    try (TopicReader<Fire> fires = tenant.fires()) {
      await()
          .atMost(Duration.ofMinutes(4))
          .until(() -> fires.values().stream().anyMatch(fire -> fire.getFiredAt().isAfter(since)));
    }
  }

  private static long lines(SchedulerProcess scheduler, String text) {
    return scheduler.log().stream().filter(line -> line.contains(text)).count();
  }
}

package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.schemas.avro.Fire;
import io.waterclock.testkit.KafkaProcess;
import io.waterclock.testkit.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Health of a scheduler in a process of its own, broken for real. */
@Timeout(600)
@Tag("all")
final class HealthTest {
  @TempDir Path dir;

  @Test
  void an_instance_is_ready_while_the_broker_answers_and_alive_while_it_ticks() throws Exception {
    try (KafkaProcess kafka =
        KafkaProcess.start(
            dir.resolve("kafka"),
            0,
            // one that is frozen must not be fenced by its own controller when it goes on: markers
            // of
            // transactions can be dropped then (KAFKA-20734), which is not what this is about
            Map.of("group.min.session.timeout.ms", "500", "broker.session.timeout.ms", "60000"),
            List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"))) {
      Tenant tenant = new Tenant(kafka.bootstrapServers(), "health", dir);
      Map<String, String> settings = tenant.settings("one", Map.of("partitions", "1"));
      tenant.createTopics(settings);
      try (Producing schedules = tenant.schedules()) {
        schedules.fill(10_000);
        schedules.put("a", "{\"every\":\"1s\"}");
      }
      int debugPort = Ports.free();
      try (SchedulerProcess scheduler =
          SchedulerProcess.start(settings, FrozenThread.jvmOptions(debugPort))) {
        assertNotReadyWhileReading(scheduler);
        scheduler.awaitReady();
        assertThat(scheduler.live()).isEqualTo(new SchedulerProcess.Health(200, "ok\n"));
        awaitFire(tenant);

        try (FrozenThread frozen = FrozenThread.in(debugPort, "StreamThread-1")) {
          assertThat(frozen).isNotNull();
          awaitDead(scheduler);
        }
        await().atMost(Duration.ofMinutes(4)).until(() -> scheduler.live().isOk());
        awaitFire(tenant);

        signal("STOP", kafka);
        awaitUnready(scheduler);
        assertThat(scheduler.live()).isEqualTo(new SchedulerProcess.Health(200, "ok\n"));
        signal("CONT", kafka);
        scheduler.awaitReady();
        awaitFire(tenant);
      }
    }
  }

  private static void assertNotReadyWhileReading(SchedulerProcess scheduler) {
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .atMost(Duration.ofMinutes(4))
        .untilAsserted(
            () ->
                assertThat(scheduler.ready())
                    .isEqualTo(
                        new SchedulerProcess.Health(
                            503, "task 0_0 has not read its input to the end yet\n")));
  }

  private static void awaitDead(SchedulerProcess scheduler) {
    await()
        .atMost(Duration.ofMinutes(4))
        .untilAsserted(
            () -> {
              SchedulerProcess.Health live = scheduler.live();
              assertThat(live.status()).isEqualTo(503);
              assertThat(live.text()).startsWith("the latest tick of task 0_0 is ");
            });
  }

  private static void awaitUnready(SchedulerProcess scheduler) {
    await()
        .atMost(Duration.ofMinutes(4))
        .untilAsserted(
            () -> {
              SchedulerProcess.Health ready = scheduler.ready();
              assertThat(ready.status()).isEqualTo(503);
              assertThat(ready.text()).startsWith("no broker has answered for ");
            });
  }

  private static void awaitFire(Tenant tenant) {
    Instant since = Instant.now();
    try (TopicReader<Fire> fires = tenant.fires()) {
      await()
          .atMost(Duration.ofMinutes(4))
          .until(() -> fires.values().stream().anyMatch(fire -> fire.getFiredAt().isAfter(since)));
    }
  }

  private static void signal(String name, KafkaProcess kafka)
      throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(kafka.handle().pid())).start();
    assertThat(kill.waitFor(240, TimeUnit.SECONDS)).isTrue();
    assertThat(kill.exitValue()).isZero();
  }
}

package io.waterclock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.spring.actuate.ClientHealth;
import io.waterclock.spring.actuate.PartHealth.Status;
import io.waterclock.spring.actuate.WaterclockEndpoint;
import io.waterclock.spring.actuate.WorkerHealth;
import io.waterclock.spring.schedule.ScheduleWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Health without brokers; {@code OnBrokerTest} shows it with one. */
final class HealthTest {
  static class Handler {
    @FireHandler(id = "a")
    void handle() {}
  }

  @Test
  @Tag("all")
  void an_application_starts_without_brokers_and_says_so() throws IOException {
    Boot.application()
        .withBean(Handler.class)
        .withPropertyValues(
            "spring.kafka.bootstrap-servers=127.0.0.1:" + closedPort(),
            "management.endpoints.web.exposure.include=waterclock",
            "waterclock.timeout=1s")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean(ClientHealth.class).get().status()).isEqualTo(Status.DOWN);
              assertThat(context.getBean(ClientHealth.class).get().details().get("reason"))
                  .asString()
                  .contains("no Kafka broker has answered");
              assertThat(context.getBean(WorkerHealth.class).get().status())
                  .isNotEqualTo(Status.UP);
              WaterclockEndpoint endpoint = context.getBean(WaterclockEndpoint.class);
              assertThat(Objects.requireNonNull(endpoint.schedule("a", "b")).problem())
                  .contains("no Kafka broker answered at 127.0.0.1:");
              assertThat(endpoint.command("pause", "a"))
                  .satisfies(answer -> assertThat(answer.answer()).isEqualTo("none"))
                  .satisfies(
                      answer ->
                          assertThat(answer.reason())
                              .contains("no Kafka broker answered at 127.0.0.1:"));
              assertThat(Objects.requireNonNull(endpoint.schedule("no id")).problem())
                  .contains("\"no id\" has a space at position 2");
              assertThat(endpoint.command("pause", "no id").reason()).contains("a space");
              assertThat(endpoint.command("explode", "a").reason())
                  .isEqualTo(
                      "\"explode\" is no action; for example {\"action\":\"pause\"}, or resume or"
                          + " trigger");
              assertThat(endpoint.command(null, "a").reason()).startsWith("there is no action; ");
            });
  }

  static class Declared {
    @WaterclockSchedule(id = "one", every = "1h")
    @WaterclockSchedule(id = "two", every = "1h")
    @WaterclockSchedule(id = "three", every = "1h")
    void handle() {}
  }

  @Test
  void absent_brokers_are_reported_once_for_all_declared_schedules() throws IOException {
    Boot.application()
        .withBean(Declared.class)
        .withPropertyValues(
            "spring.kafka.bootstrap-servers=127.0.0.1:" + closedPort(),
            "waterclock.worker.enabled=false",
            "waterclock.timeout=200ms")
        .run(
            context -> {
              ScheduleWriter writer = context.getBean(ScheduleWriter.class);
              String unwritten = "not written yet";
              await()
                  .atMost(Duration.ofSeconds(60))
                  .until(() -> !writer.results().values().stream().allMatch(unwritten::equals));
              assertThat(writer.results()).hasSize(3);
              assertThat(writer.results().values())
                  .filteredOn(result -> result.contains("no Kafka broker answered"))
                  .hasSize(1);
            });
  }

  @Test
  void each_part_has_an_indicator_of_this_version_of_spring_boot() {
    Boot.offline()
        .run(
            context -> {
              assertThat(context).hasNotFailed().hasBean("waterclockClientHealthIndicator");
              assertThat(context)
                  .doesNotHaveBean("waterclockWorkerHealthIndicator")
                  .doesNotHaveBean("waterclockSchedulerHealthIndicator");
            });
    Boot.offline()
        .withPropertyValues("management.health.waterclock.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean("waterclockClientHealthIndicator"));
  }

  /** A port that refuses connections. */
  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}

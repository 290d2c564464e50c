package io.waterclock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.spring.actuate.ClientHealth;
import io.waterclock.spring.actuate.PartHealth.Status;
import io.waterclock.spring.actuate.WorkerHealth;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

/** Health without brokers; {@code OnBrokerTest} shows it with one. */
final class HealthTest {
  static class Handler {
    @FireHandler(id = "a")
    void handle() {}
  }

  @Test
  void an_application_starts_without_brokers_and_says_so() throws IOException {
    Boot.application()
        .withBean(Handler.class)
        .withPropertyValues(
            "spring.kafka.bootstrap-servers=127.0.0.1:" + closedPort(), "waterclock.timeout=1s")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean(ClientHealth.class).get().status()).isEqualTo(Status.DOWN);
              assertThat(context.getBean(ClientHealth.class).get().details().get("reason"))
                  .asString()
                  .contains("no Kafka broker has answered");
              assertThat(context.getBean(WorkerHealth.class).get().status())
                  .isNotEqualTo(Status.UP);
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

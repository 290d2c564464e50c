package io.waterclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An instance without partitions is ready only if it is not about to get any. */
@Timeout(600)
final class ReadinessTest {
  @TempDir static Path dir;
  @RegisterExtension static final TestBroker kafka = new TestBroker(TestBroker.SHORT_SESSIONS);

  @Test
  @Tag("all")
  void an_instance_that_joins_is_not_ready_before_others_have_handed_partitions_over() {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "joins", dir);
    try (Waterclock one = start(tenant, "one", 4)) {
      quickly().until(one::isReady);
      try (Waterclock two = start(tenant, "two", 4)) {
        quickly().until(two::isReady);
        assertThat(two.health().tasks()).isPositive();
      }
    }
  }

  @Test
  @Tag("all")
  void an_instance_for_which_there_is_no_partition_is_ready() {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "spare", dir);
    try (Waterclock one = start(tenant, "one", 1)) {
      quickly().until(one::isReady);
      try (Waterclock two = start(tenant, "two", 1)) {
        quickly().until(two::isReady);
        assertThat(one.health().tasks() + two.health().tasks()).isEqualTo(1);
      }
    }
  }

  @Test
  @Tag("all")
  void an_instance_whose_threads_die_after_partitions_were_added_is_not_ready() throws Exception {
    Tenant tenant = new Tenant(kafka.bootstrapServers(), "added", dir);
    try (Waterclock scheduler = start(tenant, "one", 2);
        Admin admin = tenant.admin()) {
      quickly().until(scheduler::isReady);
      CompletableFuture<Optional<Throwable>> end =
          CompletableFuture.supplyAsync(() -> end(scheduler));
      admin
          .createPartitions(Map.of(tenant.topics().schedules(), NewPartitions.increaseTo(3)))
          .all()
          .get();
      List<String> reasons = new ArrayList<>();
      quickly()
          .dontCatchUncaughtExceptions()
          .until(
              () -> {
                if (scheduler.health().tasks() == 0) {
                  reasons.add(String.join("; ", scheduler.health().ready().problems()));
                }
                return end.isDone();
              });
      assertThat(end.get()).isPresent();
      assertThat(reasons)
          .isNotEmpty()
          .doesNotContain("")
          .anyMatch(why -> why.contains("partition"));
    }
  }

  private static Waterclock start(Tenant tenant, String instance, int partitions) {
    return Waterclock.start(
        WaterclockConfig.parse(
            tenant.settings(
                instance,
                Map.of(
                    "partitions",
                    Integer.toString(partitions),
                    "main.consumer.metadata.max.age.ms",
                    "500"))));
  }

  private static Optional<Throwable> end(Waterclock scheduler) {
    try {
      return scheduler.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ConditionFactory quickly() {
    return await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .atMost(Duration.ofMinutes(4));
  }
}

package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.Topics;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.WireFormat;
import io.waterclock.topology.scheduler.context.ApplicationContext;
import io.waterclock.topology.scheduler.context.ClockGuard;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TaskReports;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.streams.Topology;
import org.junit.jupiter.api.Test;

final class SchedulerTopologyTest {

  /** Names in it are names of changelogs and of state on disk: a change of them is a migration. */
  @Test
  void the_graph_is_the_one_that_was_reviewed() throws IOException {
    Topology topology =
        SchedulerTopology.build(settings(), application(), TopologyParts.standard());
    try (InputStream golden = getClass().getResourceAsStream("topology.txt")) {
      assertThat(golden).isNotNull();
      String expected = new String(golden.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(topology.describe().toString().stripTrailing())
          .isEqualTo(expected.stripTrailing());
    }
  }

  private static Settings settings() {
    return new Settings(
        Topics.ofDefault(),
        12,
        Wire.of(WireFormat.AVRO),
        ZoneId.of("UTC"),
        "test",
        new Settings.Limits(Duration.ofSeconds(1), 1_000_000),
        Settings.Pace.standard(),
        Duration.ofHours(1),
        Duration.ofDays(7));
  }

  private static ApplicationContext application() {
    return new ApplicationContext(
        () -> Instant.EPOCH,
        ClockGuard.of(() -> Instant.EPOCH, () -> true),
        task -> {
          throw new IllegalStateException("no task runs here");
        },
        partition -> CompletableFuture.completedFuture(Set.of()),
        TaskReports.none());
  }
}

package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.definition.AllowList;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.definition.TargetRules;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.Wire;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.topology.scheduler.context.ApplicationContext;
import io.waterclock.topology.scheduler.context.ClockGuard;
import io.waterclock.topology.scheduler.context.FixedGate;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.context.TaskReports;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SchedulerTopologyTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");

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

  /** Kafka Streams itself ends the thread that reads such a record, or skips it. */
  @Test
  void a_definition_without_a_timestamp_is_from_now(@TempDir Path dir) {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "without-timestamp");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, dir.toString());
    Topology topology =
        SchedulerTopology.build(settings(), application(), TopologyParts.standard());
    try (TopologyTestDriver driver = new TopologyTestDriver(topology, properties)) {
      Topics topics = settings().channels().topics();
      driver
          .createInputTopic(topics.schedules(), new StringSerializer(), new StringSerializer())
          .pipeInput("a", "{\"every\":\"1h\"}", Instant.ofEpochMilli(-1));
      driver.advanceWallClockTime(Duration.ofSeconds(1));
      Revision revision =
          RecordCodecs.revision()
              .decode(
                  driver
                      .createOutputTopic(
                          topics.revisions(), new StringDeserializer(), new ByteArrayDeserializer())
                      .readValue());
      assertThat(revision.getEffectiveAt()).isEqualTo(NOW);
    }
  }

  private static Settings settings() {
    return new Settings(
        new Settings.Channels(
            Topics.ofDefault(),
            1,
            new TargetRules(
                AllowList.none(),
                OwnerLimits.none(),
                Topics.ofDefault(),
                Topics.ofDefault().prefix()),
            true,
            Wire.of(WireFormat.AVRO),
            ZoneId.of("UTC")),
        new Settings.Limits(Duration.ofSeconds(1), 1_000_000),
        Settings.Pace.standard(),
        new Settings.Retention(Duration.ofHours(1), Duration.ofHours(1), Duration.ofDays(7)),
        Settings.Alerting.OFF,
        Settings.Identity.of("test"));
  }

  private static ApplicationContext application() {
    return ApplicationContext.of(
        () -> NOW,
        ClockGuard.of(() -> NOW, () -> true),
        task -> new FixedGate(true),
        partition -> CompletableFuture.completedFuture(Set.of()),
        TaskReports.none());
  }
}

package io.waterclock.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MetricsTest {
  @TempDir Path dir;

  /** Else each restart of the router would keep the one before it. */
  @Test
  void nothing_asks_an_application_that_is_unbound() throws InterruptedException {
    Topology topology = new Topology();
    topology.addSource("in", "in");
    StreamsConfig config =
        new StreamsConfig(
            Map.of(
                "application.id",
                "app",
                "bootstrap.servers",
                "127.0.0.1:1",
                "state.dir",
                dir.toString()));
    try (Metrics metrics = new Metrics(InstantSource.system(), () -> true, 1);
        KafkaStreams streams = new KafkaStreams(topology, config)) {
      Runnable unbind = metrics.bind(streams);
      assertThat(asking()).isEqualTo(1);
      unbind.run();
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().equals("waterclock-metrics")) {
          thread.join(10_000);
        }
      }
      assertThat(asking()).isZero();
    }
  }

  private static long asking() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("waterclock-metrics"))
        .count();
  }
}

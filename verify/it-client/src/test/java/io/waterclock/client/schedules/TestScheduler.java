package io.waterclock.client.schedules;

import static org.awaitility.Awaitility.await;

import io.waterclock.runtime.Waterclock;
import io.waterclock.runtime.config.WaterclockConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A real scheduler of a prefix of its own. */
final class TestScheduler {
  private TestScheduler() {}

  /** Returns once it is ready. */
  static Waterclock start(
      String bootstrapServers, String prefix, Path dir, Map<String, String> settings) {
    Map<String, String> all =
        new HashMap<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "prefix",
                prefix,
                "partitions",
                "3",
                "state.dir",
                dir.resolve(prefix).toString(),
                "health.port",
                "off"));
    all.putAll(settings);
    Waterclock scheduler = Waterclock.start(WaterclockConfig.parse(all));
    await().atMost(Duration.ofMinutes(4)).until(scheduler::isReady);
    return scheduler;
  }
}

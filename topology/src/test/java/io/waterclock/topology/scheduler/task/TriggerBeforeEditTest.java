package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A trigger fires by the definition that is in force when it is written. */
final class TriggerBeforeEditTest {
  private static final String ID = "reports/daily";
  private final SimulatedCluster cluster = new SimulatedCluster(1);
  private int produced;

  @Test
  void a_trigger_from_an_outage_is_for_the_definition_of_its_time() {
    define("old");
    cluster.drain();
    trigger();
    define("new");
    define("newest");
    trigger();
    cluster.taskOf(ID).crash();
    cluster.drain();
    assertThat(payloads()).containsExactly("old", "newest");
  }

  private void define(String payload) {
    produce(
        cluster.topics().schedules(),
        "{\"cron\":\"0 0 1 1 *\",\"payload\":\"%s\"}".formatted(payload));
  }

  private void trigger() {
    produce(
        cluster.topics().commands(),
        "{\"command_id\":\"c-%s\",\"trigger\":{}}".formatted(produced));
  }

  private void produce(String topic, String json) {
    cluster.advance(Duration.ofMillis(1));
    cluster.produce(topic, 0, ID, Optional.of(json), cluster.now(), "r-" + produced++);
  }

  private List<String> payloads() {
    return cluster.fires().stream().map(fire -> StrayTrace.payload(fire.getSchedule())).toList();
  }
}

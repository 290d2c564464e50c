package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** More of them than one decision may look up the neighbours of. */
  @Test
  void many_triggers_are_for_the_definition_of_their_time_however_rare_its_occurrences() {
    define("old");
    cluster.drain();
    for (int i = 0; i < 3_000; i++) {
      trigger();
    }
    define("new");
    cluster.taskOf(ID).crash();
    for (int i = 0; i < 400; i++) {
      cluster.drain();
      cluster.advance(Duration.ofMillis(5));
    }
    assertThat(payloads()).hasSize(3_000).containsOnly("old");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void in_the_same_millisecond_the_definition_comes_before_the_trigger(boolean definitionFirst) {
    define("old");
    cluster.drain();
    SimulatedTask task = cluster.taskOf(ID);
    task.crash();
    define("new");
    cluster.advance(Duration.ofMillis(-1));
    trigger();
    cluster.advance(Duration.ofSeconds(10));
    task.read(definitionFirst ? cluster.topics().schedules() : cluster.topics().commands());
    for (int i = 0; i < 3; i++) {
      cluster.drain();
    }
    assertThat(payloads()).containsExactly("new");
  }

  private void define(String payload) {
    produce(
        cluster.topics().schedules(),
        "{\"cron\":\"0 0 29 2 *\",\"payload\":\"%s\"}".formatted(payload));
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

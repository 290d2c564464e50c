package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A stray of an outage that acts where it is, as a later record of its schedule waits for it or
 * schedules of its owner are counted, does what it would do at home.
 */
final class StraysInPlaceTest {
  private static final int PARTITIONS = 3;

  private final SimulatedCluster cluster =
      SimulatedCluster.ofOwners(PARTITIONS, "own/ schedules=50");

  StraysInPlaceTest() {
    to(0.5);
    cluster.drain();
  }

  @Test
  void a_command_that_was_too_early_for_it_is_refused() {
    to(20);
    command("free/1", "pause");
    to(45);
    put(away("free/1"), "free/1", Optional.of(every("v1")));
    to(55);
    put(home("free/1"), "free/1", Optional.of(every("v2")));
    to(61.5);
    comeBack("free/1");
    to(75);
    cluster.drain();

    assertThat(cluster.answers())
        .filteredOn(answer -> answer.getVerdict() == Verdict.NOT_FOUND)
        .hasSize(1);
    assertThat(cluster.fires().stream().map(Playback::text))
        .anyMatch(fire -> fire.startsWith("free/1 70.0") && fire.endsWith("v2"));
  }

  @Test
  void commands_that_wait_for_it_are_executed_under_it() {
    to(20.5);
    command("free/1", "trigger");
    to(21);
    put(away("free/1"), "free/1", Optional.of(every("v1")));
    to(21.5);
    command("free/1", "trigger");
    to(22);
    put(home("free/1"), "free/1", Optional.of(every("v2")));
    to(22.5);
    comeBack("free/1");
    to(23);
    cluster.drain();

    assertThat(cluster.fires().stream().map(Playback::text))
        .filteredOn(fire -> fire.contains("TRIGGERED"))
        .hasSize(2)
        .allMatch(fire -> fire.endsWith("v1"));
  }

  @Test
  void a_delete_is_in_the_home_partition_afterwards() {
    String other = neighbour("own/1");
    put(home("own/1"), "own/1", Optional.of(every("v0")));
    to(2);
    cluster.drain();
    to(25);
    put(away("own/1"), "own/1", Optional.empty());
    to(26);
    put(home(other), other, Optional.of(every("o")));
    to(31.5);
    comeBack("own/1");

    assertThat(cluster.taskOf("own/1").definition("own/1")).isEmpty();
    assertThat(cluster.log(cluster.topics().schedules(), home("own/1")).latest().values())
        .filteredOn(entry -> entry.keyText().equals("own/1"))
        .allMatch(entry -> entry.value.isEmpty());
  }

  /** The outage was longer than tombstones are kept, so the topic says what exists. */
  @Test
  void a_definition_is_not_deleted_because_it_was_not_in_the_home_partition_yet() {
    String other = neighbour("own/1");
    put(home(other), other, Optional.of(every("o")));
    to(60);
    cluster.drain();
    double days = 8 * 86_400;
    to(days);
    put(away("own/1"), "own/1", Optional.of(every("v1")));
    to(days + 5);
    put(home(other), other, Optional.of(every("later")));
    to(days + 11.5);
    comeBack("own/1");

    assertThat(cluster.taskOf("own/1").definition("own/1")).isPresent();
  }

  private String neighbour(String id) {
    return Stream.iterate(0, i -> i + 1)
        .map(i -> "own/x" + i)
        .filter(other -> home(other) == home(id))
        .findFirst()
        .orElseThrow();
  }

  /** The task at home reads all that was written, before it decides. */
  private void comeBack(String id) {
    cluster.tasks().forEach(SimulatedTask::crash);
    SimulatedTask mine = cluster.taskOf(id);
    for (SimulatedTask task : cluster.tasks()) {
      if (task != mine) {
        readAll(task);
        task.commit();
      }
    }
    readAll(mine);
    for (int i = 0; i < 2; i++) {
      mine.tick();
    }
    mine.commit();
    for (int i = 0; i < 5; i++) {
      cluster.drain();
    }
  }

  private static void readAll(SimulatedTask task) {
    for (String topic : task.inputs()) {
      while (task.read(topic)) {
        // the next one
      }
    }
  }

  private void to(double seconds) {
    Instant at = SimulatedCluster.START.plusMillis((long) (seconds * 1_000));
    cluster.advance(Duration.between(cluster.now(), at));
  }

  private int home(String id) {
    return cluster.home(id.getBytes(StandardCharsets.UTF_8));
  }

  private int away(String id) {
    return (home(id) + 1) % PARTITIONS;
  }

  private void put(int partition, String id, Optional<String> json) {
    Instant now = cluster.now();
    cluster.produce(cluster.topics().schedules(), partition, id, json, now, id + now);
  }

  private void command(String id, String what) {
    Instant now = cluster.now();
    String json = "{\"command_id\":\"c-%s\",\"%s\":{}}".formatted(now, what);
    cluster.produce(cluster.topics().commands(), home(id), id, Optional.of(json), now, "c" + now);
  }

  private static String every(String payload) {
    return "{\"every\":\"10s\",\"anchor\":\"%s\",\"catch_up\":\"replay\",\"payload\":\"%s\"}"
        .formatted(SimulatedCluster.START, payload);
  }
}

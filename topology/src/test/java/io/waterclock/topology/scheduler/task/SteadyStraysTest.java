package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.topology.scheduler.emit.Sink;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;

/** What a task does while strays that it has written home are not read there yet. */
final class SteadyStraysTest {
  private static final int PARTITIONS = 3;
  private static final String ID = "reports/daily";

  private final SimulatedCluster cluster = new SimulatedCluster(PARTITIONS);
  private final int home = cluster.home(ID.getBytes(StandardCharsets.US_ASCII));
  private final int away = (home + 1) % PARTITIONS;
  private final SimulatedTask task = cluster.tasks().get(home);
  private final String neighbour = neighbours("neighbour/").get(0);
  private int produced;

  SteadyStraysTest() {
    cluster.drain();
    put(home, neighbour, "{\"every\":\"1s\"}");
    cluster.drain();
  }

  @Test
  void a_takeover_decides_while_strays_come_faster_than_they_arrive_at_home() {
    task.crash();
    List<String> others = neighbours("other/");
    for (String other : others) {
      put(away, other, payload("a"));
      carryOn();
    }
    assertThat(fires()).hasSizeGreaterThan(others.size() / 20 - 2);
  }

  @Test
  void strays_of_one_schedule_delay_no_other_however_fast_they_come() {
    for (int i = 0; i < 200; i++) {
      for (int j = 0; j < 4; j++) {
        put(away, ID, payload(i + "/" + j));
      }
      carryOn();
    }
    assertThat(fires()).hasSizeGreaterThan(200 / 20 - 2);
    carryOn();
    assertThat(inForce()).contains("199/3");
  }

  @Test
  void nor_do_they_with_commands_in_between() {
    for (int i = 0; i < 200; i++) {
      for (int j = 0; j < 4; j++) {
        put(away, ID, payload(i + "/" + j));
        command(home, i + "-" + j);
      }
      carryOn();
    }
    assertThat(fires()).hasSizeGreaterThan(200 / 20 - 2);
  }

  @Test
  void nor_do_they_when_the_commands_are_stamped_long_ago() {
    for (int i = 0; i < 200; i++) {
      put(away, ID, payload("" + i));
      cluster.produce(
          cluster.topics().commands(),
          home,
          ID,
          Optional.of("{\"command_id\":\"old-" + i + "\",\"pause\":{}}"),
          cluster.now().minus(Duration.ofHours(1)),
          "old-" + i);
      carryOnWithCommandsLast();
    }
    assertThat(fires()).hasSizeGreaterThan(200 / 20 - 2);
  }

  /** After a loss of records, for example. */
  @Test
  void a_stray_that_never_comes_home_holds_up_a_command_for_a_minute_at_most() {
    put(away, ID, payload("lost"));
    carry();
    task.sabotage(
        new Sabotage() {
          @Override
          public boolean sends(Sink sink, Record<?, ?> record) {
            return sink != Sink.SCHEDULES;
          }
        });
    readAll(task, cluster.topics().strays());
    task.sabotage(Sabotage.NONE);
    command(home, "c");
    readAll(task, cluster.topics().commands());
    for (int i = 0; i < 90; i++) {
      cluster.advance(Duration.ofSeconds(1));
      cluster.drain();
    }
    assertThat(cluster.answers()).extracting(Answer::getVerdict).endsWith(Verdict.NOT_FOUND);
    assertThat(fires()).hasSizeGreaterThan(80);
  }

  /** A definition that waits stays before what comes after it in its partition. */
  @Test
  void a_stray_that_comes_home_behind_a_waiting_definition_does_not_replace_it() {
    put(home, ID, payload("first"));
    cluster.drain();
    put(away, ID, payload("older"));
    carry();
    put(home, ID, payload("newer"));
    task.read(cluster.topics().strays());
    task.commit();
    cluster.advance(Duration.ofSeconds(10)); // a stall
    task.tick();
    cluster.drain();
    assertThat(inForce()).contains("newer");
    assertThat(StrayTrace.last(cluster, ID).map(StrayTrace::payload)).contains("newer");
    assertThat(cluster.answers().stream().skip(2).map(Answer::getVerdict))
        .containsExactly(Verdict.ACCEPTED, Verdict.CONFLICT);
  }

  /** A round of 50 ms, in which the home task ticks when a stray has just been sent. */
  private void carryOn() {
    cluster.advance(Duration.ofMillis(50 - (cluster.nowMs() % 50)));
    carry();
    readAll(task, cluster.topics().schedules());
    readAll(task, cluster.topics().commands());
    readAll(task, cluster.topics().strays());
    task.tick();
    task.commit();
  }

  private void carryOnWithCommandsLast() {
    cluster.advance(Duration.ofMillis(50 - (cluster.nowMs() % 50)));
    carry();
    readAll(task, cluster.topics().schedules());
    readAll(task, cluster.topics().strays());
    readAll(task, cluster.topics().commands());
    task.tick();
    task.commit();
  }

  private void carry() {
    SimulatedTask from = cluster.tasks().get(away);
    readAll(from, cluster.topics().schedules());
    from.commit();
  }

  private static void readAll(SimulatedTask task, String topic) {
    while (task.read(topic)) {
      // goes on
    }
  }

  private List<Fire> fires() {
    return cluster.fires().stream().filter(it -> it.getScheduleId().equals(neighbour)).toList();
  }

  private Optional<String> inForce() {
    return task.definition(ID).map(StrayTrace::payload);
  }

  private void put(int partition, String id, String json) {
    produce(cluster.topics().schedules(), partition, id, json);
  }

  private void command(int partition, String id) {
    String json = "{\"command_id\":\"" + id + "\",\"pause\":{}}";
    produce(cluster.topics().commands(), partition, ID, json);
  }

  private void produce(String topic, int partition, String id, String json) {
    cluster.advance(Duration.ofMillis(1));
    cluster.produce(topic, partition, id, Optional.of(json), cluster.now(), "r-" + produced++);
  }

  private static String payload(String payload) {
    return "{\"at\":\"2099-01-01T00:00:00Z\",\"payload\":\"" + payload + "\"}";
  }

  /** A hundred schedules of the same home. */
  private List<String> neighbours(String prefix) {
    return IntStream.range(0, 1_000)
        .mapToObj(i -> prefix + i)
        .filter(id -> cluster.home(id.getBytes(StandardCharsets.US_ASCII)) == home)
        .limit(100)
        .toList();
  }
}

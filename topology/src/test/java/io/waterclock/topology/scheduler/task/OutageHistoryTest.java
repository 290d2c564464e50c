package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.FireKey;
import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.ScheduleId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Short histories that a scheduler reads while it is up, after a crash, or after a stall in which
 * it kept its partitions: what fires later must be the same. Times are seconds after the start.
 */
final class OutageHistoryTest {
  private static final String ID = "a";
  private static final double NEVER = 1e9;

  private record Sent(double at, Input.Topic topic, int by, Optional<String> json) {}

  private enum Ends {
    CRASH,
    STALL
  }

  private final List<Sent> history = new ArrayList<>();

  @Test
  void a_delete_acts_before_a_definition_that_is_too_large_to_wait() {
    define(1, every("v0"));
    delete(45);
    define(46, large());
    assertThat(play(Ends.CRASH, 12, 51.5, 62))
        .contains("r-45.0 DELETED")
        .noneMatch(event -> event.contains("fired at 51.5"));
  }

  @Test
  void a_trigger_before_a_large_edit_fires_the_definition_of_its_time() {
    define(1, every("v0"));
    command(45, "\"trigger\":{}");
    define(46, large());
    assertThat(play(Ends.CRASH, 42, 51.5, 62))
        .anyMatch(event -> event.contains("TRIGGERED v0"))
        .noneMatch(event -> event.contains("TRIGGERED") && !event.contains("v0"));
  }

  @Test
  void a_pause_of_the_life_before_a_large_definition_does_not_hold_it() {
    define(1, every("v0"));
    command(42.5, "\"pause\":{}");
    delete(43);
    define(
        44, large().replace("2027-01-01T00:00:00Z", SimulatedCluster.START.plusSeconds(60) + ""));
    assertThat(play(Ends.CRASH, 42, 51.5, 72))
        .contains("r-43.0 DELETED")
        .anyMatch(event -> event.contains(" 60.0 due"));
  }

  @Test
  void what_was_deleted_edited_or_disabled_in_another_partition_does_not_fire_after_a_stall() {
    List<String> later = List.of("", every("v1"), every("v2").replace("{", "{\"enabled\":false,"));
    for (String json : later) {
      for (Ends ends : Ends.values()) {
        history.clear();
        define(1, every("v0"));
        Optional<String> value = Optional.of(json).filter(text -> !text.isEmpty());
        history.add(new Sent(25, Input.Topic.SCHEDULES, 1, value));
        assertThat(play(ends, 22, 31.5, 45))
            .as("%s, %s", json, ends)
            .noneMatch(event -> isFiredAt(30).test(event) && event.contains("v0"));
      }
    }
  }

  @Test
  void a_pause_of_what_was_over_does_not_hold_a_later_definition() {
    for (double edit : new double[] {61, 125}) {
      history.clear();
      define(1, "{\"at\":\"" + SimulatedCluster.START.plusSeconds(30) + "\",\"payload\":\"v0\"}");
      command(35, "\"pause\":{}");
      define(edit, every("v1"));
      List<String> up = play(Ends.CRASH, NEVER, NEVER, 155);
      List<String> down = play(Ends.CRASH, 22, edit + 6.5, 155);
      for (int due : new int[] {140, 150}) {
        assertThat(up).as("%s", edit).anyMatch(isFiredAt(due));
        assertThat(down).as("%s", edit).anyMatch(isFiredAt(due));
      }
    }
  }

  @Test
  void a_pause_at_home_holds_what_another_partition_began_or_resumed_before_it() {
    for (Ends ends : Ends.values()) {
      history.clear();
      define(1, every("v0"));
      history.add(new Sent(25, Input.Topic.SCHEDULES, 1, Optional.empty()));
      history.add(new Sent(26, Input.Topic.SCHEDULES, 1, Optional.of(every("v1"))));
      command(33, "\"pause\":{}");
      assertThat(play(ends, 22, 41.5, 65)).as("%s", ends).noneMatch(isFiredAt(50));

      history.clear();
      define(1, every("v0"));
      command(15, "\"pause\":{}");
      String resume = "{\"command_id\":\"resume\",\"resume\":{}}";
      history.add(new Sent(25, Input.Topic.COMMANDS, 1, Optional.of(resume)));
      command(33, "\"pause\":{}");
      assertThat(play(ends, 22, 41.5, 65)).as("%s", ends).noneMatch(isFiredAt(50));
    }
  }

  @Test
  void a_run_that_another_partition_reports_as_ended_leaves_out_nothing_after_its_end() {
    for (Ends ends : Ends.values()) {
      history.clear();
      define(1, every("v0").replace("{", "{\"overlap\":\"skip\",\"timeout\":\"50s\","));
      reports(13, 10);
      assertThat(firedAtTens(play(ends, NEVER, NEVER, 65))).containsExactly(10, 20);
      assertThat(firedAtTens(play(ends, 12, 61.5, 65))).as("%s", ends).containsExactly(10, 20);
    }
  }

  /** A worker without Java reports that the run of an occurrence has succeeded. */
  private void reports(double at, int due) {
    String key = FireKey.of(ScheduleId.parse(ID), at(due)).text();
    String json = "{\"fire_key\":\"%s\",\"state\":\"succeeded\"}".formatted(key);
    history.add(new Sent(at, Input.Topic.OUTCOMES, 1, Optional.of(json)));
  }

  private static List<Integer> firedAtTens(List<String> events) {
    return IntStream.rangeClosed(1, 6)
        .map(ten -> 10 * ten)
        .filter(due -> events.stream().anyMatch(isFiredAt(due)))
        .boxed()
        .toList();
  }

  private static Predicate<String> isFiredAt(int seconds) {
    return event -> event.startsWith("fire ") && event.contains(" " + seconds + ".0 due");
  }

  private static String every(String payload) {
    return "{\"every\":\"10s\",\"anchor\":\"%s\",\"catch_up\":\"replay\",\"payload\":\"%s\"}"
        .formatted(SimulatedCluster.START, payload);
  }

  /** Its fire is as large as it may be, the record larger. */
  private static String large() {
    return "{\"at\":\"2027-01-01T00:00:00Z\",\"payload_base64\":\"%s\"}"
        .formatted(Base64.getEncoder().encodeToString(new byte[76_000]));
  }

  private void define(double at, String json) {
    history.add(new Sent(at, Input.Topic.SCHEDULES, 0, Optional.of(json)));
  }

  private void delete(double at) {
    history.add(new Sent(at, Input.Topic.SCHEDULES, 0, Optional.empty()));
  }

  private void command(double at, String what) {
    String json = "{\"command_id\":\"c-%s\",%s}".formatted(at, what);
    history.add(new Sent(at, Input.Topic.COMMANDS, 0, Optional.of(json)));
  }

  /** Reads nothing from {@code from} (inclusive) to {@code to} (exclusive). */
  private List<String> play(Ends ends, double from, double to, double end) {
    SimulatedCluster cluster = new SimulatedCluster(3);
    int home = HomePartition.of(ID.getBytes(StandardCharsets.UTF_8), 3);
    Deque<Sent> rest = new ArrayDeque<>(history);
    for (double s = 0; s <= end; s += 0.5) {
      cluster.advance(Duration.between(cluster.now(), at(s)));
      while (!rest.isEmpty() && rest.element().at() <= s) {
        Sent sent = rest.remove();
        String topic = sent.topic().in(cluster.topics());
        int partition = (home + sent.by()) % 3;
        cluster.produce(topic, partition, ID, sent.json(), at(sent.at()), "r-" + sent.at());
      }
      if (s == to) {
        comeBack(cluster, ends, cluster.tasks().get(home), cluster.tasks().get((home + 1) % 3));
      }
      if (s < from || s >= to) {
        cluster.drain();
      }
    }
    List<String> events = new ArrayList<>();
    cluster.fires().forEach(fire -> events.add("fire " + Playback.text(fire)));
    cluster.answers().forEach(a -> events.add(a.getCorrelationId() + " " + a.getVerdict()));
    return events;
  }

  /** The other partition is read first; then the task at home reads all before its next tick. */
  private static void comeBack(
      SimulatedCluster cluster, Ends ends, SimulatedTask home, SimulatedTask other) {
    if (ends == Ends.CRASH) {
      cluster.tasks().forEach(SimulatedTask::crash);
    }
    readAll(other);
    other.commit();
    readAll(home);
    home.tick();
    home.tick();
    home.commit();
  }

  private static void readAll(SimulatedTask task) {
    for (String topic : task.inputs()) {
      boolean isMore;
      do {
        isMore = task.read(topic);
      } while (isMore);
    }
  }

  private static Instant at(double seconds) {
    return SimulatedCluster.START.plusMillis((long) (seconds * 1000));
  }
}

package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.avro.MissedReason;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Histories in which one life of a schedule ends and another begins, with and without an outage. A
 * complete schedule is kept for a minute. Times are seconds after the start.
 */
final class LivesInOutagesTest {
  private static final int PARTITIONS = 3;
  private static final String ID = "t/1";
  private static final String IN = "{'in':'10s','catch_up':'replay'}";

  private final List<Input> inputs = new ArrayList<>();
  private final List<History.Outage> outages = new ArrayList<>();

  @Test
  void a_resume_of_what_was_over_does_not_postpone_the_next_life() {
    put(1.5, ID, IN);
    command(40.5, ID, "'resume':{}");
    put(90.5, ID, IN);
    down(50, 95);
    same(140);
  }

  @Test
  void a_resume_of_what_was_removed_does_not_postpone_the_next_life() {
    put(1.5, ID, IN);
    command(90.5, ID, "'resume':{}");
    put(125.5, ID, IN);
    down(5, 130);
    same(160);
  }

  /** A pause of what was over holds nothing that is defined later, nor does its end. */
  @Test
  void the_end_of_a_pause_of_what_was_over_does_not_postpone_the_next_life() {
    put(1.5, ID, IN);
    command(30.5, ID, "'pause':{}");
    command(40.5, ID, "'resume':{}");
    put(90.5, ID, IN);
    down(5, 95);
    assertThat(fires(false, 140)).anyMatch(fire -> fire.contains("100.5 due"));
    assertThat(fires(true, 140)).anyMatch(fire -> fire.contains("100.5 due"));
  }

  @Test
  void a_skip_outlives_a_completion() {
    put(1.5, ID, once(100));
    command(5.5, ID, "'skip':{'occurrence':'" + at(100) + "'}");
    put(8.5, ID, once(20));
    put(40.5, ID, once(100));
    down(12, 45);
    assertThat(fires(true, 120)).noneMatch(fire -> fire.contains(" 100.0 due"));
    assertThat(fires(false, 120)).noneMatch(fire -> fire.contains(" 100.0 due"));
  }

  @Test
  void a_skip_does_not_outlive_its_life() {
    put(1.5, ID, once(100));
    command(5.5, ID, "'skip':{'occurrence':'" + at(100) + "'}");
    put(8.5, ID, once(20));
    put(90.5, ID, once(100));
    down(12, 95);
    same(120);
  }

  @Test
  void a_skip_of_what_is_undecided_stays_when_a_new_life_begins() {
    put(1.5, ID, once(20));
    command(5.5, ID, "'skip':{'occurrence':'" + at(20) + "'}");
    put(90.5, ID, once(100));
    down(12, 95);
    same(120);
  }

  @Test
  void an_earlier_instant_is_the_definition_of_a_new_life() {
    put(1.5, ID, once(20).replace("}", ",'payload':'old'}"));
    put(90.5, ID, once(15).replace("}", ",'rearm':true,'payload':'new'}"));
    command(92.5, ID, "'trigger':{}");
    down(12, 95);
    same(120);
  }

  @Test
  void a_pause_of_what_was_over_leaves_room_for_others_of_the_owner() {
    List<String> own =
        Stream.iterate(0, i -> i + 1)
            .map(i -> "own/" + i)
            .filter(o -> home(o) == 1)
            .limit(3)
            .toList();
    put(1.5, own.get(0), once(10));
    put(2.5, own.get(1), once(100));
    command(15.5, own.get(0), "'pause':{}");
    put(20.5, own.get(2), once(110));
    down(5, 30);
    assertThat(fires(false, 130)).anyMatch(fire -> fire.startsWith(own.get(2)));
    assertThat(fires(true, 130)).anyMatch(fire -> fire.startsWith(own.get(2)));
  }

  private void same(double end) {
    assertThat(fires(true, end)).containsExactlyElementsOf(fires(false, end));
  }

  private List<String> fires(boolean stops, double end) {
    inputs.sort(Comparator.comparing(Input::at));
    RandomRuns runs = new RandomRuns(7, EnumSet.noneOf(Feature.class), outages);
    History history = new History(inputs, outages, runs, at(end));
    Playback.Result result =
        Playback.play(stops ? history : history.undisturbed(), 1, Sabotage.NONE);
    assertThat(result.missed()).noneMatch(it -> it.getReason() == MissedReason.GRACE);
    return result.fires().stream()
        .map(Playback::text)
        .map(text -> text.replaceFirst("fired at \\S+ (SCHEDULED|CATCH_UP)?", ""))
        .sorted()
        .toList();
  }

  private void put(double s, String id, String json) {
    add(Input.Topic.SCHEDULES, id, json, s);
  }

  private void command(double s, String id, String what) {
    add(Input.Topic.COMMANDS, id, "{'command_id':'c-" + s + "'," + what + "}", s);
  }

  private void add(Input.Topic topic, String id, String json, double s) {
    inputs.add(new Input(topic, home(id), id, Optional.of(json.replace('\'', '"')), at(s)));
  }

  private void down(double from, double to) {
    outages.add(new History.Outage(at(from), at(to), History.Outage.Kind.DOWN));
  }

  private static String once(int s) {
    return "{'at':'" + at(s) + "','catch_up':'replay'}";
  }

  private static int home(String id) {
    return HomePartition.of(id.getBytes(StandardCharsets.UTF_8), PARTITIONS);
  }

  private static Instant at(double s) {
    return SimulatedCluster.START.plusMillis((long) (s * 1_000));
  }
}

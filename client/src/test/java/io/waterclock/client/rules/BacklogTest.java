package io.waterclock.client.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.TestFires;
import io.waterclock.schemas.avro.CatchUp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Timelines of one partition with a fire every minute, which a worker skips when it is late. */
final class BacklogTest {
  private static final Instant DAY = Instant.parse("2026-11-21T00:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration REBALANCE = Duration.ofSeconds(10);

  /** One fire a minute since 9:00, at the offset of its minute. */
  private static List<String> runs(Backlog backlog, long from, long to) {
    List<String> times = new ArrayList<>();
    for (long offset = from; offset < to; offset++) {
      Instant at = at("09:00").plus(MINUTE.multipliedBy(offset));
      if (backlog.fate(
              offset, TestFires.of("a", at, MINUTE, schedule -> schedule.setCatchUp(CatchUp.SKIP)))
          == Backlog.Fate.RUN) {
        times.add(at.toString().substring(11, 16));
      }
    }
    return times;
  }

  private static Instant at(String time) {
    return DAY.plusSeconds(LocalTime.parse(time).toSecondOfDay());
  }

  private static long end(String time) {
    return Duration.between(at("09:00"), at(time)).toMinutes() + 1;
  }

  private static Backlog takenOver(
      Optional<WorkerHeartbeat> own, String time, WorkerHeartbeat... others) {
    List<WorkerHeartbeat> all = new ArrayList<>(List.of(others));
    own.ifPresent(all::add);
    return Backlog.takenOver(own, all, REBALANCE, at(time), end(time));
  }

  private static Optional<WorkerHeartbeat> heartbeat(String since, String at, Backlog backlog) {
    return Optional.of(new WorkerHeartbeat(at(since), at(at), backlog.downtimes()));
  }

  @Test
  void fires_of_a_downtime_are_backlog_unless_they_are_newer_than_grace() {
    Backlog backlog = takenOver(heartbeat("09:00", "09:03", Backlog.NONE), "09:10");
    assertThat(runs(backlog, 0, 15))
        .containsExactly(
            "09:00", "09:01", "09:02", "09:03", "09:09", "09:10", "09:11", "09:12", "09:13",
            "09:14");
  }

  @Test
  void a_queue_longer_than_grace_is_not_backlog_however_often_its_owner_changes() {
    // the group was away until 9:10; its queue is never empty again
    Backlog first = takenOver(heartbeat("09:00", "09:03", Backlog.NONE), "09:10");
    Backlog second = takenOver(heartbeat("09:10", "09:20", first.from(2)), "09:20");
    Backlog third = takenOver(heartbeat("09:20", "09:30", second.from(5)), "09:30");
    assertThat(runs(third, 5, end("09:30")))
        .startsWith("09:09", "09:10", "09:11")
        .hasSize((int) (end("09:30") - end("09:08")));
    assertThat(third.from(end("09:30")).downtimes()).isEmpty();
  }

  @Test
  void a_second_downtime_adds_to_the_first_without_the_fires_between_them() {
    Backlog first = takenOver(heartbeat("09:00", "09:03", Backlog.NONE), "09:10");
    Backlog second = takenOver(heartbeat("09:10", "09:15", first.from(4)), "09:20");
    assertThat(runs(second, 4, 25))
        .containsExactly(
            "09:09", "09:10", "09:11", "09:12", "09:13", "09:14", "09:15", "09:19", "09:20",
            "09:21", "09:22", "09:23", "09:24");
  }

  @Test
  void a_worker_that_dies_leaves_no_backlog_while_others_of_its_group_are_running() {
    Optional<WorkerHeartbeat> ofTheDead = heartbeat("09:00", "09:03", Backlog.NONE);
    WorkerHeartbeat alive = new WorkerHeartbeat(at("08:00"), at("09:07"), List.of());
    WorkerHeartbeat tookOverMeanwhile = new WorkerHeartbeat(at("09:07"), at("09:10"), List.of());
    assertThat(runs(takenOver(ofTheDead, "09:10", tookOverMeanwhile, alive), 4, 10))
        .containsExactly("09:04", "09:05", "09:06", "09:07", "09:08", "09:09");
  }

  @Test
  void workers_that_came_back_a_moment_earlier_do_not_hide_a_downtime() {
    WorkerHeartbeat earlier = new WorkerHeartbeat(at("09:09"), at("09:10"), List.of());
    assertThat(runs(takenOver(heartbeat("09:00", "09:03", Backlog.NONE), "09:10", earlier), 4, 10))
        .containsExactly("09:09");
  }

  @Test
  void a_topic_that_no_worker_has_committed_is_backlog_from_its_beginning() {
    assertThat(runs(takenOver(Optional.empty(), "09:10"), 0, 10)).containsExactly("09:09");
  }

  @Test
  void a_partition_that_the_topic_has_got_meanwhile_is_no_backlog_while_its_group_is_running() {
    WorkerHeartbeat other = new WorkerHeartbeat(at("09:03"), at("09:10"), List.of());
    assertThat(runs(takenOver(Optional.empty(), "09:10", other), 0, 10))
        .as("the group began at 9:03")
        .containsExactly("09:02", "09:03", "09:04", "09:05", "09:06", "09:07", "09:08", "09:09");
  }

  @Test
  void a_partition_that_the_topic_has_got_meanwhile_has_the_downtimes_of_its_group() {
    WorkerHeartbeat other = new WorkerHeartbeat(at("09:03"), at("09:05"), List.of());
    Backlog first = takenOver(Optional.empty(), "09:10", other);
    assertThat(runs(first, 0, 10)).containsExactly("09:02", "09:03", "09:04", "09:05", "09:09");
    Backlog second = takenOver(heartbeat("09:10", "09:11", first.from(4)), "09:11");
    assertThat(runs(second, 4, 11)).containsExactly("09:04", "09:05", "09:09", "09:10");
  }

  @Test
  void the_shortest_of_too_many_downtimes_are_dropped() {
    Backlog backlog = takenOver(heartbeat("09:00", "09:01", Backlog.NONE), "09:30");
    for (int i = 0; i < 3 * Backlog.MOST_DOWNTIMES; i++) {
      String time = LocalTime.of(9, 31).plusSeconds(10L * i).toString();
      backlog = takenOver(heartbeat("09:30", time, backlog), time);
    }
    assertThat(backlog.downtimes()).hasSize(Backlog.MOST_DOWNTIMES);
    assertThat(runs(backlog, 2, 29)).isEmpty();
  }
}

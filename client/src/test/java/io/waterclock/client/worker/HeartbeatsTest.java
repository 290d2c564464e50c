package io.waterclock.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class HeartbeatsTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final Heartbeats heartbeats = new Heartbeats(Duration.ofSeconds(15), "kafka:9092");

  private WorkerStatus status(int second, int answeredInAll) {
    return heartbeats.status(answeredInAll, NOON.plusSeconds(second));
  }

  private WorkerStatus.State at(int second, int answeredInAll) {
    return status(second, answeredInAll).state();
  }

  @Test
  void a_worker_that_was_never_in_its_group_is_connecting_however_long_that_takes() {
    assertThat(at(0, 0)).isEqualTo(WorkerStatus.State.CONNECTING);
    assertThat(at(3_600, 0)).isEqualTo(WorkerStatus.State.CONNECTING);
    assertThat(status(0, 0).cause().orElseThrow()).contains("kafka:9092");
  }

  @Test
  void it_runs_once_its_group_has_assigned_partitions() {
    heartbeats.joined(NOON);
    assertThat(at(0, 0)).isEqualTo(WorkerStatus.State.RUNNING);
    assertThat(at(14, 0)).isEqualTo(WorkerStatus.State.RUNNING);
  }

  @Test
  void it_is_degraded_while_no_heartbeat_is_answered_and_runs_from_the_next_one() {
    heartbeats.joined(NOON);
    assertThat(at(10, 3)).isEqualTo(WorkerStatus.State.RUNNING);
    assertThat(at(24, 3)).isEqualTo(WorkerStatus.State.RUNNING);
    assertThat(at(25, 3)).isEqualTo(WorkerStatus.State.DEGRADED);
    assertThat(status(25, 3).cause().orElseThrow())
        .contains("not answered since 2026-11-21T12:00:10Z", "the brokers at kafka:9092");
    assertThat(status(60, 4)).isEqualTo(WorkerStatus.of(WorkerStatus.State.RUNNING));
  }

  @Test
  void a_problem_degrades_a_worker_only_while_it_runs() {
    Optional<String> problem = Optional.of("the registry is away");
    assertThat(WorkerStatus.of(WorkerStatus.State.RUNNING).with(problem))
        .isEqualTo(new WorkerStatus(WorkerStatus.State.DEGRADED, problem));
    WorkerStatus connecting = WorkerStatus.of(WorkerStatus.State.CONNECTING, "no broker");
    assertThat(connecting.with(problem)).isEqualTo(connecting);
  }
}

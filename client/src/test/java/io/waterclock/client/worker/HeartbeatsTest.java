package io.waterclock.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class HeartbeatsTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final Heartbeats heartbeats = new Heartbeats(Duration.ofSeconds(15));

  private FireWorker.State at(int second, int answeredInAll) {
    return heartbeats.state(answeredInAll, NOON.plusSeconds(second));
  }

  @Test
  void a_worker_that_was_never_in_its_group_is_starting_however_long_that_takes() {
    assertThat(at(0, 0)).isEqualTo(FireWorker.State.STARTING);
    assertThat(at(3_600, 0)).isEqualTo(FireWorker.State.STARTING);
  }

  @Test
  void it_runs_once_its_group_has_assigned_partitions() {
    heartbeats.joined(NOON);
    assertThat(at(0, 0)).isEqualTo(FireWorker.State.RUNNING);
    assertThat(at(14, 0)).isEqualTo(FireWorker.State.RUNNING);
  }

  @Test
  void it_waits_while_no_heartbeat_is_answered_and_runs_from_the_next_one() {
    heartbeats.joined(NOON);
    assertThat(at(10, 3)).isEqualTo(FireWorker.State.RUNNING);
    assertThat(at(24, 3)).isEqualTo(FireWorker.State.RUNNING);
    assertThat(at(25, 3)).isEqualTo(FireWorker.State.WAITING);
    assertThat(at(60, 4)).isEqualTo(FireWorker.State.RUNNING);
  }
}

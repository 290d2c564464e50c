package io.waterclock.topology.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

final class CommitPaceTest {
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private final CommitPace pace = new CommitPace();

  @Test
  void without_waiting_input_every_tick_may_commit() {
    commitFrom(0, 8);
    assertThat(pace.mayCommit(false, at(8))).isTrue();
  }

  @Test
  void with_waiting_input_the_first_commit_comes_at_once() {
    assertThat(pace.mayCommit(true, at(0))).isTrue();
  }

  @Test
  void with_waiting_input_the_pause_counts_from_the_end_of_a_commit() {
    commitFrom(0, 200);
    pace.awake(at(240));
    assertThat(pace.mayCommit(true, at(249))).isFalse();
    assertThat(pace.mayCommit(true, at(250))).isTrue();
  }

  private void commitFrom(int startMs, int endMs) {
    pace.awake(at(startMs));
    pace.asked();
    pace.awake(at(endMs));
  }

  private static Instant at(int ms) {
    return START.plusMillis(ms);
  }
}

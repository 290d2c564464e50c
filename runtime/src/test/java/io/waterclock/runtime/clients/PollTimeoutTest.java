package io.waterclock.runtime.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PollTimeoutTest {
  private static final Duration LEAST = Duration.ofMillis(5);
  private static final long NOW = -1_000_000L;

  private final PollTimeout rest = PollTimeout.ofTicks();

  @Test
  void all_tasks_must_have_nothing_to_do() {
    rest.task(0, Duration.ofDays(1), NOW);
    assertThat(rest.of(LEAST, Set.of(0, 1), NOW)).isEqualTo(LEAST);
    rest.task(1, Duration.ofMillis(20), NOW);
    assertThat(rest.of(LEAST, Set.of(0, 1), NOW)).isEqualTo(Duration.ofMillis(20));
    assertThat(rest.of(LEAST, Set.of(0), NOW)).isEqualTo(PollTimeout.LONGEST);
    rest.task(0, Duration.ZERO, NOW);
    assertThat(rest.of(LEAST, Set.of(0), NOW)).isEqualTo(LEAST);
  }

  @Test
  void what_passed_since_counts() {
    rest.task(0, Duration.ofMillis(20), NOW);
    assertThat(rest.of(LEAST, Set.of(0), NOW + 8_000_000)).isEqualTo(Duration.ofMillis(12));
    assertThat(rest.of(LEAST, Set.of(0), NOW + 16_000_000)).isEqualTo(LEAST);
  }

  /** As during a commit; the task says how long it is idle when it ticks again. */
  @Test
  void work_that_has_come_due_meanwhile_is_not_waited_for_once() {
    rest.task(0, Duration.ofMillis(2), NOW);
    assertThat(rest.of(LEAST, Set.of(0, 1), NOW + 2_000_000)).isZero();
    assertThat(rest.of(LEAST, Set.of(0, 1), NOW + 2_000_000)).isEqualTo(LEAST);
  }

  @Test
  void what_is_due_already_leaves_no_rest() {
    rest.task(0, Duration.ofMillis(-3), NOW);
    assertThat(rest.of(LEAST, Set.of(0), NOW)).isEqualTo(LEAST);
  }

  @Test
  void a_task_that_went_is_forgotten() {
    rest.task(0, Duration.ofMillis(20), NOW);
    rest.task(1, Duration.ofMillis(40), NOW);
    assertThat(rest.of(LEAST, Set.of(1), NOW)).isEqualTo(Duration.ofMillis(40));
    assertThat(rest.of(LEAST, Set.of(0, 1), NOW)).isEqualTo(LEAST);
    assertThat(rest.of(LEAST, Set.of(), NOW)).isEqualTo(LEAST);
  }

  @Test
  void tasks_without_ticks_are_idle_once_what_they_read_is_committed() {
    PollTimeout ofRecords = PollTimeout.ofRecords();
    assertThat(ofRecords.of(LEAST, Set.of(0), NOW)).isEqualTo(PollTimeout.LONGEST);
    assertThat(ofRecords.of(LEAST, Set.of(), NOW)).isEqualTo(LEAST);
    ofRecords.read(NOW);
    assertThat(ofRecords.of(LEAST, Set.of(0), NOW + 299_999_999)).isEqualTo(LEAST);
    assertThat(ofRecords.of(LEAST, Set.of(0), NOW + 300_000_000)).isEqualTo(PollTimeout.LONGEST);
  }
}

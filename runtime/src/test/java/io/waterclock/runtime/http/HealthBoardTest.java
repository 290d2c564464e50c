package io.waterclock.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.runtime.CountsOnly;
import io.waterclock.topology.scheduler.context.Reading;
import io.waterclock.topology.scheduler.context.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.Test;

final class HealthBoardTest {
  private static final TaskId ONE = new TaskId(0, 1);
  private static final TaskId TWO = new TaskId(0, 2);
  private static final Instant NOW = Instant.EPOCH;
  private static final Reading KEEPS_UP = Reading.through(NOW, NOW);
  private static final TaskView STANDING = new CountsOnly();

  private long nanos = Long.MAX_VALUE - 5;
  private Optional<String> joining = Optional.empty();
  private Optional<String> stopped = Optional.empty();
  private Duration answering = Duration.ofDays(1);
  private Duration assigned = Duration.ofDays(1);
  private final HealthBoard board =
      new HealthBoard(() -> nanos, () -> joining, () -> stopped, () -> answering, () -> assigned);

  @Test
  void an_instance_that_joins_is_alive_but_not_ready() {
    joining = Optional.of("the instance is REBALANCING");
    assertThat(board.ready().problems()).containsExactly("the instance is REBALANCING");
    assertThat(board.live().isOk()).isTrue();
  }

  @Test
  void an_instance_without_tasks_is_ready_once_its_assignment_has_stood_for_ten_seconds() {
    assigned = Duration.ofSeconds(10);
    assertThat(board.ready().problems())
        .containsExactly("no assignment yet: it has joined, and has got no partition so far");
    assertThat(board.live().isOk()).isTrue();
    assigned = Duration.ofMillis(10_001);
    assertThat(board.ready().isOk()).isTrue();
  }

  @Test
  void an_instance_with_tasks_does_not_wait_for_more() {
    assigned = Duration.ZERO;
    board.assigned(ONE, STANDING, NOW);
    board.ticked(ONE, KEEPS_UP, NOW);
    assertThat(board.ready().isOk()).isTrue();
    board.revoked(ONE);
    assertThat(board.ready().isOk()).isFalse();
  }

  @Test
  void it_is_ready_once_every_task_has_passed_its_gate() {
    board.assigned(ONE, STANDING, NOW);
    board.assigned(TWO, STANDING, NOW);
    board.ticked(ONE, KEEPS_UP, NOW);
    board.ticked(TWO, Reading.toTheEndFirst(NOW), NOW);
    assertThat(board.ready().problems())
        .containsExactly("task 0_2 has not read its input to the end yet");
    board.ticked(TWO, KEEPS_UP, NOW);
    assertThat(board.ready().isOk()).isTrue();
  }

  @Test
  void a_task_that_is_behind_its_input_takes_readiness_away() {
    Instant later = NOW.plusSeconds(6);
    board.ticked(ONE, Reading.through(NOW, later), later);
    assertThat(board.ready().problems())
        .containsExactly(
            "task 0_1 reads what was written at 1970-01-01T00:00:00Z, and decides nothing that is due"
                + " later");
  }

  @Test
  void a_task_that_comes_later_takes_readiness_away_until_it_has_passed() {
    board.ticked(ONE, KEEPS_UP, NOW);
    board.assigned(TWO, STANDING, NOW);
    assertThat(board.ready().isOk()).isFalse();
    board.revoked(TWO);
    assertThat(board.ready().isOk()).isTrue();
  }

  @Test
  void a_tick_that_is_ten_seconds_late_is_no_life_and_the_next_one_is() {
    board.assigned(ONE, STANDING, NOW);
    pass(Duration.ofSeconds(10));
    assertThat(board.live().isOk()).isTrue();
    pass(Duration.ofMillis(1));
    assertThat(board.live().problems()).containsExactly("the latest tick of task 0_1 is 10 s old");
    board.ticked(ONE, KEEPS_UP, NOW);
    assertThat(board.live().isOk()).isTrue();
  }

  @Test
  void the_time_in_which_no_broker_answers_is_not_held_against_it() {
    board.assigned(ONE, STANDING, NOW);
    pass(Duration.ofMinutes(10));
    answering = Duration.ZERO;
    assertThat(board.live().isOk()).isTrue();
    answering = Duration.ofSeconds(30);
    assertThat(board.live().isOk()).isTrue();
    answering = Duration.ofSeconds(31);
    assertThat(board.live().problems()).containsExactly("the latest tick of task 0_1 is 600 s old");
  }

  @Test
  void a_task_that_went_elsewhere_does_not_count() {
    board.assigned(ONE, STANDING, NOW);
    board.revoked(ONE);
    pass(Duration.ofMinutes(1));
    assertThat(board.live().isOk()).isTrue();
    assertThat(board.tasks()).isZero();
  }

  @Test
  void an_instance_that_has_stopped_is_neither_ready_nor_alive() {
    stopped = Optional.of("the instance is ERROR: out of disk");
    assertThat(board.ready().problems()).containsExactly("the instance is ERROR: out of disk");
    assertThat(board.live().problems()).containsExactly("the instance is ERROR: out of disk");
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }
}

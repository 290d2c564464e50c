package io.waterclock.topology.scheduler.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CommitPaceTest {
  private static final boolean BEHIND = true;
  private static final boolean IN_STEP = false;

  private long nanoTime = Long.MAX_VALUE - Duration.ofMillis(100).toNanos();
  private final CommitPace.OfThread thread = new CommitPace.OfThread(() -> nanoTime);
  private final CommitPace first = thread.join();
  private final CommitPace second = thread.join();

  @Test
  void without_waiting_input_every_tick_may_commit() {
    commit(first, 8);
    assertThat(first.mayCommit(IN_STEP)).isTrue();
  }

  @Test
  void with_waiting_input_the_first_commit_comes_at_once() {
    assertThat(first.mayCommit(BEHIND)).isTrue();
  }

  @Test
  void with_waiting_input_the_pause_counts_from_the_end_of_a_commit() {
    commit(first, 8);
    pass(24);
    assertThat(first.mayCommit(BEHIND)).isFalse();
    pass(1);
    assertThat(first.mayCommit(BEHIND)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"25, 25", "26, 26", "200, 200", "250, 250", "251, 250", "60000, 250"})
  void the_pause_is_as_long_as_the_commit_within_bounds(int commitMs, int pauseMs) {
    commit(first, commitMs);
    pass(pauseMs - 1);
    assertThat(first.mayCommit(BEHIND)).isFalse();
    pass(1);
    assertThat(first.mayCommit(BEHIND)).isTrue();
  }

  @Test
  void ticks_that_take_long_are_rarer_while_input_waits() {
    assertThat(first.unhurried()).isEqualTo(Duration.ofMillis(5));

    tick(3);

    assertThat(first.unhurried()).isEqualTo(Duration.ofMillis(80)); // an eighth is 2 times 3 ms
    assertThat(second.unhurried()).isEqualTo(first.unhurried());
    second.leave();
    assertThat(first.unhurried()).isEqualTo(Duration.ofMillis(40));

    tick(0);

    assertThat(first.unhurried()).isEqualTo(Duration.ofMillis(5));

    tick(1_000);

    assertThat(first.unhurried()).isEqualTo(Duration.ofMillis(80));
  }

  /** So many ticks of a length that their mean has it. */
  private void tick(int millis) {
    for (int i = 0; i < 500; i++) {
      first.beginTick();
      pass(millis);
      first.endTick();
    }
  }

  @Test
  void a_task_in_step_pauses_while_another_of_its_thread_is_behind() {
    commit(first, 8);
    assertThat(second.mayCommit(BEHIND)).isFalse();
    assertThat(first.mayCommit(IN_STEP)).isFalse();
    pass(50);
    assertThat(first.mayCommit(IN_STEP)).isTrue();
  }

  @Test
  void no_commit_is_asked_for_while_another_task_waits_for_its_own() {
    assertThat(first.mayCommit(BEHIND)).isTrue();
    first.requested();
    pass(60);
    second.beginTick();
    assertThat(second.mayCommit(IN_STEP)).isFalse();
  }

  @Test
  void a_commit_has_ended_when_any_task_processes_a_record() {
    assertThat(first.mayCommit(BEHIND)).isTrue();
    first.requested();
    pass(40);
    second.beginRecord();
    pass(100);
    first.beginTick(); // which does not begin the pause again
    assertThat(first.mayCommit(BEHIND)).isTrue();
  }

  @Test
  void a_task_that_has_caught_up_or_left_delays_no_other() {
    commit(first, 8);
    assertThat(second.mayCommit(BEHIND)).isFalse();
    assertThat(second.mayCommit(IN_STEP)).isTrue();

    assertThat(second.mayCommit(BEHIND)).isFalse();
    second.leave();
    assertThat(first.mayCommit(IN_STEP)).isTrue();
  }

  @Test
  void a_task_that_goes_before_it_awakes_leaves_no_commit_to_wait_for() {
    first.requested();
    first.leave();
    pass(50);
    assertThat(second.mayCommit(BEHIND)).isTrue();
  }

  private void commit(CommitPace task, int millis) {
    task.beginTick();
    task.requested();
    pass(millis);
    task.beginTick();
  }

  private void pass(int millis) {
    nanoTime += Duration.ofMillis(millis).toNanos();
  }
}

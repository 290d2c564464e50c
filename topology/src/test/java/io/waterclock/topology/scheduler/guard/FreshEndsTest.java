package io.waterclock.topology.scheduler.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.topology.scheduler.context.Gate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FreshEndsTest {
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

  private long nanos = 7;
  private Instant wall = START;
  private long written;
  private long read;
  private Duration answerTime = Duration.ZERO;
  private int asked;
  private final StallDetector pulse = new StallDetector(() -> nanos, () -> wall);
  private final FreshEnds ends = new FreshEnds(this::ask, () -> nanos, pulse);

  @Test
  void an_empty_input_is_read_at_once() {
    assertThat(ends.areReached()).isTrue();
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void an_end_that_has_become_old_while_it_was_read_is_asked_for_again() {
    written = 10;
    assertThat(ends.areReached()).isFalse();
    written = 20; // what is deleted meanwhile
    read(10, Duration.ofMillis(600));
    assertThat(ends.areReached()).isFalse();
    read(20, Duration.ofMillis(100));
    assertThat(ends.areReached()).isTrue();
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void an_end_that_is_reached_in_half_a_second_will_do() {
    written = 10;
    assertThat(ends.areReached()).isFalse();
    written = 20;
    read(10, FreshEnds.FRESH);
    assertThat(ends.areReached()).isTrue();
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void an_end_counts_from_when_the_answer_came() {
    answerTime = Duration.ofMillis(900);
    written = 10;
    assertThat(ends.areReached()).isFalse();
    read(10, Duration.ofSeconds(1));
    assertThat(ends.areReached()).isTrue();
  }

  @Test
  void an_answer_that_took_long_may_tell_an_old_end() {
    answerTime = FreshEnds.OLDEST.plusMillis(100);
    written = 10;
    assertThat(ends.areReached()).isFalse();
    written = 20;
    answerTime = Duration.ofMillis(100);
    read(10, FreshEnds.OLDEST.plusMillis(200));
    assertThat(ends.areReached()).isFalse();
    read(20, Duration.ofMillis(200));
    assertThat(ends.areReached()).isTrue();
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void in_normal_running_nothing_is_asked_again() {
    for (int i = 0; i < 10_000; i++) {
      written = i;
      read(Math.max(0, i - 1), Duration.ofMillis(50));
      assertThat(ends.areReached()).isTrue();
    }
    assertThat(asked).isEqualTo(1);
  }

  @Test
  void after_a_stall_the_input_is_read_again_to_a_fresh_end() {
    assertThat(ends.areReached()).isTrue();
    written = 10;
    pass(Duration.ofSeconds(14));
    assertThat(ends.areReached()).isFalse();
    read(10, Duration.ofMillis(20));
    assertThat(ends.areReached()).isTrue();
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void a_host_that_was_suspended_counts_as_stalled_though_its_monotonic_time_stood_still() {
    assertThat(ends.areReached()).isTrue();
    written = 10;
    wall = wall.plus(Duration.ofHours(8));
    assertThat(ends.areReached()).isFalse();
    read(10, Duration.ofMillis(20));
    assertThat(ends.areReached()).isTrue();
  }

  @Test
  void an_end_that_was_asked_for_before_a_stall_is_of_no_use_after_it() {
    written = 10;
    assertThat(ends.areReached()).isFalse();
    written = 20;
    pass(Duration.ofSeconds(14));
    read = 10;
    assertThat(ends.areReached()).isFalse();
    read(20, Duration.ofMillis(20));
    assertThat(ends.areReached()).isTrue();
  }

  @Test
  void a_stall_that_another_task_of_the_thread_has_noticed_counts_for_all() {
    assertThat(ends.areReached()).isTrue();
    written = 10;
    nanos += Duration.ofSeconds(14).toNanos();
    pulse.beat();
    assertThat(ends.areReached()).isFalse();
  }

  @Test
  void a_gap_as_long_as_a_slow_commit_is_no_stall() {
    assertThat(ends.areReached()).isTrue();
    written = 10;
    nanos += Gate.STALL.toNanos();
    wall = wall.plus(Gate.STALL);
    assertThat(ends.areReached()).isTrue();
  }

  @Test
  void an_input_that_is_never_read_to_a_fresh_end_is_waited_for_with_a_bound() {
    written = 10;
    Duration waited = Duration.ZERO;
    Duration round = Duration.ofMillis(900);
    while (!ends.areReached()) {
      assertThat(waited).isLessThan(FreshEnds.PATIENCE.plusSeconds(3));
      assertThat(ends.areLagging()).isFalse();
      long before = written;
      written += 10;
      read(before, round);
      waited = waited.plus(round);
    }
    assertThat(ends.areLagging()).isTrue();
    assertThat(waited).isGreaterThan(FreshEnds.PATIENCE);
  }

  @Test
  void a_thread_that_is_held_up_in_each_round_is_not_held_back_for_ever() {
    answerTime = Duration.ofMillis(900);
    Duration waited = Duration.ZERO;
    Duration round = Gate.STALL.plusMillis(200);
    while (!ends.areReached()) {
      assertThat(waited).isLessThan(FreshEnds.PATIENCE.plusSeconds(10));
      pass(round);
      waited = waited.plus(round);
    }
    assertThat(ends.areLagging()).isTrue();
    assertThat(waited).isGreaterThan(FreshEnds.PATIENCE);
    pass(round);
    assertThat(ends.areReached()).isTrue();

    written = 10;
    pass(Duration.ofSeconds(14));
    assertThat(ends.areReached()).isFalse();
    read(10, Duration.ofSeconds(1));
    assertThat(ends.areReached()).isTrue();
    assertThat(ends.areLagging()).isFalse();
  }

  private List<FreshEnds.End> ask() {
    asked++;
    long end = written;
    long answeredAt = nanos + answerTime.toNanos();
    return List.of(
        new FreshEnds.End() {
          @Override
          public boolean isPassed() {
            return nanos >= answeredAt && read >= end;
          }

          @Override
          public long learnedAtNanos() {
            return answeredAt;
          }
        });
  }

  /** Time passes, and the thread reads meanwhile. */
  private void read(long through, Duration time) {
    for (int i = 0; i < 10; i++) {
      nanos += time.toNanos() / 10;
      wall = wall.plus(time.dividedBy(10));
      pulse.beat();
    }
    read = through;
  }

  /** Time passes, and the thread does nothing. */
  private void pass(Duration time) {
    nanos += time.toNanos();
    wall = wall.plus(time);
  }
}

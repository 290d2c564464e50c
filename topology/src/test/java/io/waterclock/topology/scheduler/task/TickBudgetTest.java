package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.topology.scheduler.context.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TickBudgetTest {
  private final TickBudget.OfThread thread =
      new TickBudget.OfThread(new Settings.Budget(Duration.ofHours(1), 90), System::nanoTime);
  private final TickBudget first = thread.join(Effort.unlimited());
  private final TickBudget second = thread.join(Effort.unlimited());
  private final TickBudget third = thread.join(Effort.unlimited());

  @Test
  void a_task_alone_with_work_has_all_of_it() {
    assertThat(decisions(first, 500)).isEqualTo(90);
  }

  @Test
  void tasks_that_could_not_finish_share_the_next_round() {
    decisions(first, 500);
    assertThat(decisions(second, 500)).as("nothing is left of the round").isEqualTo(1);
    assertThat(decisions(third, 500)).isEqualTo(1);

    assertThat(decisions(first, 500)).isEqualTo(30);
    assertThat(decisions(second, 500)).isEqualTo(30);
    assertThat(decisions(third, 500)).isEqualTo(30);
  }

  @Test
  void what_a_task_leaves_is_for_those_after_it() {
    decisions(first, 500);
    decisions(second, 500);
    decisions(third, 500);

    assertThat(decisions(first, 10)).isEqualTo(10);
    assertThat(decisions(second, 500)).isEqualTo(40);
    assertThat(decisions(third, 500)).isEqualTo(40);
    assertThat(decisions(first, 500)).as("second and third want more").isEqualTo(30);
  }

  @Test
  void a_task_that_has_gone_has_no_share() {
    decisions(first, 500);
    decisions(second, 500);
    decisions(third, 500);
    third.leave();

    assertThat(decisions(first, 500)).isEqualTo(45);
    assertThat(decisions(second, 500)).isEqualTo(45);
  }

  @Test
  void there_is_room_once_every_task_could_finish() {
    assertThat(first.hasRoom()).isTrue();
    decisions(second, 500);
    assertThat(first.hasRoom()).as("second could not finish").isFalse();
    decisions(first, 10);
    assertThat(first.hasRoom()).as("nothing was left for first").isFalse();
    decisions(second, 10);
    decisions(first, 10);
    assertThat(first.hasRoom()).isTrue();
    decisions(third, 500);
    third.leave();
    assertThat(first.hasRoom()).as("third has gone").isTrue();
  }

  @Test
  void a_thread_keeps_up_while_only_what_is_late_anyway_has_to_wait() {
    Duration hour = Duration.ofHours(1);
    TickBudget task =
        new TickBudget.OfThread(new Settings.Budget(hour, 90, Duration.ZERO), System::nanoTime)
            .join(Effort.unlimited());
    task.start();
    task.startCatchUp(Duration.ZERO, false);
    assertThat(task.isSpentNow()).isTrue();
    assertThat(task.hasRoom()).isFalse();
    assertThat(task.keepsUp()).isTrue();

    decisions(task, 500);
    task.startCatchUp(Duration.ZERO, false);
    assertThat(task.keepsUp()).as("it had 90 decisions for 500").isFalse();

    decisions(task, 10);
    task.startCatchUp(Duration.ZERO, false);
    assertThat(task.keepsUp()).isTrue();
  }

  @Test
  void no_time_at_all_still_allows_some_progress() {
    TickBudget hurried =
        new TickBudget.OfThread(new Settings.Budget(Duration.ZERO, 1_000_000), System::nanoTime)
            .join(Effort.unlimited());
    assertThat(decisions(hurried, 1_000)).isBetween(1, 100);
  }

  @Test
  void what_is_late_gets_its_own_part_of_the_time() {
    Duration hour = Duration.ofHours(1);
    TickBudget unhurried =
        new TickBudget.OfThread(new Settings.Budget(hour, 1_000, Duration.ZERO), System::nanoTime)
            .join(Effort.unlimited());
    unhurried.start();
    assertThat(unhurried.isSpentNow()).isFalse();

    unhurried.startCatchUp(Duration.ZERO, false);
    assertThat(unhurried.isSpentNow()).as("no time for catch-up").isTrue();
    unhurried.endCatchUp();

    unhurried.start();
    assertThat(unhurried.isSpentNow()).as("the next turn begins anew").isFalse();
  }

  @Test
  void what_is_late_may_work_until_something_of_any_task_is_due() {
    AtomicLong nanos = new AtomicLong();
    Settings.Budget budget =
        new Settings.Budget(Duration.ofMillis(100), 1_000, Duration.ofMillis(1));
    TickBudget.OfThread both = new TickBudget.OfThread(budget, nanos::get);
    TickBudget one = both.join(Effort.unlimited());
    TickBudget other = both.join(Effort.unlimited());

    Duration hour = Duration.ofHours(1);
    assertThat(catchUp(one, hour, nanos)).as("other is not known yet").isEqualTo("1.0 ms");
    assertThat(catchUp(other, Duration.ofMillis(7), nanos)).as("1 is used").isEqualTo("6.0 ms");
    assertThat(catchUp(one, hour, nanos)).as("1 for two, other's is due").isEqualTo("0.5 ms");
    assertThat(catchUp(other, hour, nanos)).as("a quarter of 100").isEqualTo("24.5 ms");
    assertThat(catchUp(one, hour, nanos)).as("a quarter for two").isEqualTo("12.5 ms");
    other.leave();
    assertThat(catchUp(one, Duration.ZERO, nanos)).as("its own is due").isEqualTo("1.0 ms");
  }

  @Test
  void while_input_is_read_first_what_is_late_gets_a_quarter_of_the_time() {
    AtomicLong nanos = new AtomicLong();
    Settings.Budget budget =
        new Settings.Budget(Duration.ofMillis(100), 1_000, Duration.ofMillis(1));
    TickBudget task = new TickBudget.OfThread(budget, nanos::get).join(Effort.unlimited());
    Duration idle = Duration.ofSeconds(1);
    List<String> got = new ArrayList<>();
    for (int readMs : new int[] {0, 2, 8, 40, 90, 5_000}) {
      catchUp(task, idle, true, nanos);
      task.start(); // measures the round anew
      nanos.addAndGet(readMs * 1_000_000L);
      got.add(readMs + " ms: " + catchUp(task, idle, true, nanos));
    }
    assertThat(got)
        .containsExactly(
            "0 ms: 1.0 ms",
            "2 ms: 1.0 ms",
            "8 ms: 2.0 ms",
            "40 ms: 10.0 ms",
            "90 ms: 22.5 ms",
            "5000 ms: 25.0 ms");
  }

  @Test
  void a_slice_ends_with_its_time_though_the_turn_has_more() {
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000);
    TickBudget task =
        new TickBudget.OfThread(new Settings.Budget(Duration.ofHours(1), 90), nanos::get)
            .join(Effort.unlimited());
    task.start();

    task.startSlice(Duration.ofMillis(2));

    nanos.addAndGet(1_999_999);
    assertThat(task.isSliceSpent()).isFalse();
    nanos.addAndGet(1);
    assertThat(task.isSliceSpent()).isTrue();
    assertThat(task.isSpentNow()).isFalse();
  }

  /** Takes a turn that is only late work, for as long as it may; returns for how long. */
  private static String catchUp(TickBudget budget, Duration untilLive, AtomicLong nanos) {
    return catchUp(budget, untilLive, false, nanos);
  }

  private static String catchUp(
      TickBudget budget, Duration untilLive, boolean isBehind, AtomicLong nanos) {
    budget.start();
    budget.startCatchUp(untilLive, isBehind);
    long began = nanos.get();
    while (!budget.isSpentNow()) {
      nanos.addAndGet(1_000);
    }
    budget.endCatchUp();
    return (nanos.get() - began) / 100_000 / 10.0 + " ms";
  }

  /** Takes a turn; returns how many of the wanted decisions the budget allowed. */
  private static int decisions(TickBudget budget, int wanted) {
    budget.start();
    int made = 0;
    while (made < wanted && !budget.isSpent()) {
      made++;
    }
    return made;
  }
}

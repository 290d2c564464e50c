package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.topology.scheduler.context.Settings;
import java.time.Duration;
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
    task.startCatchUp();
    assertThat(task.isSpentNow()).isTrue();
    assertThat(task.hasRoom()).isFalse();
    assertThat(task.keepsUp()).isTrue();

    decisions(task, 500);
    task.startCatchUp();
    assertThat(task.keepsUp()).as("it had 90 decisions for 500").isFalse();

    decisions(task, 10);
    task.startCatchUp();
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

    unhurried.startCatchUp();
    assertThat(unhurried.isSpentNow()).as("no time for catch-up").isTrue();
    unhurried.endCatchUp();

    unhurried.start();
    assertThat(unhurried.isSpentNow()).as("the next turn begins anew").isFalse();
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

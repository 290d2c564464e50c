package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.ScheduleId;
import org.junit.jupiter.api.Test;

final class StraysInTransitTest {
  private static final ScheduleId A = ScheduleId.parse("a");
  private static final ScheduleId B = ScheduleId.parse("b");

  private final StraysInTransit homeward = new StraysInTransit();

  @Test
  void a_schedule_is_under_way_until_the_last_of_its_strays_is_home() {
    homeward.left(A, "s-1@1");
    homeward.left(A, "s-1@2");
    homeward.left(B, "s-1@3");
    homeward.arrived("a", "s-1@1");
    assertThat(homeward.contains(A)).isTrue();
    homeward.arrived("a", "s-1@2");
    assertThat(homeward.contains(A)).isFalse();
    assertThat(homeward.contains(B)).isTrue();
  }

  @Test
  void what_a_task_before_has_sent_counts_not() {
    homeward.left(A, "s-1@1");
    homeward.arrived("a", "s-1@0");
    assertThat(homeward.contains(A)).isTrue();
  }

  @Test
  void another_schedule_does_not_bring_it_home() {
    homeward.left(A, "s-1@1");
    homeward.arrived("b", "s-1@1");
    assertThat(homeward.contains(A)).isTrue();
  }

  @Test
  void it_settles_once() {
    homeward.left(A, "s-1@1");
    assertThat(homeward.isSettled()).isFalse();
    homeward.arrived("a", "s-1@1");
    assertThat(homeward.isSettled()).isTrue();
    homeward.left(B, "s-1@2");
    assertThat(homeward.isSettled()).isTrue();
  }
}

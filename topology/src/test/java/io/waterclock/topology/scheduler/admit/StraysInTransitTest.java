package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.context.WaitingMemory;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class StraysInTransitTest {
  private static final ScheduleId A = ScheduleId.parse("a");
  private static final ScheduleId B = ScheduleId.parse("b");

  private static final Instant T0 = Instant.parse("2026-11-20T10:00:00Z");

  private final StraysInTransit inTransit =
      new StraysInTransit(WaitingMemory.ofHeap().join(0, "transit"));

  @Test
  void a_schedule_is_in_transit_until_the_last_of_its_strays_arrives() {
    inTransit.sent(A, "s-1@1", T0);
    inTransit.sent(A, "s-1@2", T0);
    inTransit.sent(B, "s-1@3", T0);
    inTransit.arrived("a", "s-1@1");
    assertThat(inTransit.contains(A)).isTrue();
    inTransit.arrived("a", "s-1@2");
    assertThat(inTransit.contains(A)).isFalse();
    assertThat(inTransit.contains(B)).isTrue();
  }

  @Test
  void strays_of_an_earlier_task_are_ignored() {
    inTransit.sent(A, "s-1@1", T0);
    inTransit.arrived("a", "s-1@0");
    assertThat(inTransit.contains(A)).isTrue();
  }

  @Test
  void the_stray_of_another_schedule_does_not_complete_the_transit() {
    inTransit.sent(A, "s-1@1", T0);
    inTransit.arrived("b", "s-1@1");
    assertThat(inTransit.contains(A)).isTrue();
  }

  @Test
  void it_is_empty_when_every_stray_has_arrived() {
    assertThat(inTransit.isEmpty()).isTrue();
    inTransit.sent(A, "s-1@1", T0);
    inTransit.sent(B, "s-1@2", T0);
    assertThat(inTransit.arrived("a", "s-1@1")).isTrue();
    assertThat(inTransit.isEmpty()).isFalse();
    assertThat(inTransit.arrived("a", "s-1@1")).isFalse();
    assertThat(inTransit.arrived("b", "s-1@2")).isTrue();
    assertThat(inTransit.isEmpty()).isTrue();
  }

  @Test
  void strays_that_were_sent_later_do_not_count() {
    inTransit.sent(A, "s-1@1", T0);
    long first = inTransit.last(A);
    inTransit.sent(B, "s-1@2", T0);
    inTransit.sent(A, "s-1@3", T0);
    assertThat(inTransit.lastSent()).isGreaterThan(first);
    assertThat(inTransit.contains(A, first)).isTrue();
    assertThat(inTransit.contains(B, first)).isFalse();
    assertThat(inTransit.contains(first)).isTrue();
    inTransit.arrived("a", "s-1@1");
    assertThat(inTransit.contains(A, first)).isFalse();
    assertThat(inTransit.contains(first)).isFalse();
    assertThat(inTransit.last(A)).isGreaterThan(first);
  }

  @Test
  void a_stray_that_never_arrives_is_forgotten() {
    inTransit.sent(A, "s-1@1", T0);
    inTransit.sent(A, "s-1@2", T0.plusSeconds(1));
    inTransit.forget(T0.plusSeconds(61));
    assertThat(inTransit.contains(A, 1)).isFalse();
    assertThat(inTransit.contains(A)).isTrue();
    inTransit.forget(T0.plusSeconds(62));
    assertThat(inTransit.contains(A)).isFalse();
    assertThat(inTransit.isEmpty()).isTrue();
  }

  /** A transaction that others leave open in the home partition holds each of them up. */
  @Test
  void the_oldest_is_forgotten_when_there_is_no_memory_for_one_more() {
    StraysInTransit bounded = new StraysInTransit(WaitingMemory.of(0).join(0, "transit"));
    bounded.sent(A, "s-1@0", T0);
    for (int i = 1; i < 1_000; i++) {
      bounded.sent(B, "s-1@" + i, T0);
    }
    assertThat(bounded.contains(A)).isTrue();
    bounded.sent(B, "s-1@1000", T0);
    assertThat(bounded.contains(A)).isFalse();
    assertThat(bounded.arrived("b", "s-1@1000")).isTrue();
    bounded.sent(A, "s-1@1001", T0);
    assertThat(bounded.arrived("b", "s-1@1")).as("there was room").isTrue();
  }
}

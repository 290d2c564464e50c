package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class RejectionTest {
  private static final String GOOD = "{\"every\":\"1m\"}";
  private static final String BAD = "{\"every\":\"0m\",\"grace\":\"soon\"}";

  @Test
  void a_rejected_edit_leaves_the_old_definition_in_force_and_says_what_is_wrong_with_it() {
    try (SchedulerHarness scheduler =
        SchedulerHarness.startingAt(Instant.parse("2026-03-01T00:00:00Z"))) {
      scheduler.put("a", GOOD);
      scheduler.put("a", BAD);
      scheduler.advance(Duration.ofMinutes(3));

      ScheduleStatus status = scheduler.status("a").orElseThrow();
      assertThat(status.getState()).isEqualTo(State.ACTIVE);
      assertThat(status.getProblems()).hasSize(2);
      assertThat(scheduler.fires("a")).hasSize(3);
    }
  }

  @Test
  void the_good_definition_again_ends_the_rejection_and_changes_nothing_else() {
    try (SchedulerHarness scheduler =
        SchedulerHarness.startingAt(Instant.parse("2026-03-01T00:00:00Z"))) {
      scheduler.put("a", GOOD);
      scheduler.put("a", BAD);
      scheduler.put("a", GOOD);

      assertThat(scheduler.status("a").orElseThrow().getProblems()).isEmpty();
      assertThat(scheduler.revisions()).hasSize(1);
    }
  }

  @Test
  void a_schedule_that_was_only_ever_rejected_has_the_state_rejected() {
    try (SchedulerHarness scheduler =
        SchedulerHarness.startingAt(Instant.parse("2026-03-01T00:00:00Z"))) {
      scheduler.put("a", BAD);
      assertThat(scheduler.status("a").orElseThrow().getState()).isEqualTo(State.REJECTED);
      scheduler.put("a", GOOD);
      assertThat(scheduler.status("a").orElseThrow().getState()).isEqualTo(State.ACTIVE);
      scheduler.delete("a");
      assertThat(scheduler.status("a")).isEmpty();
    }
  }
}

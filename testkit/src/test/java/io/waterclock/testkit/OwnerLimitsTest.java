package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many schedules an owner may have; with one partition that is exact. */
final class OwnerLimitsTest {
  private static final String HOURLY = "{\"every\":\"1h\"}";

  private final SchedulerHarness scheduler = harness("acme/ schedules=2; * schedules=3");

  @AfterEach
  void close() {
    scheduler.close();
  }

  @Test
  void one_too_many_is_rejected_with_limit_owner_and_number_and_nothing_else_is_harmed() {
    put("acme/1", "acme/2", "acme/3", "other/1", "other/2", "other/3", "other/4");
    assertAccepted("acme/1", "acme/2", "other/1", "other/2", "other/3");
    assertThat(problems("acme/3"))
        .containsExactly(
            "acme/ has 2 of the 2 schedules that it may have (owner.limits, schedules); delete some"
                + " that are not needed, or ask the operator for more");
    assertThat(problems("other/4"))
        .singleElement()
        .asString()
        .startsWith("* has 3 of the 3 schedules ");
  }

  @Test
  void a_redefinition_takes_no_room_and_a_delete_makes_some() {
    put("acme/1", "acme/2");
    scheduler.put("acme/2", "{\"every\":\"2h\"}");
    assertAccepted("acme/2");
    put("acme/3");
    assertRejected("acme/3");
    scheduler.delete("acme/1");
    put("acme/3", "acme/4");
    assertAccepted("acme/3");
    assertRejected("acme/4");
  }

  @Test
  void what_is_completed_makes_room_and_takes_some_when_it_is_defined_anew() {
    scheduler.put("acme/1", "{\"in\":\"PT1S\"}");
    put("acme/2", "acme/3");
    assertRejected("acme/3");
    scheduler.advance(Duration.ofMinutes(6));
    assertThat(scheduler.status("acme/1").orElseThrow().getState()).isEqualTo(State.COMPLETED);
    put("acme/3");
    assertAccepted("acme/3");
    put("acme/1");
    assertThat(problems("acme/1")).hasSize(1);
    assertThat(scheduler.status("acme/1").orElseThrow().getState()).isEqualTo(State.COMPLETED);
  }

  /** Live, the first two are completed when the others are written. */
  @Test
  void what_came_due_in_an_outage_makes_room_for_what_was_written_after_it() {
    scheduler.put("acme/1", "{\"in\":\"PT10M\"}");
    scheduler.put("acme/2", "{\"in\":\"PT10M\"}");
    scheduler.stop();
    scheduler.advance(Duration.ofMinutes(9));
    scheduler.put("acme/early", HOURLY);
    scheduler.advance(Duration.ofMinutes(6));
    put("acme/3", "acme/4", "acme/5");
    scheduler.start();
    assertRejected("acme/early");
    assertAccepted("acme/3", "acme/4");
    assertRejected("acme/5");
    scheduler.advance(Duration.ofMinutes(6));
    assertThat(scheduler.fires("acme/1")).hasSize(1);
    assertThat(scheduler.fires("acme/2")).hasSize(1);
    put("acme/6");
    assertRejected("acme/6");
  }

  @Test
  void the_count_survives_a_restart() {
    put("acme/1", "acme/2", "other/1");
    scheduler.stop();
    put("acme/3", "other/2");
    scheduler.start();
    assertRejected("acme/3");
    assertAccepted("other/2");
  }

  @Test
  void a_payload_and_an_interval_are_held_to_the_limits_of_the_owner_and_told_together() {
    try (SchedulerHarness limited = harness("acme/ min.interval=1m payload.bytes=10")) {
      String json = "{\"every\":\"5s\",\"payload\":\"0123456789\"}";
      limited.put("acme/1", json);
      limited.put("other", json);
      assertThat(limited.status("other").orElseThrow().getState()).isEqualTo(State.ACTIVE);
      assertThat(limited.status("acme/1").orElseThrow().getProblems())
          .extracting(Problem::getField)
          .containsExactly("every", "payload");
      limited.put("acme/1", "{\"every\":\"1m\"}");
      limited.command("acme/1", "{\"command_id\":\"c\",\"trigger\":{\"payload\":\"0123456789\"}}");
      assertThat(limited.records(limited.topics().dlq())).hasSize(1);
      assertThat(limited.fires("acme/1")).isEmpty();
    }
  }

  private static SchedulerHarness harness(String owners) {
    return Limited.scheduler(Instant.parse("2026-03-01T00:00:00Z"), owners, 1_000_000);
  }

  private void put(String... ids) {
    for (String id : ids) {
      scheduler.put(id, HOURLY);
    }
  }

  private void assertAccepted(String... ids) {
    for (String id : ids) {
      assertThat(problems(id)).as(id).isEmpty();
      assertThat(scheduler.status(id).orElseThrow().getState()).as(id).isEqualTo(State.ACTIVE);
    }
  }

  private void assertRejected(String id) {
    assertThat(scheduler.status(id).orElseThrow().getState()).isEqualTo(State.REJECTED);
  }

  private List<String> problems(String id) {
    return scheduler.status(id).orElseThrow().getProblems().stream()
        .map(Problem::getMessage)
        .toList();
  }
}

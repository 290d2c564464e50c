package io.waterclock.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.AlertKind;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.Fault;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.OverdueExpectation;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What does not come true of what definitions expect, from the record to the alert. */
final class AlertsTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final String HOURLY =
      "{\"every\":\"1h\",\"anchor\":\"2026-03-01T00:00:00Z\",\"owner\":\"acme\",%s}";
  private static final String EXPECTING =
      HOURLY.formatted(
          "\"expect\":{\"succeeded_within\":\"5m\",\"contact\":\"#acme\",\"runbook\":\"https://a\"}");
  private final SchedulerHarness scheduler = SchedulerHarness.startingAt(START);

  @AfterEach
  void close() {
    scheduler.close();
  }

  private void report(Instant occurrence, String state) {
    scheduler.report(
        "a",
        "{\"fire_key\":\"a|%s\",\"state\":\"%s\",\"error\":\"no disk\"}"
            .formatted(occurrence.toString().replace("Z", ".000Z"), state));
  }

  private static Instant hour(int number) {
    return START.plus(Duration.ofHours(number));
  }

  private List<String> alerts() {
    return scheduler.alerts().stream()
        .map(alert -> alert.getKind() + " " + alert.getOccurrence() + " at " + alert.getAt())
        .toList();
  }

  @Test
  void an_alert_says_what_was_expected_what_was_seen_and_whom_to_ask() {
    scheduler.put("a", EXPECTING);
    scheduler.advanceTo(hour(1).plusSeconds(7));
    report(hour(1), "failed");
    scheduler.advanceTo(hour(2));
    assertThat(scheduler.alerts())
        .singleElement()
        .satisfies(
            alert -> {
              assertThat(alert.getScheduleId()).isEqualTo("a");
              assertThat(alert.getKind()).isEqualTo(AlertKind.OVERDUE);
              assertThat(alert.getExpectation()).isEqualTo(Expectation.SUCCEEDED_WITHIN);
              assertThat(alert.getOccurrence()).isEqualTo(hour(1));
              assertThat(alert.getExpectedBy()).isEqualTo(hour(1).plusSeconds(300));
              assertThat(alert.getAt()).isEqualTo(hour(1).plusSeconds(300));
              assertThat(alert.getDecidedAt())
                  .isBetween(hour(1).plusSeconds(300), hour(1).plusSeconds(301));
              assertThat(alert.getFiredAt()).isBetween(hour(1), hour(1).plusSeconds(1));
              assertThat(alert.getFault()).isEqualTo(Fault.WORKER);
              assertThat(alert.getSeen()).isEqualTo(OutcomeState.FAILED);
              assertThat(alert.getSeenAt()).isEqualTo(hour(1).plusSeconds(7));
              assertThat(alert.getError()).isEqualTo("no disk");
              assertThat(alert.getOwner()).isEqualTo("acme");
              assertThat(alert.getContact()).isEqualTo("#acme");
              assertThat(alert.getRunbook()).isEqualTo("https://a");
              assertThat(alert.getText())
                  .isEqualTo(
                      "a: the run of 2026-03-01T01:00:00Z has not succeeded, expected by"
                          + " 2026-03-01T01:05:00Z; a worker reported FAILED at"
                          + " 2026-03-01T01:00:07Z: no disk");
            });
    assertThat(scheduler.records(scheduler.topics().alerts()))
        .singleElement()
        .satisfies(record -> assertThat(new String(record.key())).isEqualTo("a"));
  }

  @Test
  void the_status_says_what_is_overdue_until_it_recovers() {
    scheduler.put("a", EXPECTING);
    scheduler.advanceTo(hour(1).plusSeconds(301));
    assertThat(scheduler.status("a").orElseThrow())
        .returns(State.ACTIVE, ScheduleStatus::getState)
        .extracting(ScheduleStatus::getOverdue, InstanceOfAssertFactories.LIST)
        .containsExactly(
            new OverdueExpectation(
                Expectation.SUCCEEDED_WITHIN,
                hour(1),
                hour(1).plusSeconds(300),
                Fault.NOT_REPORTED));
    report(hour(1), "succeeded");
    scheduler.advance(Duration.ofSeconds(2));
    assertThat(scheduler.status("a").orElseThrow().getOverdue()).isEmpty();
  }

  @Test
  void restarts_neither_lose_nor_double_an_alert() {
    scheduler.put("a", EXPECTING);
    scheduler.advanceTo(hour(1).plusSeconds(60));
    restart();
    scheduler.advanceTo(hour(1).plusSeconds(600));
    restart();
    scheduler.advanceTo(hour(2).plusSeconds(100));
    report(hour(2), "succeeded");
    restart();
    scheduler.advanceTo(hour(2).plusSeconds(1_000));
    restart();
    scheduler.advanceTo(hour(3));
    assertThat(alerts())
        .containsExactly(
            "OVERDUE 2026-03-01T01:00:00Z at 2026-03-01T01:05:00Z",
            "RECOVERED 2026-03-01T01:00:00Z at 2026-03-01T02:01:40Z");
  }

  private void restart() {
    scheduler.stop();
    scheduler.start();
  }

  @Test
  void a_scheduler_that_was_down_believes_what_was_reported_meanwhile() {
    scheduler.put("a", EXPECTING);
    scheduler.advanceTo(hour(1).plusSeconds(60));
    scheduler.stop();
    scheduler.advanceTo(hour(1).plusSeconds(200));
    report(hour(1), "succeeded");
    scheduler.advanceTo(hour(1).plusSeconds(2_000));
    scheduler.start();
    scheduler.advanceTo(hour(2));
    assertThat(alerts()).isEmpty();
  }

  @Test
  void of_what_a_pause_ended_nothing_is_expected_though_it_was_read_after_its_resume() {
    scheduler.put("a", EXPECTING);
    scheduler.advanceTo(hour(1).plusSeconds(180));
    command("{\"command_id\":\"2\",\"resume\":{}}", hour(1).plusSeconds(180));
    command("{\"command_id\":\"1\",\"pause\":{}}", hour(1).plusSeconds(120));
    scheduler.advanceTo(hour(2));
    assertThat(alerts()).isEmpty();
  }

  private void command(String json, Instant written) {
    scheduler.command("a", json.getBytes(UTF_8), written, new RecordHeaders());
  }

  @Test
  void what_waits_for_a_deadline_alone_is_found_again_after_a_restart() {
    scheduler.put("a", "{\"at\":\"2026-03-01T01:00:00Z\",\"expect\":{\"started_within\":\"3h\"}}");
    scheduler.advanceTo(hour(1).plusSeconds(60));
    restart();
    scheduler.advanceTo(hour(4).plusSeconds(60));
    assertThat(scheduler.alerts()).singleElement().returns(hour(4), Alert::getAt);
  }

  @Test
  void a_schedule_without_expectations_has_no_alerts_and_no_progress() {
    scheduler.put("a", HOURLY.formatted("\"timezone\":\"UTC\""));
    scheduler.advanceTo(hour(3));
    assertThat(scheduler.fires()).hasSize(3).noneMatch(fire -> fire.getWantsOutcome());
    assertThat(alerts()).isEmpty();
  }
}

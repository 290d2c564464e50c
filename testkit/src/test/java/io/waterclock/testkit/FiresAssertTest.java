package io.waterclock.testkit;

import static io.waterclock.testkit.FiresAssert.assertThatFires;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class FiresAssertTest {
  private static final Instant START = Instant.parse("2026-03-27T12:00:00Z");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private final SchedulerHarness scheduler = SchedulerHarness.startingAt(START);

  @BeforeEach
  void run() {
    scheduler.put("report", "{\"cron\":\"30 2 * * *\",\"timezone\":\"Europe/Berlin\"}");
    scheduler.put("other", "{\"every\":\"1h\"}");
    scheduler.put("typo", "{\"cron\":\"61 * * * *\"}");
    scheduler.advance(Duration.ofDays(3));
  }

  @AfterEach
  void close() {
    scheduler.close();
  }

  @Test
  void fires_are_at_instants_or_at_local_times_of_a_zone() {
    assertThatFires(scheduler, "report")
        .areAt("2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
    assertThatFires(scheduler, "report")
        .inZone(BERLIN)
        .areAt("2026-03-28T02:30", "2026-03-29T03:00", "2026-03-30T02:30");
  }

  @Test
  void between_includes_its_beginning_and_excludes_its_end() {
    assertThatFires(scheduler, "report")
        .between(Instant.parse("2026-03-28T01:30:00Z"), Instant.parse("2026-03-30T00:30:00Z"))
        .hasSize(2)
        .inZone(BERLIN)
        .areAt("2026-03-28T02:30", "2026-03-29T03:00");
    assertThatFires(scheduler, "report").between(START, START.plusSeconds(60)).isEmpty();
  }

  @Test
  void a_failure_names_the_schedule_and_its_times_in_the_zone() {
    FiresAssert fires =
        assertThatFires(scheduler, "report")
            .between(START, START.plus(Duration.ofDays(1)))
            .inZone(BERLIN);

    assertThatThrownBy(() -> fires.areAt("2026-03-28T03:00"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("fires of \"report\" from 2026-03-27T12:00:00Z until")
        .hasMessageContaining("2026-03-28T02:30+01:00")
        .hasMessageContaining("2026-03-28T03:00+01:00");
  }

  @Test
  void a_failure_says_why_the_schedule_was_rejected() {
    assertThatThrownBy(() -> assertThatFires(scheduler, "typo").isNotEmpty())
        .hasMessageContaining("which the scheduler rejected")
        .hasMessageContaining("61");
  }

  @Test
  void a_schedule_that_is_not_there_is_named() {
    assertThatThrownBy(() -> assertThatFires(scheduler, "none").isNotEmpty())
        .hasMessageContaining("fires of \"none\", which has no status");
  }
}

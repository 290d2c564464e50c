package io.waterclock.schemas.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RejectionLogTest {
  private final List<String> lines = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-20T10:00:00Z");
  private final RejectionLog log = new RejectionLog(() -> now, " more", lines::add);

  @Test
  void a_few_records_have_a_line_each() {
    reject(10);
    assertThat(lines).hasSize(10).first().isEqualTo("Rejected 0: bad");
    pass(Duration.ofMinutes(10));
    reject(10);
    assertThat(lines).hasSize(20);
  }

  @Test
  void of_many_records_a_line_a_minute_has_the_number() {
    reject(20_000);
    log.logCount();
    assertThat(lines).hasSize(10);

    pass(Duration.ofSeconds(59));
    assertThat(lines).hasSize(10);
    pass(Duration.ofSeconds(1));
    assertThat(lines).hasSize(11).last().asString().isEqualTo("19990 more");

    for (int minute = 0; minute < 60; minute++) {
      reject(500);
      pass(Duration.ofMinutes(1));
    }
    assertThat(lines).hasSize(71);
    assertThat(lines.subList(11, 71)).allMatch(line -> line.equals("500 more"));
    pass(Duration.ofMinutes(5));
    assertThat(lines).hasSize(71);
  }

  @Test
  void a_line_is_short_however_long_the_reason_is() {
    log.rejected("Rejected a", "x".repeat(150_000));
    assertThat(lines.get(0)).hasSizeLessThan(1_020);
  }

  @Test
  void a_clock_that_is_set_back_silences_the_log_for_a_minute_at_most() {
    reject(11);
    now = now.minus(Duration.ofDays(365));
    log.logCount();
    pass(Duration.ofMinutes(1));
    assertThat(lines).hasSize(11);
  }

  private void reject(int records) {
    for (int i = 0; i < records; i++) {
      log.rejected("Rejected " + i, "bad");
    }
  }

  private void pass(Duration time) {
    now = now.plus(time);
    log.logCount();
  }
}

package io.waterclock.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TimeTextTest {
  private static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @ParameterizedTest
  @CsvSource({
    "2026-03-29T00:00:00Z, AGO, 2026-03-29T00:00:00Z",
    "2026-03-29T00:00:00+05:00, AGO, 2026-03-28T19:00:00Z",
    "2026-07-01T09:00, AHEAD, 2026-07-01T07:00:00Z",
    "2026-11-01, AGO, 2026-10-31T23:00:00Z",
    "' 2026-11-01 ', AHEAD, 2026-10-31T23:00:00Z",
    "1h, AGO, 2026-11-23T11:00:00Z",
    "1h30m, AHEAD, 2026-11-23T13:30:00Z",
    "P7D, AGO, 2026-11-16T12:00:00Z",
    "now, AGO, 2026-11-23T12:00:00Z",
    "Now, AHEAD, 2026-11-23T12:00:00Z",
  })
  void a_time_may_be_an_instant_a_date_or_a_duration(
      String text, TimeText direction, Instant expected) {
    assertThat(direction.parse("--from", text, BERLIN, NOW)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"today", "", "12", "2026-13-01", "2026-02-30", "9h ago", "-1h", "1 month"})
  void anything_else_is_refused_with_examples(String text) {
    assertThatThrownBy(() -> TimeText.AGO.parse("--from", text, BERLIN, NOW))
        .isInstanceOf(WrongUsage.class)
        .hasMessage(
            "--from must be an instant such as 2026-03-29T00:00:00Z, a date such as 2026-03-29, or a"
                + " duration such as 90m, not \"%s\".",
            text);
  }

  @ParameterizedTest
  @CsvSource({
    "2h, 2026-11-23T14:00:00Z",
    "2026-12-01, 2026-12-01T00:00:00",
    "2026-12-01T09:00, 2026-12-01T09:00",
    "soon, soon"
  })
  void the_scheduler_reads_local_times_in_the_zone_of_the_schedule(String text, String sent) {
    assertThat(TimeText.AHEAD.iso(text, NOW)).isEqualTo(sent);
  }
}

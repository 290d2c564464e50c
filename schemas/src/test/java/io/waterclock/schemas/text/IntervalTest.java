package io.waterclock.schemas.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waterclock.schemas.avro.Unit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntervalTest {
  @ParameterizedTest
  @CsvSource({
    "PT5M, 5, MINUTE",
    "PT300S, 5, MINUTE",
    "PT24H, 24, HOUR",
    "PT60M, 1, HOUR",
    "PT1H30M, 90, MINUTE",
    "PT0.25S, 250, MILLISECOND",
    "pt5m, 5, MINUTE",
    "P1D, 1, DAY",
    "P7D, 7, DAY",
    "P1W, 1, WEEK",
    "P1W1D, 8, DAY",
    "P1M, 1, MONTH",
    "P1Y, 1, YEAR",
    "P1Y6M, 18, MONTH",
    "30m, 30, MINUTE",
    "60m, 60, MINUTE",
    "90 sec, 90, SECOND",
    "500ms, 500, MILLISECOND",
    "1 month, 1, MONTH",
    "2 Weeks, 2, WEEK",
    "1mo, 1, MONTH",
    "3 years, 3, YEAR",
    "5y, 5, YEAR",
    "1 d, 1, DAY",
    "36h, 36, HOUR",
    "2 minutes, 2, MINUTE",
    "1h30m, 90, MINUTE",
    "1h 60s, 61, MINUTE",
    "0.2s, 200, MILLISECOND",
    "1.5h, 90, MINUTE",
    "1.0h, 1, HOUR",
  })
  void an_interval_is_an_iso_duration_or_a_number_with_a_unit(String text, long n, Unit unit) {
    assertThat(Interval.parse(text)).isEqualTo(new Interval(n, unit));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "P1DT12H; mixes calendar units",
        "1d12h; mixes calendar units",
        "1 week 2 days; has several calendar units",
        "P1M15D; mixes months or years with weeks or days",
        "PT0S; is not above zero",
        "0m; is not above zero",
        "P0D; is not above zero",
        "-PT5M; is not an interval",
        "PT-5M; is below zero",
        "P-1D; is not above zero",
        "-5m; is not an interval",
        "5; is not an interval",
        "m; is not an interval",
        "30M; is not an interval",
        "5 fortnights; is not an interval",
        "0.0005s; is finer than a millisecond",
        "1.5d; has a fraction of a calendar unit",
        "0.5mo; has a fraction of a calendar unit",
        "1.5y; has a fraction of a calendar unit",
        "1.5h30m; is not an interval",
        "0.0s; is not above zero",
        "9223372036854775807.5h; is too long",
        "5m5m; is not an interval",
        "5s1h; is not an interval",
        "''; is not an interval",
        "P; is not",
        "PT; is not",
        "PT0.0001S; is finer than a millisecond",
        "99999999999999999999m; is not an interval",
        "9223372036854775807h; is too long",
        "9223372036854775807y; is too long",
        "P9223372036854775807Y1M; is too long",
        "P9999999999999999999D; is too long",
        "PT9223372036854775807H; is",
      })
  void anything_else_is_refused_with_an_example(String text, String reason) {
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> Interval.parse(text))
        .withMessageContainingAll(reason, "for example P");
  }

  @ParameterizedTest
  @CsvSource({
    "5, MINUTE, PT5M",
    "60, MINUTE, 60 minutes",
    "24, HOUR, PT24H",
    "1, DAY, P1D",
    "14, DAY, P14D",
    "1, MONTH, P1M",
    "12, MONTH, P12M",
    "1000, MILLISECOND, 1000 milliseconds",
    "1, MILLISECOND, PT0.001S",
  })
  void the_text_keeps_the_unit(long n, Unit unit, String text) {
    Interval interval = new Interval(n, unit);

    assertThat(interval.text()).isEqualTo(text);
    assertThat(Interval.parse(text)).isEqualTo(interval);
  }
}

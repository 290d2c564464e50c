package io.waterclock.schemas.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "PT90S, PT1M30S",
    "90s, PT1M30S",
    "5m, PT5M",
    "5 minutes, PT5M",
    "1h30m, PT1H30M",
    "1d, PT24H",
    "P1D, PT24H",
    "P1DT12H, PT36H",
    "0s, PT0S",
    "PT0S, PT0S",
    "250ms, PT0.25S",
    "0.2s, PT0.2S",
    "0.001 s, PT0.001S",
    "1.5h, PT90M",
    "2.50 min, PT150S",
    "1h0.5m, PT1H30S",
    "500.0ms, PT0.5S",
    "PT2562047788015H12M55.807S, PT2562047788015H12M55.807S",
  })
  void a_duration_is_iso_or_a_number_with_a_unit(String text, Duration duration) {
    assertThat(Durations.parse(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "PT-1S; is below zero",
        "1 week; days are the longest",
        "1mo; days are the longest",
        "P1M; is not a duration",
        "5x; is not a duration",
        "60; is not a duration",
        "''; is not a duration",
        "PT0.0000001S; is finer than a millisecond",
        "0.0001s; is finer than a millisecond",
        "0.3333333h; is finer than a millisecond",
        "0.5ms; is finer than a millisecond",
        "1.5d; has a fraction of a calendar unit",
        "0.5 weeks; has a fraction of a calendar unit",
        "1.5h30m; is not a duration",
        ".5s; is not a duration",
        "5.s; is not a duration",
        "0,5s; is not a duration",
        "-0.5s; is not a duration",
        "9223372036854775807d; is too long",
        "PT9223372036854775807S; is too long",
      })
  void anything_else_is_refused_with_an_example(String text, String reason) {
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> Durations.parse(text))
        .withMessageContainingAll(reason, "for example");
  }
}

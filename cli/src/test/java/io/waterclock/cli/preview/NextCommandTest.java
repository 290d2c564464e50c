package io.waterclock.cli.preview;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NextCommandTest {
  @Test
  void cron_is_read_in_its_zone_and_shown_in_utc() {
    CliRun run = next("--cron", "0 9 * * 1-5", "--zone", "Europe/Berlin", "--count", "2");
    assertThat(run.lines()).containsExactly("2026-11-23T08:00:00Z", "2026-11-24T08:00:00Z");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void ten_occurrences_are_shown_unless_told_otherwise() {
    assertThat(next("--cron", "* * * * *").lines()).hasSize(10);
  }

  @Test
  void from_is_exclusive() {
    CliRun run = next("--cron", "0 * * * *", "--from", "2026-01-01T01:00:00Z", "--count", "1");
    assertThat(run.lines()).containsExactly("2026-01-01T02:00:00Z");
  }

  @Test
  void every_without_an_anchor_counts_from_now() {
    assertThat(next("--every", "90s", "--count", "2").lines())
        .containsExactly("2026-11-21T10:01:30Z", "2026-11-21T10:03:00Z");
  }

  @Test
  void months_clamp_to_their_last_day() {
    CliRun run =
        next(
            "--every=1 month",
            "--anchor=2026-01-31T09:00:00Z",
            "--from=2026-01-31T00:00:00Z",
            "--count=3");
    assertThat(run.lines())
        .containsExactly("2026-01-31T09:00:00Z", "2026-02-28T09:00:00Z", "2026-03-31T09:00:00Z");
  }

  @Test
  void times_without_an_offset_are_in_the_zone() {
    CliRun run = next("--at", "2026-12-24T18:00:00", "--zone", "America/New_York");
    assertThat(run.lines()).containsExactly("2026-12-24T23:00:00Z");
  }

  @Test
  void what_is_over_is_said_and_is_no_error() {
    CliRun run = next("--at", "2020-01-01T00:00:00Z");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines())
        .containsExactly("waterclock: nothing occurs after 2026-11-21T10:00:00Z.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--cron    | 61 * * * *  | cron: minute: 61",
        "--cron    | 0 0 30 2 *  | cron: ",
        "--every   | 5x          | --every: \"5x\" is not an interval",
        "--every   | 0s          | --every: \"0s\" is not above zero",
        "--at      | tomorrow    | --at: \"tomorrow\" is not an ISO-8601",
        "--batch   | /no/where   | There is no file /no/where",
      })
  void what_cannot_be_is_refused_in_one_sentence(String option, String value, String sentence) {
    CliRun run = next(option, value);
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines()).singleElement().asString().contains(sentence);
  }

  @Test
  void an_unknown_zone_is_refused_with_a_suggestion() {
    CliRun run = next("--every", "5m", "--zone", "Europe/Brelin");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("timezone: ", "Europe/Berlin");
  }

  @Test
  void contradicting_options_are_wrong_usage() {
    assertThat(next().exitCode()).isEqualTo(2);
    assertThat(next("--every", "5m", "--cron", "* * * * *").exitCode()).isEqualTo(2);
    assertThat(next("--cron", "* * * * *", "--anchor", "2026-01-01T00:00:00Z").exitCode())
        .isEqualTo(2);
    assertThat(next("--every", "5m", "--count", "0").exitCode()).isEqualTo(2);
  }

  private static CliRun next(String... options) {
    return CliRun.of(Stream.concat(Stream.of("next"), Stream.of(options)).toArray(String[]::new));
  }
}

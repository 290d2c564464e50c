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
  void a_cron_expression_may_name_its_zone() {
    assertThat(next("--cron", "CRON_TZ=Asia/Tokyo 0 9 * * *", "--count", "1").lines())
        .containsExactly("2026-11-22T00:00:00Z");
  }

  @Test
  void ten_occurrences_are_shown_by_default() {
    assertThat(next("--cron", "* * * * *").lines()).hasSize(10);
  }

  @Test
  void programs_get_json() {
    assertThat(next("--cron=0 9 * * *", "--zone=Europe/Berlin", "--count=1", "--json").lines())
        .containsExactly(
            "{\"occurrence\":\"2026-11-22T08:00:00Z\",\"local\":\"2026-11-22T09:00:00+01:00\","
                + "\"zone\":\"Europe/Berlin\"}");
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
  void the_effect_of_a_clock_change_on_a_given_time_is_noted() {
    CliRun gap = next("--at", "2027-03-28T02:30:00", "--zone", "Europe/Berlin");
    assertThat(gap.lines()).containsExactly("2027-03-28T01:00:00Z");
    assertThat(gap.err())
        .isEqualToIgnoringNewLines(
            "waterclock: --at: 2027-03-28T02:30:00 does not exist in Europe/Berlin, where the clock"
                + " goes from 02:00 to 03:00; Waterclock takes the end of this gap,"
                + " 2027-03-28T01:00:00Z.");
    CliRun overlap =
        next(
            "--every=1d",
            "--anchor=2027-10-31T02:30:00",
            "--from=2027-10-31T02:45:00",
            "--zone=Europe/Berlin",
            "--count=1");
    assertThat(overlap.lines()).containsExactly("2027-11-01T01:30:00Z");
    assertThat(overlap.err().lines())
        .containsExactly(
            "waterclock: --anchor: 2027-10-31T02:30:00 occurs twice in Europe/Berlin, where the clock"
                + " goes back from 03:00 to 02:00; Waterclock takes the first, 2027-10-31T00:30:00Z.",
            "waterclock: --from: 2027-10-31T02:45:00 occurs twice in Europe/Berlin, where the clock"
                + " goes back from 03:00 to 02:00; Waterclock takes the first, 2027-10-31T00:45:00Z.");
  }

  @Test
  void a_range_that_ends_before_it_begins_is_wrong_usage() {
    CliRun run = next("--every=1d", "--from=2027-01-02T00:00:00Z", "--to=2027-01-01T00:00:00Z");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--to must not be earlier than --from.");
  }

  @Test
  void no_further_occurrence_is_a_note_and_no_error() {
    CliRun run = next("--at", "2020-01-01T00:00:00Z");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines())
        .containsExactly("waterclock: there is no occurrence after 2026-11-21T10:00:00Z.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--cron    | 61 * * * *  | cron: minute: 61",
        "--cron    | 0 0 30 2 *  | cron: ",
        "--every   | 5x          | every: \"5x\" is not an interval",
        "--every   | 0s          | every: \"0s\" is not above zero",
        "--at      | tomorrow    | at: \"tomorrow\" is not an ISO-8601",
        "--rrule   | FREQ=DAYLY  | rrule: FREQ: \"DAYLY\" is not understood; did you mean DAILY?",
      })
  void an_invalid_trigger_is_rejected_in_one_sentence(
      String option, String value, String sentence) {
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
    assertThat(next("--every", "5m", "--count", "0").exitCode()).isEqualTo(2);
  }

  @Test
  void triggers_that_contradict_each_other_are_refused_by_the_names_of_their_flags() {
    CliRun two = next("--every", "5m", "--cron", "* * * * *");
    assertThat(two.exitCode()).isEqualTo(2);
    assertThat(two.err())
        .contains(
            "--cron and --every are given; exactly one of --cron, --every, --rrule, --at and --in"
                + " is right.");
  }

  @Test
  void an_anchor_of_a_cron_expression_is_refused_as_in_a_record() {
    CliRun anchored = next("--cron", "* * * * *", "--anchor", "2026-01-01T00:00:00Z");
    assertThat(anchored.exitCode()).isEqualTo(1);
    assertThat(anchored.err()).contains("anchor: goes with every and rrule only");
  }

  @Test
  void recurrence_rules_count_from_their_anchor() {
    CliRun run =
        next(
            "--rrule=FREQ=MONTHLY;BYDAY=-1FR;COUNT=12",
            "--anchor=2026-01-30T09:00:00",
            "--zone=Europe/Berlin");
    assertThat(run.lines()).containsExactly("2026-11-27T08:00:00Z", "2026-12-25T08:00:00Z");
    assertThat(next("--rrule=FREQ=DAILY;COUNT=2").lines())
        .containsExactly("2026-11-22T10:00:00Z", "2026-11-23T10:00:00Z");
  }

  @Test
  void a_range_is_shown_whole_unless_it_is_limited() {
    String[] hours = {
      "--cron=0 * * * *", "--from=2026-01-01T00:00:00Z", "--to=2026-01-01T20:00:00Z"
    };
    assertThat(next(hours).lines()).hasSize(20).last().isEqualTo("2026-01-01T20:00:00Z");
    assertThat(next(hours[0], hours[1], hours[2], "--count=3").lines()).hasSize(3);
    CliRun none = next("--cron=0 0 1 * *", "--from=noon", "--to=2026-01-03T00:00:00Z");
    assertThat(none.exitCode()).isEqualTo(2);
    assertThat(next("--cron=0 0 * * *", "--from=2026-01-02", "--to=2026-01-03").lines())
        .containsExactly("2026-01-03T00:00:00Z");
    CliRun empty =
        next("--cron=0 0 1 * *", "--from=2026-01-02T00:00:00Z", "--to=2026-01-03T00:00:00Z");
    assertThat(empty.err())
        .contains("there is no occurrence after 2026-01-02T00:00:00Z up to 2026-01-03T00:00:00Z");
  }

  @Test
  void a_terminal_shows_local_time_and_clock_changes() {
    CliRun moved =
        CliRun.onScreen(
            "next",
            "--cron=30 2 * * *",
            "--zone=Europe/Berlin",
            "--from=2026-03-28T00:00:00Z",
            "--count=3");
    assertThat(moved.lines())
        .containsExactly(
            "LOCAL                    ZONE         UTC                   FROM NOW       CLOCKS",
            "Sat 2026-03-28 02:30:00  +01:00 CET   2026-03-28T01:30:00Z  238 d 8 h ago",
            "Sun 2026-03-29 03:00:00  +02:00 CEST  2026-03-29T01:00:00Z  237 d 9 h ago  moved: 02:30"
                + " does not exist, so it occurs once at 03:00",
            "Mon 2026-03-30 02:30:00  +02:00 CEST  2026-03-30T00:30:00Z  236 d 9 h ago");
  }

  @Test
  void doubled_and_dropped_occurrences_are_marked() {
    CliRun doubled =
        CliRun.onScreen(
            "next",
            "--cron=*/30 * * * *",
            "--zone=Europe/Berlin",
            "--from=2026-10-24T23:59:00Z",
            "--to=2026-10-25T02:00:00Z");
    assertThat(doubled.lines().stream().map(NextCommandTest::lastCell))
        .containsExactly(
            "CLOCKS",
            "doubled: the first of two",
            "doubled: the first of two",
            "doubled: the second of two",
            "doubled: the second of two",
            "27 d 8 h ago");
    CliRun dropped =
        CliRun.onScreen(
            "next",
            "--cron=0 9 * * *",
            "--zone=Pacific/Apia",
            "--from=2011-12-29T00:00:00Z",
            "--count=2");
    assertThat(dropped.lines().get(2))
        .startsWith("Fri 2011-12-30")
        .endsWith("dropped: 09:00 does not exist, and nothing occurs instead");
    assertThat(dropped.lines()).hasSize(4);
  }

  @Test
  void a_long_range_is_cut_and_counted_on_a_screen() {
    CliRun run = CliRun.onScreen("next", "--every=1s", "--to=2026-11-21T11:00:00Z", "--count=2");
    assertThat(run.lines()).hasSize(4).last().isEqualTo("and 3598 more up to 2026-11-21T11:00:00Z");
  }

  private static String lastCell(String line) {
    return line.substring(line.lastIndexOf("  ") + 2);
  }

  private static CliRun next(String... options) {
    return CliRun.of(Stream.concat(Stream.of("next"), Stream.of(options)).toArray(String[]::new));
  }
}

package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronTest {

  @Test
  void a_nightly_job_in_the_gap_runs_once_at_its_end() {
    assertNext("30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z");
    assertNext(
        "0,15,30 2 * * *",
        "Europe/Berlin",
        "2026-03-28T12:00:00Z",
        "2026-03-29T01:00:00Z",
        "2026-03-30T00:00:00Z");
  }

  @Test
  void a_nightly_job_in_the_overlap_runs_at_the_first_pass_only() {
    assertNext(
        "30 2 * * *",
        "Europe/Berlin",
        "2026-10-24T12:00:00Z",
        "2026-10-25T00:30:00Z",
        "2026-10-26T01:30:00Z");
  }

  @Test
  void an_interval_keeps_its_cadence_through_gap_and_overlap() {
    assertNext(
        "*/30 * * * *",
        "Europe/Berlin",
        "2026-03-29T00:30:00Z",
        "2026-03-29T01:00:00Z",
        "2026-03-29T01:30:00Z");
    assertNext(
        "*/30 2 * * *",
        "Europe/Berlin",
        "2026-10-24T12:00:00Z",
        "2026-10-25T00:00:00Z",
        "2026-10-25T00:30:00Z",
        "2026-10-25T01:00:00Z",
        "2026-10-25T01:30:00Z",
        "2026-10-26T01:00:00Z");
    assertNext("*/30 2 * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-30T00:00:00Z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          30 2 * * *    | 2026-10-25T01:10:00Z | 2026-10-25T00:30:00Z
          30 2 * * *    | 2026-10-25T00:29:59Z | 2026-10-24T00:30:00Z
          */30 2 * * *  | 2026-10-25T01:10:00Z | 2026-10-25T01:00:00Z
          */30 2 * * *  | 2026-10-25T00:59:59Z | 2026-10-25T00:30:00Z
          30 2 * * *    | 2026-03-29T10:00:00Z | 2026-03-29T01:00:00Z
          */30 2 * * *  | 2026-03-29T10:00:00Z | 2026-03-28T01:30:00Z
          """)
  void back_through_an_overlap_and_a_gap(String expression, Instant from, Instant expected) {
    Cron cron = Cron.parse(expression, ZoneId.of("Europe/Berlin"));
    assertThat(cron.lastAtOrBefore(from)).contains(expected);
  }

  @Test
  void a_midnight_gap_does_not_lose_the_month() {
    assertNext(
        "0 0 1 * *",
        "Africa/Cairo",
        "2024-04-26T00:00:00Z",
        "2024-04-30T21:00:00Z",
        "2024-05-31T21:00:00Z");
    assertNext("0 0 26 * *", "Africa/Cairo", "2024-04-25T12:00:00Z", "2024-04-25T22:00:00Z");
  }

  @Test
  void the_answer_is_never_the_instant_asked_from() {
    Cron cron = Cron.parse("* */12 * * 0", ZoneId.of("America/St_Johns"));
    Instant t = Instant.parse("2009-11-01T02:30:00Z");
    assertThat(cron.nextAfter(t).orElseThrow()).isAfter(t);
  }

  @Test
  void a_day_that_the_calendar_left_out_is_skipped() {
    assertNext(
        "0 12 * * *",
        "Pacific/Apia",
        "2011-12-29T12:00:00Z",
        "2011-12-29T22:00:00Z",
        "2011-12-30T22:00:00Z");
    assertNext("0 12 30 * *", "Pacific/Apia", "2011-12-01T00:00:00Z", "2012-01-29T22:00:00Z");
  }

  @Test
  void a_gap_of_exactly_three_hours_is_still_one() {
    assertNext(
        "30 3 * * *",
        "Antarctica/Casey",
        "2009-10-17T00:00:00Z",
        "2009-10-17T18:00:00Z",
        "2009-10-18T16:30:00Z");
  }

  @Test
  void a_leap_day_on_a_weekday_is_found_across_2100() {
    assertNext("0 0 29 2 *", "UTC", "2096-03-01T00:00:00Z", "2104-02-29T00:00:00Z");
    assertNext("0 0 29 2 */7", "UTC", "2088-03-01T00:00:00Z", "2128-02-29T00:00:00Z");
  }

  @Test
  void occurrences_end_with_the_year_9999() {
    assertNext("@yearly", "UTC", "9998-06-01T00:00:00Z", "9999-01-01T00:00:00Z");
    assertThat(
            Cron.parse("@yearly", ZoneId.of("UTC"))
                .nextAfter(Instant.parse("9999-01-01T00:00:00Z")))
        .isEmpty();
    assertNext("59 59 23 31 12 *", "UTC", "9999-01-01T00:00:00Z", "9999-12-31T23:59:59Z");
  }

  @Test
  void a_time_in_a_gap_and_one_at_its_end_are_one_occurrence() {
    Cron cron = Cron.parse("0 2,3 * * *", ZoneId.of("Europe/Berlin"));
    Instant gap = Instant.parse("2026-03-29T01:00:00Z");
    assertThat(cron.count(gap.minusSeconds(1), gap, 10).value()).isEqualTo(1);
    assertThat(cron.nthAfter(gap.minusSeconds(1), 2))
        .contains(Instant.parse("2026-03-30T00:00:00Z"));
  }

  @Test
  void the_nth_one_back_may_lie_at_the_bound_itself() {
    Cron daily = Cron.parse("@daily", ZoneId.of("UTC"));
    Instant first = Instant.parse("2026-01-01T00:00:00Z");
    assertThat(daily.nthAtOrBefore(Instant.parse("2026-01-02T00:00:00Z"), 2, first))
        .contains(first);
  }

  @Test
  void occurrences_begin_with_the_year_0() {
    Instant first = Instant.parse("0000-01-01T00:00:00Z");
    Cron yearly = Cron.parse("@yearly", ZoneId.of("UTC"));
    assertThat(yearly.lastAtOrBefore(first)).contains(first);
    assertThat(yearly.lastAtOrBefore(first.minusNanos(1))).isEmpty();
  }

  @Test
  void an_interval_that_every_future_gap_swallows_ends_without_an_occurrence() {
    // the clocks change on the last Sunday of March, which since 1980 is when 02:00 is skipped
    Cron cron = Cron.parse("* 2 25-31 3 */7", ZoneId.of("Europe/Berlin"));
    assertThat(cron.nextAfter(Instant.parse("2026-01-01T00:00:00Z"))).isEmpty();
    assertThat(cron.nextAfter(Instant.parse("2900-01-01T00:00:00Z"))).isEmpty();
    assertThat(cron.lastAtOrBefore(Instant.parse("2900-01-01T00:00:00Z")))
        .contains(Instant.parse("1980-03-30T01:59:00Z"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 0 13 * 5       | 2026-02-13T00:00:00Z | 2026-02-20T00:00:00Z
          0 0 */13 * 5     | 2026-01-01T00:00:00Z | 2026-02-27T00:00:00Z
          0 0 15,L * *     | 2026-02-15T00:00:00Z | 2026-02-28T00:00:00Z
          0 0 L-30 * *     | 2026-01-15T00:00:00Z | 2026-03-01T00:00:00Z
          0 0 L-3 * *      | 2026-02-01T00:00:00Z | 2026-02-25T00:00:00Z
          0 0 LW * ?       | 2026-02-01T00:00:00Z | 2026-02-27T00:00:00Z
          0 0 31W * *      | 2026-01-01T00:00:00Z | 2026-01-30T00:00:00Z
          0 0 31W * *      | 2026-01-30T00:00:00Z | 2026-03-31T00:00:00Z
          0 0 1W * *       | 2026-07-31T00:00:00Z | 2026-08-03T00:00:00Z
          0 0 ? * 5#5      | 2026-01-30T00:00:00Z | 2026-05-29T00:00:00Z
          0 0 ? * MON#1    | 2026-01-05T00:00:00Z | 2026-02-02T00:00:00Z
          0 0 * * monl     | 2026-01-01T00:00:00Z | 2026-01-26T00:00:00Z
          0 0 * * 7L       | 2026-01-01T00:00:00Z | 2026-01-25T00:00:00Z
          0 0 */21 2 FRIL  | 2026-01-01T00:00:00Z | 2030-02-22T00:00:00Z
          0 0 */31 3 SAT   | 2026-01-01T00:00:00Z | 2031-03-01T00:00:00Z
          0 0 * * 7        | 2026-01-01T00:00:00Z | 2026-01-04T00:00:00Z
          0 0 * * 7/3      | 2026-01-04T00:00:00Z | 2026-01-07T00:00:00Z
          0 0 * * MON/2    | 2026-01-09T00:00:00Z | 2026-01-12T00:00:00Z
          0 0 * * SUN-SAT  | 2026-01-01T00:00:00Z | 2026-01-02T00:00:00Z
          0 0 * * FRI-MON  | 2026-01-05T00:00:00Z | 2026-01-09T00:00:00Z
          0 0 * NOV-FEB *  | 2026-02-28T00:00:00Z | 2026-11-01T00:00:00Z
          0 22-2/2 * * *   | 2026-01-01T00:00:00Z | 2026-01-01T02:00:00Z
          50-10/10 3 * * * | 2026-01-01T03:10:00Z | 2026-01-01T03:50:00Z
          15 0 0 * * *     | 2026-01-01T00:00:00Z | 2026-01-01T00:00:15Z
          @weekly          | 2026-01-01T00:00:00Z | 2026-01-04T00:00:00Z
          @hourly          | 2026-01-01T00:00:00.5Z | 2026-01-01T01:00:00Z
          """)
  void syntax_means_what_it_says(String expression, String after, String expected) {
    assertNext(expression, "UTC", after, expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          61 * * * *       | minute: 61 is out of range 0-59; e.g. "0 9 * * 1-5"
          61 0 0 * * *     | second: 61 is out of range 0-59; e.g. "0 9 * * 1-5"
          0 9 32W * *      | day of month: 32 is out of range 1-31; e.g. "0 9 * * 1-5"
          0 9 L-31 * *     | day of month: L-31 is out of range L-1 to L-30; e.g. "0 9 * * 1-5"
          0 9 * 0 *        | month: 0 is out of range 1-12; e.g. "0 9 * * 1-5"
          0 9 * * MOO      | day of week: "MOO" is not understood; e.g. "0 9 * * 1-5"
          0 9 * * 1#6      | day of week: #6 is out of range #1 to #5; e.g. "0 9 * * 1-5"
          0 9,,10 * * *    | hour: a value is missing in a list; e.g. "0 9 * * 1-5"
          0005 * * * *     | minute: "0005" is not understood; e.g. "0 9 * * 1-5"
          0 9 5X#2 * *     | day of month: "5X#2" is not understood; e.g. "0 9 * * 1-5"
          0 9 L-3X * *     | day of month: "L-3X" is not understood; e.g. "0 9 * * 1-5"
          0 9 * * 5#2X     | day of week: "5#2X" is not understood; e.g. "0 9 * * 1-5"
          0 9 * * 5X#2     | day of week: "5X#2" is not understood; e.g. "0 9 * * 1-5"
          0 9 * * 5XL      | day of week: "5XL" is not understood; e.g. "0 9 * * 1-5"
          0 9 5XW * *      | day of month: "5XW" is not understood; e.g. "0 9 * * 1-5"
          */60 * * * *     | minute: step 60 is out of range 1-59; for every 60 minutes use the field every; e.g. "0 9 * * 1-5"
          */0 * * * *      | minute: step 0 is out of range 1-59; e.g. "0 9 * * 1-5"
          1/2/3 * * * *    | minute: "1/2/3" is not understood; e.g. "0 9 * * 1-5"
          1-2-3 * * * *    | minute: "1-2-3" is not understood; e.g. "0 9 * * 1-5"
          *-5 * * * *      | minute: "*-5" is not understood; e.g. "0 9 * * 1-5"
          0 0 1 JAN0 *     | month: "JAN0" is not understood; e.g. "0 9 * * 1-5"
          0 0 1-5W * *     | day of month: "1-5W" is not understood; e.g. "0 9 * * 1-5"
          0 0 * * L        | day of week: "L" is not understood; the last Friday of a month is FRIL, the last day of a month L in the day of month; e.g. "0 9 * * 1-5"
          0 0 * * MON-FRIL | day of week: "MON-FRIL" is not understood; e.g. "0 9 * * 1-5"
          61,62 9 0 13 *   | minute: 61 is out of range 0-59; day of month: 0 is out of range 1-31; month: 13 is out of range 1-12; e.g. "0 9 * * 1-5"
          ? * * * *        | minute: "?" is not understood; Kubernetes reads it: add "dialect":"robfig"; e.g. "0 9 * * 1-5"
          ''               | expected five fields, or six with seconds first, not 0; for an interval use the field every; e.g. "0 9 * * 1-5"
          * * * *          | expected five fields, or six with seconds first, not 4; e.g. "0 9 * * 1-5"
          0 0 30 2 *       | "0 0 30 2 *" names no day of any year; e.g. "0 9 * * 1-5"
          0 0 31 4 */2     | "0 0 31 4 */2" names no day of any year; e.g. "0 9 * * 1-5"
          @fortnightly     | "@fortnightly" is none of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly; e.g. "0 9 * * 1-5"
          @reboot          | "@reboot" means nothing here, as nothing reboots; to fire once use the field at, with now; e.g. "0 9 * * 1-5"
          @every 5 fish    | "@every 5 fish" is no interval; use the field every, with 5m or PT5M; e.g. "0 9 * * 1-5"
          TZ=UTC 0 9 * * * | "TZ=UTC 0 9 * * *" names a time zone that the field timezone does not; use that field alone; e.g. "0 9 * * 1-5"
          PT5M             | "PT5M" is an interval; use the field every; e.g. "0 9 * * 1-5"
          30 minutes       | "30 minutes" is an interval; use the field every; e.g. "0 9 * * 1-5"
          every 2nd friday | "every 2nd friday" is no expression; for a weekday of each month use a day field such as FRI#2, for every second week use the field every, with 2 weeks; e.g. "0 9 * * 1-5"
          Every Monday     | "Every Monday" is no expression; for a weekday of each month use a day field such as FRI#2, for every second week use the field every, with 2 weeks; e.g. "0 9 * * 1-5"
          FREQ=DAILY       | "FREQ=DAILY" is a recurrence rule; use the field rrule; e.g. "0 9 * * 1-5"
          cron(0 9 ? * * *) | "cron(0 9 ? * * *)" is EventBridge's; add "dialect":"aws"; e.g. "0 9 * * 1-5"
          2026-12-24T18:00 | "2026-12-24T18:00" is a time; use the field at; e.g. "0 9 * * 1-5"
          0 0 9 * * ? 2026 | expected five fields, or six with seconds first, not 7; a field of years is Quartz: add "dialect":"quartz", or use the fields start_at and end_at; e.g. "0 9 * * 1-5"
          """)
  void a_message_points_at_the_field_and_shows_what_would_be_right(
      String expression, String message) {
    assertThatThrownBy(() -> Cron.parse(expression, ZoneId.of("UTC")))
        .isInstanceOfSatisfying(
            InvalidTriggerException.class,
            e -> {
              assertThat(e).hasMessage(message);
              assertThat(e.neverOccurs()).isEqualTo(message.contains("names no day"));
            });
  }

  private static void assertNext(String expression, String zone, String after, String... expected) {
    Cron cron = Cron.parse(expression, ZoneId.of(zone));
    List<String> found = new ArrayList<>();
    Instant t = Instant.parse(after);
    for (int i = 0; i < expected.length; i++) {
      t = cron.nextAfter(t).orElseThrow();
      found.add(t.toString());
    }
    assertThat(found).containsExactly(expected);
  }
}

package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.search.IntervalUnit;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EveryTest {

  @Test
  void the_anchor_is_the_first_occurrence_and_nothing_comes_before_it() {
    Every every = every("2026-01-01T00:00:00Z", 5, IntervalUnit.MINUTE, "UTC");
    assertThat(every.nextAfter(Instant.EPOCH)).contains(Instant.parse("2026-01-01T00:00:00Z"));
    assertThat(every.lastAtOrBefore(Instant.parse("2025-12-31T23:59:59.999999999Z"))).isEmpty();
    assertThat(every.lastAtOrBefore(Instant.parse("2026-01-01T00:04:59Z")))
        .contains(Instant.parse("2026-01-01T00:00:00Z"));
  }

  @Test
  void exact_units_are_durations_and_ignore_clock_changes() {
    assertOccurs(
        every("2026-03-28T23:30:00Z", 1, IntervalUnit.HOUR, "Europe/Berlin"),
        "2026-03-28T23:30:00Z",
        "2026-03-29T00:30:00Z",
        "2026-03-29T01:30:00Z");
  }

  @Test
  void a_local_anchor_in_a_gap_keeps_its_time_of_day() {
    assertOccurs(
        everyFromLocal("2026-03-29T02:30", 1, IntervalUnit.DAY, "Europe/Berlin"),
        "2026-03-29T01:00:00Z",
        "2026-03-30T00:30:00Z",
        "2026-03-31T00:30:00Z");
    assertOccurs(
        everyFromLocal("2024-04-26T00:00", 1, IntervalUnit.MONTH, "Africa/Cairo"),
        "2024-04-25T22:00:00Z",
        "2024-05-25T21:00:00Z",
        "2024-06-25T21:00:00Z");
  }

  @Test
  void a_grid_from_a_local_anchor_in_a_gap_is_the_grid_from_the_day_before_without_that_day() {
    Instant start = Instant.parse("2026-03-28T01:30:00Z");
    Every before = Every.of(start, 1, IntervalUnit.DAY, ZoneId.of("Europe/Berlin"));
    Every every = everyFromLocal("2026-03-29T02:30", 1, IntervalUnit.DAY, "Europe/Berlin");
    for (int n = 1; n <= 800; n++) {
      assertThat(every.nthAfter(start, n)).isEqualTo(before.nthAfter(start, n)).isPresent();
    }
  }

  @Test
  void a_local_anchor_in_a_jump_of_a_day_does_not_occur_itself() {
    Every every = everyFromLocal("2011-12-30T12:00", 1, IntervalUnit.DAY, "Pacific/Apia");
    Instant noonOfThe31st = Instant.parse("2011-12-30T22:00:00Z");
    assertThat(every.nextAfter(Instant.MIN)).contains(noonOfThe31st);
    assertThat(every.lastAtOrBefore(noonOfThe31st.minusMillis(1))).isEmpty();
    assertThat(every.nthAfter(Instant.MIN, 2)).contains(Instant.parse("2011-12-31T22:00:00Z"));
  }

  @Test
  void an_exact_unit_counts_from_the_instant_of_a_local_anchor() {
    Every every = everyFromLocal("2026-03-29T02:30", 1, IntervalUnit.HOUR, "Europe/Berlin");
    assertOccurs(every, "2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z");
    assertThat(every.localAnchor()).isEqualTo(LocalDateTime.parse("2026-03-29T03:00"));
  }

  @Test
  void a_local_anchor_in_an_overlap_is_its_first_pass() {
    assertOccurs(
        everyFromLocal("2026-10-25T02:30", 1, IntervalUnit.DAY, "Europe/Berlin"),
        "2026-10-25T00:30:00Z",
        "2026-10-26T01:30:00Z");
  }

  private static Every everyFromLocal(String anchor, long n, IntervalUnit unit, String zone) {
    return Every.of(LocalDateTime.parse(anchor), n, unit, ZoneId.of(zone));
  }

  @Test
  void finer_than_milliseconds_never_leaks_into_an_occurrence() {
    Every every = every("2026-01-01T00:00:00.123456789Z", 10, IntervalUnit.MILLISECOND, "UTC");
    assertOccurs(every, "2026-01-01T00:00:00.123Z", "2026-01-01T00:00:00.133Z");
    assertThat(every.nextAfter(Instant.parse("2026-01-01T00:00:00.133000001Z")))
        .contains(Instant.parse("2026-01-01T00:00:00.143Z"));
  }

  @Test
  void an_interval_longer_than_all_time_occurs_once() {
    for (IntervalUnit unit : IntervalUnit.values()) {
      Every every = every("2026-01-01T00:00:00Z", Long.MAX_VALUE, unit, "UTC");
      assertOccurs(every, "2026-01-01T00:00:00Z");
      assertThat(every.nextAfter(every.anchor())).isEmpty();
    }
  }

  @Test
  void the_last_millisecond_of_the_year_9999_may_be_a_point() {
    assertOccurs(
        every("9999-12-31T23:59:59.998Z", 1, IntervalUnit.MILLISECOND, "UTC"),
        "9999-12-31T23:59:59.998Z",
        "9999-12-31T23:59:59.999Z");
  }

  @Test
  void counting_seconds_over_a_year_is_a_division() {
    Every every = every("2020-01-01T00:00:00Z", 1, IntervalUnit.SECOND, "UTC");
    Instant from = Instant.parse("2025-01-01T00:00:00Z");
    assertThat(every.count(from, Instant.parse("2026-01-01T00:00:00Z"), 1))
        .isEqualTo(new Count(31_536_000, true));
  }

  @Test
  void a_daily_grid_keeps_its_wall_clock_time() {
    assertOccurs(
        every("2026-03-28T08:00:00Z", 1, IntervalUnit.DAY, "Europe/Berlin"),
        "2026-03-28T08:00:00Z",
        "2026-03-29T07:00:00Z",
        "2026-03-30T07:00:00Z");
  }

  @Test
  void month_grid_clamps_from_the_anchors_day() {
    assertOccurs(
        every("2026-01-31T09:00:00Z", 1, IntervalUnit.MONTH, "UTC"),
        "2026-01-31T09:00:00Z",
        "2026-02-28T09:00:00Z",
        "2026-03-31T09:00:00Z",
        "2026-04-30T09:00:00Z",
        "2026-05-31T09:00:00Z");
    assertOccurs(
        every("2023-12-30T09:00:00Z", 2, IntervalUnit.MONTH, "UTC"),
        "2023-12-30T09:00:00Z",
        "2024-02-29T09:00:00Z",
        "2024-04-30T09:00:00Z");
  }

  @Test
  void a_month_grid_asked_on_a_month_end_gives_that_months_point() {
    Every every = every("2026-01-31T09:00:00Z", 1, IntervalUnit.MONTH, "UTC");
    assertThat(every.nextAfter(Instant.parse("2026-02-27T23:00:00Z")))
        .contains(Instant.parse("2026-02-28T09:00:00Z"));
    assertThat(every.nextAfter(Instant.parse("2026-03-30T09:00:00Z")))
        .contains(Instant.parse("2026-03-31T09:00:00Z"));
  }

  @Test
  void year_grid_from_a_leap_day_returns_to_it_in_leap_years() {
    assertOccurs(
        every("2024-02-29T00:00:00Z", 1, IntervalUnit.YEAR, "UTC"),
        "2024-02-29T00:00:00Z",
        "2025-02-28T00:00:00Z",
        "2026-02-28T00:00:00Z",
        "2027-02-28T00:00:00Z",
        "2028-02-29T00:00:00Z");
    assertThat(
            every("1896-02-29T00:00:00Z", 4, IntervalUnit.YEAR, "UTC")
                .nextAfter(Instant.parse("1897-01-01T00:00:00Z")))
        .contains(Instant.parse("1900-02-28T00:00:00Z"));
  }

  @Test
  void a_point_in_a_gap_occurs_at_its_end() {
    assertOccurs(
        every("2026-03-28T01:30:00Z", 1, IntervalUnit.DAY, "Europe/Berlin"),
        "2026-03-28T01:30:00Z",
        "2026-03-29T01:00:00Z",
        "2026-03-30T00:30:00Z");
  }

  @Test
  void a_midnight_gap_moves_the_point_to_one_o_clock() {
    assertOccurs(
        every("2024-04-24T22:00:00Z", 1, IntervalUnit.DAY, "Africa/Cairo"),
        "2024-04-24T22:00:00Z",
        "2024-04-25T22:00:00Z",
        "2024-04-26T21:00:00Z");
  }

  @Test
  void a_gap_of_half_an_hour_moves_the_point_by_what_is_left_of_it() {
    assertOccurs(
        every("2022-09-30T15:45:00Z", 1, IntervalUnit.DAY, "Australia/Lord_Howe"),
        "2022-09-30T15:45:00Z",
        "2022-10-01T15:30:00Z",
        "2022-10-02T15:15:00Z");
  }

  @Test
  void a_point_in_an_overlap_occurs_at_the_first_pass_only() {
    assertOccurs(
        every("2026-10-24T00:30:00Z", 1, IntervalUnit.DAY, "Europe/Berlin"),
        "2026-10-24T00:30:00Z",
        "2026-10-25T00:30:00Z",
        "2026-10-26T01:30:00Z");
  }

  @Test
  void a_point_at_the_end_of_an_overlap_or_a_gap_keeps_its_time() {
    assertOccurs(
        every("2026-10-24T01:00:00.500Z", 1, IntervalUnit.DAY, "Europe/Berlin"),
        "2026-10-24T01:00:00.500Z",
        "2026-10-25T02:00:00.500Z",
        "2026-10-26T02:00:00.500Z");
    assertOccurs(
        every("2026-03-28T02:00:00.500Z", 1, IntervalUnit.DAY, "Europe/Berlin"),
        "2026-03-28T02:00:00.500Z",
        "2026-03-29T01:00:00.500Z",
        "2026-03-30T01:00:00.500Z");
  }

  @Test
  void an_anchor_in_the_second_pass_is_an_occurrence_itself() {
    assertOccurs(
        every("2026-10-25T01:30:00Z", 1, IntervalUnit.DAY, "Europe/Berlin"),
        "2026-10-25T01:30:00Z",
        "2026-10-26T01:30:00Z");
  }

  @Test
  void a_day_that_the_calendar_left_out_is_skipped_and_not_counted() {
    Every daily = every("2011-12-28T19:00:00Z", 1, IntervalUnit.DAY, "Pacific/Apia");
    assertOccurs(
        daily,
        "2011-12-28T19:00:00Z",
        "2011-12-29T19:00:00Z",
        "2011-12-30T19:00:00Z",
        "2011-12-31T19:00:00Z");
    Every noon = every("2011-12-28T22:00:00Z", 2, IntervalUnit.DAY, "Pacific/Apia");
    assertOccurs(noon, "2011-12-28T22:00:00Z", "2011-12-31T22:00:00Z", "2012-01-02T22:00:00Z");
    Instant rightAfter = Instant.parse("2011-12-30T10:00:00Z");
    assertThat(daily.lastAtOrBefore(rightAfter)).contains(Instant.parse("2011-12-29T19:00:00Z"));
    Every midnight = every("2011-12-29T10:00:00Z", 1, IntervalUnit.DAY, "Pacific/Apia");
    assertOccurs(midnight, "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z");
  }

  @Test
  void grids_are_equal_if_interval_anchor_and_zone_are() {
    Every same = every("2026-01-01T00:00:00Z", 5, IntervalUnit.MINUTE, "UTC");
    assertThat(every("2026-01-01T00:00:00Z", 5, IntervalUnit.MINUTE, "UTC"))
        .isEqualTo(same)
        .hasSameHashCodeAs(same)
        .isNotEqualTo(every("2026-01-01T00:00:01Z", 5, IntervalUnit.MINUTE, "UTC"))
        .isNotEqualTo(every("2026-01-01T00:00:00Z", 6, IntervalUnit.MINUTE, "UTC"))
        .isNotEqualTo(every("2026-01-01T00:00:00Z", 5, IntervalUnit.HOUR, "UTC"))
        .isNotEqualTo(every("2026-01-01T00:00:00Z", 5, IntervalUnit.MINUTE, "Europe/Berlin"))
        .hasToString("Every[5 MINUTE from 2026-01-01T00:00:00Z in UTC]");
  }

  private static Every every(String anchor, long n, IntervalUnit unit, String zone) {
    return Every.of(Instant.parse(anchor), n, unit, ZoneId.of(zone));
  }

  /** Forwards, backwards, by number and by count. */
  private static void assertOccurs(Every every, String... expected) {
    List<String> forwards = new ArrayList<>();
    Instant t = every.anchor().minusMillis(1);
    for (int i = 1; i <= expected.length; i++) {
      Instant next = every.nextAfter(t).orElseThrow();
      forwards.add(next.toString());
      assertThat(every.nthAfter(Instant.MIN, i)).contains(next);
      assertThat(every.lastAtOrBefore(next)).contains(next);
      assertThat(every.nthAtOrBefore(next, i)).contains(every.anchor());
      assertThat(every.count(Instant.MIN, next, 1)).isEqualTo(new Count(i, true));
      t = next;
    }
    assertThat(forwards).containsExactly(expected);
  }
}

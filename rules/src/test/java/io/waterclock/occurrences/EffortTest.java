package io.waterclock.occurrences;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a metered trigger spends, and when it stops. */
class EffortTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("2126-01-01T00:00:00Z");

  @Test
  void all_steps_may_be_spent_and_not_one_more() {
    Effort effort = Effort.of(3);
    effort.spend(3);
    assertThatThrownBy(() -> effort.spend(1))
        .isInstanceOf(EffortSpentException.class)
        .hasMessageContaining("more than 3 steps");
  }

  @Test
  void a_reserve_is_more_than_half() {
    Effort effort = Effort.of(4);
    effort.spend(1);
    assertThat(effort.hasReserve()).isTrue();
    effort.spend(1);
    assertThat(effort.hasReserve()).isFalse();
  }

  @Test
  void work_may_stop_earlier_but_not_later_than_at_half_until_the_meter_is_renewed() {
    Effort effort = Effort.of(10);
    effort.stopEarly(2);
    effort.spend(1);
    assertThat(effort.hasReserve()).isTrue();
    effort.spend(1);
    assertThat(effort.hasReserve()).isFalse();
    effort.stopEarly(8);
    assertThat(effort.hasReserve()).isFalse();
    effort.renew();
    effort.stopEarly(8);
    effort.spend(4);
    assertThat(effort.hasReserve()).isTrue();
    effort.spend(1);
    assertThat(effort.hasReserve()).isFalse();
  }

  @Test
  void a_meter_that_never_ends_does_not_stop_early() {
    Effort effort = Effort.unlimited();
    effort.stopEarly(0);
    assertThat(effort.hasReserve()).isTrue();
  }

  @Test
  void a_renewed_meter_has_all_steps_again_and_knows_what_was_ever_spent() {
    Effort effort = Effort.of(3);
    effort.spend(2);
    effort.renew();
    effort.spend(3);
    assertThat(effort.spent()).isEqualTo(3);
    assertThat(effort.total()).isEqualTo(5);
  }

  @Test
  void what_is_spent_beside_a_meter_is_in_its_total_and_takes_nothing_from_what_is_left() {
    Effort effort = Effort.of(3);
    Effort beside = effort.beside(5);
    beside.spend(5);
    effort.spend(3);
    assertThat(effort.total()).isEqualTo(8);
    assertThat(effort.spent()).isEqualTo(3);
    assertThatThrownBy(() -> beside.spend(1)).hasMessageContaining("more than 5 steps");
  }

  /** Until 1972 Monrovia was 44 minutes and 30 seconds behind: no minute of UTC began a minute. */
  @Test
  void a_meter_counts_the_steps_to_read_a_rule_with_a_first_occurrence_far_from_its_anchor() {
    Effort effort = Effort.of(1);
    RRule rule =
        RRule.parse(
            "FREQ=SECONDLY;INTERVAL=60;BYSECOND=0",
            Instant.parse("1971-06-01T00:00:00Z"),
            ZoneId.of("Africa/Monrovia"),
            effort);
    assertThat(effort.total()).isGreaterThan(300_000);
    assertThat(rule.nextAfter(START)).as("one step is left").isPresent();
  }

  @Test
  void a_meter_counts_the_steps_to_find_that_a_rule_cannot_be_read() {
    Effort effort = Effort.of(1);
    assertThatThrownBy(
            () ->
                RRule.parse(
                    "FREQ=SECONDLY;INTERVAL=60;BYSECOND=0",
                    Instant.parse("1970-06-01T00:00:00Z"),
                    ZoneId.of("Africa/Monrovia"),
                    effort))
        .isInstanceOf(InvalidTriggerException.class);
    assertThat(effort.total()).isGreaterThan(Effort.DECISION);
  }

  @Test
  void a_meter_counts_the_times_of_day_at_which_periods_were_tried() {
    Effort effort = Effort.of(1);
    String hours = IntStream.range(0, 23).mapToObj(String::valueOf).collect(joining(","));
    RRule never =
        RRule.parse(
            "FREQ=SECONDLY;INTERVAL=86400;BYHOUR=" + hours,
            Instant.parse("2026-01-01T23:00:00Z"),
            ZoneOffset.UTC,
            effort);
    assertThat(never.nextAfter(START)).isEmpty();
    assertThat(effort.total()).isGreaterThan(10_000);
  }

  @Test
  void a_neighbour_costs_a_step() {
    Effort effort = Effort.of(Effort.SEARCH);
    Cron daily = Cron.parse("0 9 * * *", BERLIN).metered(effort);
    daily.nextAfter(START);
    daily.lastAtOrBefore(START);
    assertThat(effort.spent()).isEqualTo(2);
  }

  @Test
  void a_count_and_an_nth_occurrence_cost_the_days_that_they_pass() {
    Effort effort = Effort.of(Effort.SEARCH);
    Cron daily = Cron.parse("0 9 * * *", BERLIN).metered(effort);
    daily.nthAfter(START, 97_000);
    assertThat(effort.spent()).isBetween(1_000L, 3_000L);
    effort.renew();
    daily.nthAtOrBefore(START, 97_000);
    assertThat(effort.spent()).isBetween(1_000L, 3_000L);
    effort.renew();
    assertThat(daily.count(START, END, 1)).isEqualTo(Count.exactly(36_524));
    assertThat(effort.spent()).isBetween(376L, 380L);
  }

  @Test
  void nothing_is_spent_outside_of_bounds() {
    Effort effort = Effort.of(Effort.SEARCH);
    Trigger bounded =
        Cron.parse("0 9 * * *", BERLIN)
            .within(Optional.of(START), Optional.of(END))
            .metered(effort);
    assertThat(bounded.nextAfter(END)).isEmpty();
    assertThat(bounded.lastAtOrBefore(START.minusNanos(1))).isEmpty();
    RRule rule =
        RRule.parse("FREQ=DAILY;INTERVAL=2;UNTIL=20260201", START, BERLIN)
            .requireOccurrence()
            .metered(effort);
    assertThat(rule.nextAfter(END)).isEmpty();
    assertThat(rule.lastAtOrBefore(START.minusSeconds(1))).isEmpty();
    assertThat(rule.count(END, Instant.MAX, 9)).isEqualTo(Count.exactly(0));
    assertThat(effort.spent()).isZero();
  }

  @Test
  void a_position_costs_the_count_of_its_period() {
    Effort effort = Effort.of(Effort.SEARCH);
    RRule mondays =
        RRule.parse("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1", START, BERLIN)
            .requireOccurrence()
            .metered(effort);
    mondays.nextAfter(START);
    assertThat(effort.spent()).isBetween(20L, 30L);
    effort.renew();
    mondays.lastAtOrBefore(END);
    assertThat(effort.spent()).isBetween(20L, 30L);
  }

  @Test
  void a_count_that_steps_stops_at_its_limit() {
    RRule secondDays = RRule.parse("FREQ=DAILY;INTERVAL=2", START, BERLIN).requireOccurrence();
    Instant tenth = secondDays.nthAfter(START, 10).orElseThrow();
    Instant eleventh = secondDays.nthAfter(START, 11).orElseThrow();
    assertThat(secondDays.count(START, tenth, 10)).isEqualTo(new Count(10, true));
    assertThat(secondDays.count(START, eleventh, 10)).isEqualTo(new Count(10, false));
  }

  @Test
  void a_count_that_steps_stops_with_a_lower_bound_and_leaves_half_of_the_effort() {
    Effort effort = Effort.of(1000);
    RRule secondDays =
        RRule.parse("FREQ=DAILY;INTERVAL=2", START, BERLIN).requireOccurrence().metered(effort);
    Count count = secondDays.count(START, END, Long.MAX_VALUE);
    assertThat(count.exact()).isFalse();
    assertThat(count.value()).isBetween(200L, 500L);
    assertThat(effort.spent()).isBetween(500L, 510L);
  }

  @Test
  void a_look_back_stops_at_a_later_occurrence_and_leaves_half_of_the_effort() {
    Effort effort = Effort.of(1000);
    RRule secondDays =
        RRule.parse("FREQ=DAILY;INTERVAL=2", START, BERLIN).requireOccurrence().metered(effort);
    assertThat(secondDays.nthAtOrBefore(END, 10_000, START).orElseThrow()).isAfter(START);
    assertThat(effort.spent()).isBetween(500L, 510L);
  }

  @Test
  void a_search_through_all_time_costs_no_more_than_one_through_800_years() {
    // every future change of the clocks skips the hour, see CronTest
    Effort effort = Effort.of(Effort.SEARCH);
    Cron swallowed = Cron.parse("* 2 25-31 3 */7", BERLIN).metered(effort);
    assertThat(swallowed.nextAfter(START)).isEmpty();
    assertThat(swallowed.lastAtOrBefore(Instant.MAX))
        .contains(Instant.parse("1980-03-30T01:59:00Z"));
    assertThat(effort.spent()).isBetween(6_000L, 6_100L);
  }
}

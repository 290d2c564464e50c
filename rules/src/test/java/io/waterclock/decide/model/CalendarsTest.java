package io.waterclock.decide.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.Decider;
import io.waterclock.decide.Decision;
import io.waterclock.definition.CalendarRules;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Timetable;
import io.waterclock.definition.Validation;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.schemas.avro.Weekday;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What calendars leave out and move. Days are wall-clock times of the schedule's zone. */
class CalendarsTest {
  private static final ScheduleId ID = ScheduleId.parse("a");
  private static final Calendar WEEKENDS =
      Calendar.newBuilder().setWeekdays(List.of(Weekday.SAT, Weekday.SUN)).build();

  private final Timetables tables = new Timetables();
  private final Decider decider = new Decider(tables, Duration.ofHours(1));
  private final Map<String, List<CalendarVersion>> versions = new HashMap<>();
  private final List<String> outcomes = new ArrayList<>();
  private ZoneId zone = ZoneId.of("Europe/Berlin");
  private Optional<ScheduleState> state = Optional.empty();
  private int offset;

  private static Calendar dates(String... ranges) {
    return Calendar.newBuilder()
        .setDates(Stream.of(ranges).map(io.waterclock.schemas.text.Dates::parse).toList())
        .build();
  }

  /** The first version of a calendar, which counts for everything. */
  private void calendar(String name, Calendar calendar) {
    version(name, Optional.empty(), Optional.of(calendar));
  }

  private void change(String name, String after, Calendar calendar) {
    version(name, Optional.of(at(after)), Optional.of(calendar));
  }

  private void version(String name, Optional<Instant> after, Optional<Calendar> calendar) {
    versions
        .computeIfAbsent(name, n -> new ArrayList<>())
        .add(new CalendarVersion(offset++, Instant.EPOCH, after, calendar));
    tables.follow(Calendars.NONE.with(versions));
  }

  private Instant at(String local) {
    return LocalDateTime.parse(local).atZone(zone).toInstant();
  }

  private static Schedule.Builder cron(String expression) {
    return Schedule.newBuilder()
        .setTrigger(CronTrigger.newBuilder().setExpression(expression).build());
  }

  private void put(String when, Schedule.Builder schedule, OnExcluded policy, String... names) {
    Schedule definition =
        schedule.setTimezone(zone.getId()).setExcept(List.of(names)).setOnExcluded(policy).build();
    apply(new Event.Defined(definition, "r" + offset++, at(when)), at(when));
  }

  /** A scheduler that is up: decides everything at the instant at which it is due. */
  private void live(String until) {
    Optional<Pending> pending = state.flatMap(decider::pending);
    while (pending.filter(it -> !it.due().isAfter(at(until))).isPresent()) {
      apply(new Event.Due(), pending.orElseThrow().due());
      pending = state.flatMap(decider::pending);
    }
  }

  /** A scheduler that was down until now. */
  private void late(String now) {
    while (state.flatMap(decider::pending).filter(n -> !n.due().isAfter(at(now))).isPresent()) {
      apply(new Event.Due(), at(now));
    }
  }

  private void apply(Event event, Instant now) {
    Decision decision = decider.decide(ID, state, event, now);
    state = decision.state();
    for (FirePlan fire : decision.fires()) {
      Occurrence occurrence = fire.occurrence();
      boolean moved = !occurrence.due().equals(occurrence.at());
      outcomes.add(
          time(occurrence.at())
              + (moved ? " moved to " + time(occurrence.due()) : "")
              + (fire.collapsed().isPresent() ? " {" + fire.collapsed().get().count() + "}" : ""));
    }
    for (MissedRange range : decision.missed()) {
      outcomes.add(
          time(range.first())
              + (range.first().equals(range.last()) ? "" : ".." + time(range.last()))
              + " "
              + range.reason()
              + (range.count() == 1 ? "" : " (" + range.count() + (range.exact() ? ")" : "+)")));
    }
  }

  private String time(Instant instant) {
    return instant.atZone(zone).toLocalDateTime().toString();
  }

  @Test
  void an_occurrence_on_an_excluded_date_is_skipped() {
    calendar("holidays", dates("2026-12-25/2026-12-26", "2027-01-01"));
    put("2026-12-24T12:00", cron("0 9 * * *"), OnExcluded.SKIP, "holidays");
    live("2026-12-27T12:00");
    assertThat(outcomes)
        .containsExactly(
            "2026-12-25T09:00 SKIPPED", "2026-12-26T09:00 SKIPPED", "2026-12-27T09:00");
  }

  @Test
  void several_calendars_exclude_what_any_of_them_does() {
    calendar("holidays", dates("2026-12-24/2026-12-25"));
    calendar("weekends", WEEKENDS);
    put("2026-12-23T12:00", cron("0 9 * * *"), OnExcluded.SKIP, "holidays", "weekends");
    late("2026-12-28T09:00");
    assertThat(outcomes)
        .containsExactly("2026-12-24T09:00..2026-12-27T09:00 SKIPPED (4)", "2026-12-28T09:00");
  }

  @Test
  void a_daily_job_over_a_weekend_runs_once_on_monday() {
    calendar("weekends", WEEKENDS);
    put("2026-12-04T12:00", cron("0 9 * * *"), OnExcluded.NEXT_WORKING_DAY, "weekends");
    live("2026-12-07T12:00");
    assertThat(outcomes)
        .containsExactly(
            "2026-12-05T09:00 SKIPPED", "2026-12-06T09:00 SKIPPED", "2026-12-07T09:00");
  }

  @Test
  void a_monthly_job_moves_to_the_next_working_day_and_keeps_its_identity() {
    calendar("weekends", WEEKENDS);
    calendar("holidays", dates("2027-05-03"));
    put(
        "2027-04-02T00:00",
        cron("30 8 1 * *"),
        OnExcluded.NEXT_WORKING_DAY,
        "holidays",
        "weekends");
    live("2027-06-02T00:00");
    assertThat(outcomes)
        .containsExactly("2027-05-01T08:30 moved to 2027-05-04T08:30", "2027-06-01T08:30");
  }

  @Test
  void of_several_times_a_day_only_the_last_moves_and_only_if_nothing_comes_before() {
    calendar("weekends", WEEKENDS);
    put("2026-12-04T18:00", cron("0 9,17 * * *"), OnExcluded.NEXT_WORKING_DAY, "weekends");
    live("2026-12-07T20:00");
    assertThat(outcomes)
        .containsExactly(
            "2026-12-05T09:00 SKIPPED",
            "2026-12-05T17:00 SKIPPED",
            "2026-12-06T09:00 SKIPPED",
            "2026-12-06T17:00 SKIPPED",
            "2026-12-07T09:00",
            "2026-12-07T17:00");
  }

  @Test
  void a_job_that_runs_on_weekends_only_moves_once() {
    calendar("weekends", WEEKENDS);
    put("2026-12-04T18:00", cron("0 9,17 * * 6,0"), OnExcluded.NEXT_WORKING_DAY, "weekends");
    live("2026-12-08T00:00");
    assertThat(outcomes)
        .containsExactly(
            "2026-12-05T09:00 SKIPPED",
            "2026-12-05T17:00 SKIPPED",
            "2026-12-06T09:00 SKIPPED",
            "2026-12-06T17:00 moved to 2026-12-07T17:00");
  }

  @Test
  void a_once_moves_too() {
    calendar("weekends", WEEKENDS);
    Schedule.Builder once =
        Schedule.newBuilder()
            .setTrigger(OnceTrigger.newBuilder().setAt(at("2026-12-05T10:00")).build());
    put("2026-12-01T00:00", once, OnExcluded.NEXT_WORKING_DAY, "weekends");
    live("2026-12-08T00:00");
    assertThat(outcomes).containsExactly("2026-12-05T10:00 moved to 2026-12-07T10:00");
  }

  @Test
  void where_the_clocks_leave_the_time_out_an_occurrence_moves_to_the_end_of_the_gap() {
    calendar("closed", dates("2026-03-28"));
    put("2026-03-20T00:00", cron("30 2 28 * *"), OnExcluded.NEXT_WORKING_DAY, "closed");
    live("2026-03-30T00:00");
    assertThat(outcomes).containsExactly("2026-03-28T02:30 moved to 2026-03-29T03:00");
  }

  @Test
  void where_the_clocks_show_the_time_twice_it_moves_to_the_first_pass() {
    calendar("closed", dates("2026-10-24"));
    put("2026-10-20T00:00", cron("30 2 24 * *"), OnExcluded.NEXT_WORKING_DAY, "closed");
    assertThat(decider.pending(state.orElseThrow()).orElseThrow().due())
        .isEqualTo(Instant.parse("2026-10-25T00:30:00Z"));
  }

  @Test
  void a_date_that_a_zone_left_out_is_nowhere_to_move_to() {
    zone = ZoneId.of("Pacific/Apia");
    calendar("closed", dates("2011-12-29"));
    put("2011-12-20T00:00", cron("0 9 29 * *"), OnExcluded.NEXT_WORKING_DAY, "closed");
    live("2012-01-05T00:00");
    assertThat(outcomes).containsExactly("2011-12-29T09:00 moved to 2011-12-31T09:00");
  }

  @Test
  void a_date_is_the_one_of_the_schedules_zone() {
    zone = ZoneId.of("Asia/Tokyo");
    calendar("closed", dates("2026-12-25"));
    put("2026-12-24T12:00", cron("30 0 * * *"), OnExcluded.SKIP, "closed");
    live("2026-12-26T12:00");
    assertThat(outcomes).containsExactly("2026-12-25T00:30 SKIPPED", "2026-12-26T00:30");
  }

  @Test
  void an_occurrence_that_finds_no_day_within_a_year_is_skipped() {
    calendar("closed", dates("2026-01-01/2027-02-01"));
    put("2026-01-01T00:00", cron("0 9 1 2 *"), OnExcluded.NEXT_WORKING_DAY, "closed");
    late("2027-02-02T09:00");
    assertThat(outcomes).contains("2026-02-01T09:00 SKIPPED");
  }

  @Test
  void a_long_excluded_stretch_costs_one_range_whatever_lies_in_it() {
    calendar("closed", dates("2026-12-07/2026-12-13"));
    Schedule.Builder everySecond =
        Schedule.newBuilder()
            .setCatchUp(CatchUp.REPLAY)
            .setTrigger(EveryTrigger.newBuilder().setN(1).setUnit(Unit.SECOND).build());
    put("2026-12-06T23:59:57", everySecond, OnExcluded.NEXT_WORKING_DAY, "closed");
    late("2026-12-14T00:00:02");
    assertThat(outcomes)
        .containsExactly(
            "2026-12-06T23:59:58",
            "2026-12-06T23:59:59",
            "2026-12-07T00:00..2026-12-13T23:59:59 SKIPPED (604800)",
            "2026-12-14T00:00",
            "2026-12-14T00:00:01",
            "2026-12-14T00:00:02");
  }

  @Test
  void a_collapse_counts_what_the_calendars_leave() {
    calendar("weekends", WEEKENDS);
    put("2026-12-03T12:00", cron("0 9 * * *"), OnExcluded.SKIP, "weekends");
    late("2026-12-15T12:00");
    assertThat(outcomes)
        .containsExactlyInAnyOrder(
            "2026-12-15T09:00 {7}",
            "2026-12-04T09:00 COLLAPSED_INTO",
            "2026-12-05T09:00..2026-12-06T09:00 SKIPPED (2)",
            "2026-12-07T09:00..2026-12-11T09:00 COLLAPSED_INTO (5)",
            "2026-12-12T09:00..2026-12-13T09:00 SKIPPED (2)",
            "2026-12-14T09:00 COLLAPSED_INTO");
  }

  @Test
  void each_occurrence_is_judged_by_the_version_of_its_own_instant() {
    calendar("closed", dates("2026-12-08/2026-12-09"));
    change("closed", "2026-12-08T12:00", dates("2026-12-10"));
    put(
        "2026-12-07T12:00",
        cron("0 9 * * *").setCatchUp(CatchUp.REPLAY),
        OnExcluded.SKIP,
        "closed");
    late("2026-12-11T12:00");
    assertThat(outcomes)
        .containsExactly(
            "2026-12-08T09:00 SKIPPED",
            "2026-12-09T09:00",
            "2026-12-10T09:00 SKIPPED",
            "2026-12-11T09:00");
  }

  @Test
  void an_occurrence_at_the_instant_of_a_change_is_judged_by_the_old_version() {
    calendar("closed", dates("2026-12-08"));
    change("closed", "2026-12-08T09:00", dates("2026-12-20"));
    put("2026-12-07T12:00", cron("0 9 * * *"), OnExcluded.SKIP, "closed");
    live("2026-12-08T09:00");
    assertThat(outcomes).containsExactly("2026-12-08T09:00 SKIPPED");
  }

  @Test
  void what_has_moved_stays_where_it_went_when_the_calendar_changes() {
    calendar("weekends", WEEKENDS);
    put("2026-11-02T00:00", cron("0 9 5 * *"), OnExcluded.NEXT_WORKING_DAY, "weekends");
    live("2026-12-05T12:00");
    change("weekends", "2026-12-06T00:00", dates("2026-12-07"));
    live("2027-01-06T00:00");
    assertThat(outcomes)
        .containsExactly(
            "2026-11-05T09:00", "2026-12-05T09:00 moved to 2026-12-07T09:00", "2027-01-05T09:00");
  }

  @Test
  void a_deleted_calendar_excludes_nothing_from_then_on() {
    calendar("closed", dates("2026-12-08/2026-12-10"));
    version("closed", Optional.of(at("2026-12-08T12:00")), Optional.empty());
    put("2026-12-07T12:00", cron("0 9 * * *"), OnExcluded.SKIP, "closed");
    live("2026-12-10T12:00");
    assertThat(outcomes)
        .containsExactly("2026-12-08T09:00 SKIPPED", "2026-12-09T09:00", "2026-12-10T09:00");
    assertThat(tables.calendars().names(Instant.MAX, Instant.MAX)).isEmpty();
  }

  @Test
  void an_edit_before_a_moved_occurrence_is_due_leaves_it_with_the_old_revision() {
    calendar("weekends", WEEKENDS);
    put("2026-12-01T00:00", cron("0 9 5 * *"), OnExcluded.NEXT_WORKING_DAY, "weekends");
    put("2026-12-06T00:00", cron("0 9 8 * *"), OnExcluded.SKIP);
    live("2026-12-09T00:00");
    assertThat(outcomes)
        .containsExactly("2026-12-05T09:00 moved to 2026-12-07T09:00", "2026-12-08T09:00");
  }

  @Test
  void an_edit_whose_first_occurrence_comes_before_stands_for_a_moved_one() {
    calendar("weekends", WEEKENDS);
    put("2026-12-01T00:00", cron("0 9 5 * *"), OnExcluded.NEXT_WORKING_DAY, "weekends");
    put("2026-12-06T00:00", cron("0 10 6 * *"), OnExcluded.SKIP);
    live("2026-12-09T00:00");
    assertThat(outcomes).containsExactly("2026-12-05T09:00 SKIPPED", "2026-12-06T10:00");
  }

  @Test
  void a_pause_before_a_moved_occurrence_is_due_misses_it() {
    calendar("weekends", WEEKENDS);
    put("2026-12-01T00:00", cron("0 9 5 * *"), OnExcluded.NEXT_WORKING_DAY, "weekends");
    put(
        "2026-12-06T00:00",
        cron("0 9 5 * *").setEnabled(false),
        OnExcluded.NEXT_WORKING_DAY,
        "weekends");
    assertThat(outcomes).containsExactly("2026-12-05T09:00 PAUSED");
  }

  @Test
  void spans_are_what_looking_at_each_occurrence_tells() {
    calendar("a", dates("2026-10-24/2026-10-25", "2026-11-02"));
    calendar("b", WEEKENDS);
    change("a", "2026-10-27T05:00", dates("2026-10-27/2026-10-29"));
    change("b", "2026-11-01T13:00", dates("2026-10-27"));
    for (String expression : List.of("0 */7 * * *", "30 1-3 * * *", "0 9 * * 6", "15 22 */3 * *")) {
      for (OnExcluded policy : OnExcluded.values()) {
        state = Optional.empty();
        put("2026-10-20T00:00", cron(expression), policy, "a", "b");
        Timetable table = tables.ofHead(state.orElseThrow());
        List<Instant> all = new ArrayList<>();
        Optional<Instant> next = table.next(at("2026-10-20T00:00"));
        while (next.filter(n -> n.isBefore(at("2026-11-12T00:00"))).isPresent()) {
          all.add(next.orElseThrow());
          next = table.next(next.orElseThrow());
        }
        List<Instant> leftOut = new ArrayList<>();
        for (Timetable.Span span : table.spans(all.get(0), all.get(all.size() - 1), 1_000)) {
          all.stream()
              .filter(o -> span.leftOut() && !o.isBefore(span.first()) && !o.isAfter(span.last()))
              .forEach(leftOut::add);
        }
        assertThat(leftOut)
            .as(expression + " " + policy)
            .isEqualTo(all.stream().filter(table::isLeftOut).toList());
      }
    }
  }

  @Test
  void the_last_business_day_of_a_month_fires_and_none_before_it() {
    zone = ZoneId.of("America/New_York");
    calendar("nyse", dates("2027-05-31"));
    calendar("weekends", WEEKENDS);
    put(
        "2027-05-26T12:00",
        cron("0 16 * * *").setBusinessDay(-1),
        OnExcluded.SKIP,
        "nyse",
        "weekends");
    live("2027-07-01T12:00");
    assertThat(outcomes)
        .filteredOn(text -> !text.contains("SKIPPED"))
        .containsExactly("2027-05-28T16:00", "2027-06-30T16:00");
    // 26 and 27 May, 29 May to 29 June
    assertThat(outcomes).hasSize(2 + 2 + 32);
  }

  @Test
  void after_an_outage_the_last_business_day_fires_late_once() {
    zone = ZoneId.of("America/New_York");
    calendar("weekends", WEEKENDS);
    put("2026-10-28T12:00", cron("0 16 * * *").setBusinessDay(-1), OnExcluded.SKIP, "weekends");
    late("2026-11-02T12:00");
    assertThat(outcomes)
        .containsExactly(
            "2026-10-28T16:00..2026-10-29T16:00 SKIPPED (2)",
            "2026-10-30T16:00",
            "2026-10-31T16:00..2026-11-01T16:00 SKIPPED (2)");
  }

  @Test
  void a_calendar_that_includes_leaves_out_all_other_dates() {
    calendar("fairs", dates("2026-11-24/2026-11-25", "2026-11-27"));
    put("2026-11-23T12:00", cron("0 9 * * *").setOnly(List.of("fairs")), OnExcluded.SKIP);
    live("2026-11-28T12:00");
    assertThat(outcomes)
        .containsExactly(
            "2026-11-24T09:00",
            "2026-11-25T09:00",
            "2026-11-26T09:00 SKIPPED",
            "2026-11-27T09:00",
            "2026-11-28T09:00 SKIPPED");
  }

  @Test
  void a_weekly_occurrence_moves_to_the_next_date_of_a_calendar_that_includes() {
    calendar("fairs", dates("2026-11-25", "2026-12-01"));
    put(
        "2026-11-22T12:00",
        cron("0 9 * * 1").setOnly(List.of("fairs")),
        OnExcluded.NEXT_WORKING_DAY);
    live("2026-12-06T12:00");
    assertThat(outcomes)
        .containsExactly(
            "2026-11-23T09:00 moved to 2026-11-25T09:00",
            "2026-11-30T09:00 moved to 2026-12-01T09:00");
  }

  @Test
  void what_is_wrong_with_a_business_day_says_what_would_be_right() {
    assertThat(problems(cron("0 16 * * *").setBusinessDay(0).setOnly(List.of("nyse"))))
        .containsExactly(
            "business_day: is 0; it must be from 1, the first of the month, to 23, or from -1, the"
                + " last, to -23; for example -1");
    assertThat(problems(cron("0 16 * * *").setBusinessDay(24).setOnly(List.of("nyse")))).hasSize(1);
    assertThat(problems(cron("0 16 * * *").setBusinessDay(-23).setOnly(List.of("nyse")))).isEmpty();
    assertThat(problems(cron("0 16 * * *").setBusinessDay(1)))
        .singleElement()
        .asString()
        .startsWith("business_day: needs a calendar in except or only");
    assertThat(
            problems(
                cron("0 16 * * *")
                    .setBusinessDay(1)
                    .setExcept(List.of("nyse"))
                    .setOnExcluded(OnExcluded.NEXT_WORKING_DAY)))
        .singleElement()
        .asString()
        .startsWith("on_excluded: is NEXT_WORKING_DAY");
    assertThat(
            problems(
                Schedule.newBuilder()
                    .setTrigger(new OnceTrigger(at("2026-11-24T09:00"), null))
                    .setBusinessDay(1)
                    .setExcept(List.of("nyse"))))
        .singleElement()
        .asString()
        .startsWith("business_day: goes with cron, every and rrule");
    assertThat(problems(cron("0 9 * * *").setOnly(List.of("nyze"))))
        .containsExactly(
            "only: there is no calendar \"nyze\": did you mean \"nyse\"?; for example [\"nyse\"]");
  }

  private List<String> problems(Schedule.Builder schedule) {
    return new Validation(Duration.ofSeconds(1), zone)
            .problems(
                "a", schedule.setTimezone("UTC").build(), List.of(), Instant.EPOCH, Set.of("nyse"))
            .stream()
            .map(io.waterclock.schemas.text.Problems::text)
            .toList();
  }

  @Test
  void a_calendar_that_does_not_exist_is_named_with_the_nearest_that_does() {
    Validation validation = new Validation(Duration.ofSeconds(1), zone);
    Schedule schedule =
        cron("0 9 * * *").setTimezone("UTC").setExcept(List.of("holiday-de")).build();
    Set<String> names = Set.of("holidays-de", "holidays-fr", "weekends");
    Problem problem = validation.problems("a", schedule, List.of(), Instant.EPOCH, names).get(0);
    assertThat(problem.getField()).isEqualTo("except");
    assertThat(problem.getMessage())
        .isEqualTo("there is no calendar \"holiday-de\": did you mean \"holidays-de\"?");
    assertThat(problem.getExample()).isEqualTo("[\"holidays-de\"]");
    assertThat(
            validation
                .problems("a", schedule, List.of(), Instant.EPOCH, Set.of())
                .get(0)
                .getMessage())
        .contains("there are none");
    schedule.setExcept(java.util.Collections.nCopies(17, "weekends"));
    assertThat(
            validation.problems("a", schedule, List.of(), Instant.EPOCH, names).get(0).getMessage())
        .isEqualTo("names 17 calendars; at most 16");
  }

  @Test
  void what_is_wrong_with_a_calendar_names_the_entry() {
    DateRange backwards = new DateRange(LocalDate.of(2027, 1, 1), LocalDate.of(2026, 12, 24));
    Calendar calendar = new Calendar(List.of(backwards), List.of(Weekday.values()), null);
    assertThat(CalendarRules.problems(calendar))
        .extracting(io.waterclock.schemas.text.Problems::text)
        .containsExactly(
            "dates[0]: 2027-01-01/2026-12-24 ends before it begins; for example"
                + " \"2026-12-24/2027-01-01\"",
            "weekdays: excludes all seven, so nothing would ever occur; for example"
                + " [\"SAT\",\"SUN\"]");
    assertThat(CalendarRules.problems(WEEKENDS)).isEmpty();
  }
}

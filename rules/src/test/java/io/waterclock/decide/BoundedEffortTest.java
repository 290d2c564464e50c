package io.waterclock.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ExportedStates;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.MissedRange;
import io.waterclock.decide.model.Past;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ReplacedRevision;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Validation;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.BackfillCommand;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.NextCommand;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.schemas.avro.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What would take long ends early, goes on at the next decision, or is refused. */
class BoundedEffortTest {
  private static final ScheduleId ID = ScheduleId.parse("a");
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Instant YEAR_1 = Instant.parse("0001-01-01T00:00:00Z");

  private static final Instant NINE = Instant.parse("2026-03-01T09:00:00Z");
  private static final Instant LONG_AGO = Instant.parse("1800-01-05T18:06:32Z");

  private final Timetables tables = new Timetables();
  private final Decider decider = new Decider(tables, Duration.ofHours(1));
  private final List<FirePlan> fires = new ArrayList<>();
  private final List<MissedRange> missed = new ArrayList<>();
  private Optional<ScheduleState> state = Optional.empty();
  private Optional<Decision> last = Optional.empty();
  private long steps;

  @Test
  void a_replay_of_few_does_not_look_back_to_the_year_1_for_more() {
    define(
        rule("FREQ=SECONDLY;INTERVAL=7;BYSECOND=1,2,3", YEAR_1)
            .setCatchUp(CatchUp.REPLAY)
            .setGraceMs(0)
            .setMaxReplay(60_000_000),
        START);
    catchUp(START.plusSeconds(840));
    assertThat(fires).hasSize(6).allMatch(fire -> fire.cause() == Cause.CATCH_UP);
    assertThat(missed).isEmpty();
    assertThat(steps).isLessThan(1_000);
  }

  @Test
  void a_replay_of_more_than_can_be_looked_through_keeps_the_newest() {
    define(
        rule("FREQ=SECONDLY;INTERVAL=7;BYSECOND=1,2,3", YEAR_1)
            .setCatchUp(CatchUp.REPLAY)
            .setMaxReplay(60_000_000),
        START);
    decide(new Event.Due(), START.plus(Duration.ofDays(3_000)));
    assertThat(missed).extracting(MissedRange::reason).containsOnly(MissedReason.OUT_OF_WINDOW);
    assertThat(state.orElseThrow().replayThrough()).isPresent();
    assertThat(state.orElseThrow().decidedThrough()).isBefore(START.plus(Duration.ofDays(3_000)));
  }

  @Test
  void more_than_a_million_to_replay_are_refused() {
    Schedule.Builder every = second().setCatchUp(CatchUp.REPLAY);
    assertThat(problems(every.setMaxReplay(1_000_000))).isEmpty();
    assertThat(problems(every.setMaxReplay(1_000_001)))
        .containsExactly("max_replay is 1000001; at most 1000000");
  }

  @Test
  void a_replay_that_a_rule_cannot_look_back_over_is_refused() {
    Schedule.Builder seldom = rule("FREQ=SECONDLY;INTERVAL=7;BYSECOND=1,2,3", YEAR_1);
    assertThat(problems(seldom.setMaxReplay(10_000))).isEmpty();
    assertThat(problems(seldom.setMaxReplay(100_000)))
        .containsExactly(
            "max_replay 100000 occurrences take too long to look back over for this rule; at most"
                + " 10000 are always allowed");
  }

  @Test
  void a_rule_that_has_to_be_searched_far_for_the_next_occurrence_is_refused() {
    assertThat(problems(tooFarApart()))
        .singleElement()
        .asString()
        .startsWith("rrule takes more than 25000 steps to find the occurrences around 2026-03-01");
  }

  @Test
  void one_that_is_in_the_store_is_a_fault_of_its_own_and_can_be_replaced_and_deleted() {
    Instant now = START.plus(Duration.ofDays(1));
    state = Optional.of(stored(tooFarApart(), START));
    Event due = new Event.Due();
    assertThatThrownBy(() -> decide(due, now))
        .isInstanceOf(EffortSpentException.class)
        .hasMessageContaining("takes more than " + Effort.DECISION + " steps");
    assertThatThrownBy(() -> decide(due, now)).isInstanceOf(EffortSpentException.class);
    assertThat(tables.effort().spent()).as("it is not tried again and again").isLessThan(100);
    ScheduleState before = state.orElseThrow();
    decide(new Event.Deleted(now), now);
    assertThat(state).isEmpty();
    state = Optional.of(before);
    decide(new Event.Defined(second().build(), "r1", now), now);
    assertThat(last.orElseThrow().verdict()).contains(Verdict.ACCEPTED);
    assertThat(last.orElseThrow().next()).isPresent();
  }

  /** Nothing was decided before about what costs too much. */
  @Test
  void what_costs_too_much_to_find_stands_in_the_way_of_no_delete_and_no_definition() {
    Instant now = START.plus(Duration.ofDays(1));
    ScheduleState dear = stored(tooFarApart(), START);
    Schedule next = second().build();
    ExportedState exported = ExportedStates.of(stored(second(), START));
    for (Event event :
        List.of(
            new Event.Deleted(now),
            new Event.Defined(next, "r1", now),
            new Event.Imported(next, exported, "r1", now))) {
      Decision decision =
          new Decider(new Timetables(), Duration.ofHours(1))
              .decide(ID, Optional.of(dear), event, now);
      assertThat(decision.verdict().orElseThrow()).isIn(Verdict.DELETED, Verdict.ACCEPTED);
    }
  }

  @Test
  void a_definition_that_costs_too_much_leaves_the_one_before_it_as_it_was() {
    Instant now = START.plusSeconds(10);
    define(second(), START);
    Event dear = new Event.Defined(tooFarApart().build(), "r1", now);
    assertThatThrownBy(() -> decide(dear, now)).isInstanceOf(EffortSpentException.class);
    decide(new Event.Due(), now);
    assertThat(fires).isNotEmpty();
  }

  @Test
  void an_older_definition_that_costs_too_much_is_not_tried_again_and_again() {
    ScheduleState cheap = stored(second(), START.plusSeconds(60));
    state =
        Optional.of(
            new ScheduleState(
                ID,
                cheap.current(),
                START,
                List.of(),
                List.of(new ReplacedRevision(0, stored(tooFarApart(), START, "older").current())),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                cheap.commanded(),
                cheap.runs()));
    Instant now = START.plus(Duration.ofDays(1));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> decide(new Event.Due(), now))
          .isInstanceOf(EffortSpentException.class);
    }
    assertThat(tables.effort().spent()).isLessThan(100);
    ScheduleState faulted = state.orElseThrow().faulted(Optional.of("it costs too much"));
    assertThat(decider.pending(faulted)).isEmpty();
  }

  @Test
  void an_occurrence_that_600_revisions_follow_fires() {
    state = Optional.of(replaced600Times());
    Instant now = NINE.plus(Duration.ofHours(2));
    catchUp(now);
    assertThat(fires)
        .extracting(fire -> fire.occurrence().at(), FirePlan::cause)
        .containsExactly(tuple(NINE, Cause.CATCH_UP));
    assertThat(state.orElseThrow().older()).isEmpty();
    assertThat(last.orElseThrow().next().map(Occurrence::at))
        .contains(NINE.plus(Duration.ofDays(1)));
    assertThat(steps).isLessThan(50_000);
  }

  @Test
  void an_occurrence_that_600_revisions_follow_is_missed_by_a_pause_and_by_a_delete() {
    Instant now = NINE.plus(Duration.ofHours(2));
    for (Event end : List.of(command(PauseCommand.newBuilder().build()), new Event.Deleted(now))) {
      state = Optional.of(replaced600Times());
      missed.clear();
      decide(end, now);
      assertThat(missed).extracting(MissedRange::first).containsExactly(NINE);
      assertThat(tables.effort().spent()).isLessThan(20_000);
    }
  }

  @Test
  void an_occurrence_that_600_revisions_follow_is_carried_when_an_edit_finds_it_missed() {
    state = Optional.of(replaced600Times(nine().setCatchUp(CatchUp.COLLAPSE)));
    Instant now = NINE.plus(Duration.ofHours(2));
    decide(new Event.Defined(nine().setDescription("new").build(), "new", now), now);
    assertThat(last.orElseThrow().verdict()).contains(Verdict.ACCEPTED);
    assertThat(state.orElseThrow().carried()).hasSize(1);
    assertThat(state.orElseThrow().older()).isEmpty();
    assertThat(tables.effort().spent()).isLessThan(20_000);
  }

  private static ScheduleState replaced600Times() {
    return replaced600Times(nine().setCatchUp(CatchUp.REPLAY));
  }

  /** At nine it occurs, and nothing is decided; after nine it was replaced each second. */
  private static ScheduleState replaced600Times(Schedule.Builder schedule) {
    List<ReplacedRevision> older = new ArrayList<>();
    older.add(new ReplacedRevision(0, stored(schedule, START).current()));
    for (int i = 1; i < 600; i++) {
      Accepted next = stored(schedule, NINE.plusSeconds(i), "r" + i).current();
      older.add(new ReplacedRevision(i * ScheduleState.SEQ_STRIDE, next));
    }
    ScheduleState newest = stored(schedule, NINE.plusSeconds(600), "r600");
    return new ScheduleState(
        ID,
        newest.current(),
        START,
        List.of(),
        List.copyOf(older),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        newest.commanded(),
        newest.runs());
  }

  private static Schedule.Builder nine() {
    return Schedule.newBuilder()
        .setTrigger(CronTrigger.newBuilder().setExpression("0 9 * * *").build())
        .setTimezone("UTC");
  }

  @Test
  void of_600_edits_while_an_occurrence_is_undecided_no_more_than_its_own_revision_is_kept() {
    define(nine().setCatchUp(CatchUp.REPLAY), START);
    for (int i = 1; i <= 600; i++) {
      Instant at = NINE.plusSeconds(i);
      Schedule edited = nine().setCatchUp(CatchUp.REPLAY).setDescription("edit " + i).build();
      decide(new Event.Defined(edited, "r" + i, at), at);
      assertThat(state.orElseThrow().older())
          .extracting(older -> older.accepted().revision())
          .containsExactly("r0");
    }
    catchUp(NINE.plus(Duration.ofHours(2)));
    assertThat(fires).extracting(fire -> fire.occurrence().at()).containsExactly(NINE);
    assertThat(missed).isEmpty();
  }

  @Test
  void a_calendar_that_leaves_out_everything_leaves_no_next_occurrence_to_be_found() {
    calendar(List.of(new DateRange(LocalDate.of(1, 1, 1), LocalDate.of(9999, 12, 31))));
    define(second().setExcept(List.of("c")), START);
    decide(command(new NextCommand(1, null)), START.plusSeconds(1));
    assertThat(last.orElseThrow().upcoming()).isEmpty();
    assertThat(last.orElseThrow().next()).as("it waits all the same").isPresent();
  }

  @Test
  void a_question_about_a_costly_rule_tells_fewer_for_about_the_cost_of_a_search() {
    RRuleTrigger rule =
        new RRuleTrigger(
            "FREQ=SECONDLY;INTERVAL=1487;BYSECOND=1;BYMINUTE=1",
            Instant.parse("2026-01-01T00:01:01Z"),
            null);
    define(Schedule.newBuilder().setTrigger(rule).setTimezone("UTC"), START);
    decide(command(new NextCommand(100, null)), START.plusSeconds(1));
    List<Instant> found = last.orElseThrow().upcoming().stream().map(Occurrence::at).toList();
    assertThat(found).hasSizeBetween(2, 99).isSorted();
    assertThat(tables.effort().spent()).isLessThan(2 * Effort.SEARCH);
  }

  @Test
  void of_many_next_occurrences_those_are_told_that_a_question_finds() {
    calendar(everyOtherDay());
    EveryTrigger daily =
        EveryTrigger.newBuilder().setN(1).setUnit(Unit.DAY).setAnchor(Instant.EPOCH).build();
    Schedule.Builder schedule = Schedule.newBuilder().setTrigger(daily).setTimezone("UTC");
    define(schedule.setExcept(List.of("c")), Instant.EPOCH);
    decide(command(new NextCommand(100, null)), START);
    List<Instant> found = last.orElseThrow().upcoming().stream().map(Occurrence::at).toList();
    assertThat(found).hasSize(100);
    for (int i = 0; i < found.size(); i++) {
      assertThat(found.get(i)).isEqualTo(Instant.EPOCH.plus(Duration.ofDays(2L * (i + 1))));
    }
  }

  @Test
  void a_backfill_of_which_calendars_leave_out_decades_goes_on_turn_by_turn() {
    List<String> names = IntStream.range(0, 16).mapToObj(i -> "c" + (10 + i)).toList();
    Map<String, List<DateRange>> dates = new HashMap<>();
    for (int i = 0; i < 16; i++) {
      int last = (int) LocalDate.of(2026, 2, 27).toEpochDay() - i;
      dates.put(names.get(i), days(IntStream.iterate(last, day -> day >= 0, day -> day - 16)));
    }
    calendars(dates);
    EveryTrigger hourly =
        EveryTrigger.newBuilder().setN(1).setUnit(Unit.HOUR).setAnchor(YEAR_1).build();
    Schedule.Builder schedule =
        Schedule.newBuilder().setTrigger(hourly).setTimezone("UTC").setExcept(names);
    state = Optional.of(stored(schedule, Instant.EPOCH));
    BackfillCommand all = BackfillCommand.newBuilder().setFrom(Instant.EPOCH).setTo(START).build();
    decide(command(all), START);
    assertThat(last.orElseThrow().verdict()).contains(Verdict.EXECUTED);
    assertThat(state.orElseThrow().commanded().backfills().get(0).firedThrough())
        .as("reached by the command, which does not search to the end")
        .isBefore("2026-02-27T00:00:00Z");
    int turns = 0;
    while (!state.orElseThrow().commanded().backfills().isEmpty() && turns++ < 100) {
      decide(new Event.BackfillDue(100, Optional.empty()), START);
    }
    assertThat(fires).hasSize(24).allMatch(fire -> fire.cause() == Cause.BACKFILL);
  }

  /** 40,000 stretches: more than one decision may write. */
  @ParameterizedTest
  @EnumSource
  void a_range_of_many_stretches_is_decided_a_part_at_a_time(CatchUp policy) {
    calendar(everyOtherDay());
    define(second().setCatchUp(policy).setExcept(List.of("c")), Instant.EPOCH);
    catchUp(START);
    assertThat(missed.get(0).first()).isEqualTo(Instant.EPOCH.plusSeconds(1));
    for (int i = 1; i < missed.size(); i++) {
      assertThat(missed.get(i).first()).isEqualTo(missed.get(i - 1).last().plusSeconds(1));
    }
    assertThat(missed).extracting(MissedRange::reason).contains(MissedReason.SKIPPED);
    boolean catchesUp = fires.stream().anyMatch(fire -> fire.cause() == Cause.CATCH_UP);
    assertThat(catchesUp).isEqualTo(policy != CatchUp.SKIP);
  }

  @Test
  void a_delete_writes_off_everything_at_once_and_what_it_does_not_cut_as_one() {
    calendar(everyOtherDay());
    define(second().setExcept(List.of("c")), Instant.EPOCH);
    decide(new Event.Deleted(START), START);
    assertThat(state).isEmpty();
    assertThat(missed).hasSize(Undecided.MOST_STRETCHES + 1);
    assertThat(missed.get(missed.size() - 1).reason()).isEqualTo(MissedReason.DELETED);
    assertThat(missed.get(missed.size() - 1).last()).isEqualTo(START);
  }

  @Test
  void a_range_that_calendars_and_a_skip_list_cut_is_decided_a_part_at_a_time() {
    calendar(everyOtherDay());
    List<Instant> noons =
        IntStream.range(0, 400)
            .mapToObj(i -> Instant.EPOCH.plus(Duration.ofHours(48L * i + 12)))
            .toList();
    EveryTrigger hourly =
        EveryTrigger.newBuilder().setN(1).setUnit(Unit.HOUR).setAnchor(Instant.EPOCH).build();
    Schedule.Builder schedule = Schedule.newBuilder().setTrigger(hourly).setTimezone("UTC");
    define(
        schedule.setCatchUp(CatchUp.SKIP).setExcept(List.of("c")).setSkip(noons),
        Instant.EPOCH.minusMillis(1));
    decide(new Event.Due(), START);
    assertThat(missed)
        .as("250 times before and at noon, after noon, a day left out")
        .hasSize(1_000);
    assertThat(missed.get(3).count()).isEqualTo(24);
  }

  @Test
  void a_skip_list_that_takes_the_reserve_leaves_no_occurrence_out() {
    Instant sunday = Instant.parse("2026-01-04T00:00:00Z");
    int saturday = (int) LocalDate.of(2026, 1, 10).toEpochDay();
    calendar(days(IntStream.of(saturday, saturday + 1)));
    define(
        everyInterval(299, "0,5,10,15,20,25,30,35,40,45,50,55")
            .setCatchUp(CatchUp.SKIP)
            .setExcept(List.of("c"))
            .setSkip(
                Stream.concat(
                        seconds("2026-01-06T00:30:00Z", 700),
                        Stream.of(Instant.parse("2026-01-06T00:55:00Z")))
                    .toList()),
        sunday);
    for (int i = 0; i < 5; i++) {
      decide(new Event.Due(), sunday.plus(Duration.ofDays(10)));
    }
    assertThat(missed.stream().mapToLong(MissedRange::count).sum())
        .as("every 24 hours and 55 minutes from 5 January on")
        .isEqualTo(9);
  }

  @Test
  void skips_between_two_occurrences_cost_one_search() {
    Instant sunday = Instant.parse("2026-01-04T00:00:00Z");
    define(
        everyInterval(599, "0,10,20,30,40,50")
            .setSkip(seconds("2026-01-09T03:20:00Z", 1_000).toList()),
        sunday);
    decide(new Event.Due(), sunday.plus(Duration.ofDays(6)));
    assertThat(state.orElseThrow().fault()).isEmpty();
    assertThat(steps).isLessThan(50_000);
  }

  private static Schedule.Builder everyInterval(int seconds, String minutes) {
    return rule(
        "FREQ=SECONDLY;INTERVAL=" + seconds + ";BYMINUTE=" + minutes + ";BYSECOND=0",
        Instant.parse("2026-01-05T00:00:00Z"));
  }

  private static Stream<Instant> seconds(String first, int count) {
    return IntStream.range(0, count).mapToObj(Instant.parse(first)::plusSeconds);
  }

  @Test
  void a_day_that_a_calendar_leaves_out_is_left_out_as_one() {
    calendar(everyOtherDay());
    define(second().setExcept(List.of("c")), Instant.EPOCH.plus(Duration.ofDays(1)));
    decide(new Event.Due(), START);
    assertThat(missed)
        .singleElement()
        .satisfies(range -> assertThat(range.count()).isEqualTo(86_399));
  }

  private static Schedule.Builder second() {
    return Schedule.newBuilder()
        .setTrigger(
            EveryTrigger.newBuilder().setN(1).setUnit(Unit.SECOND).setAnchor(Instant.EPOCH).build())
        .setTimezone("UTC");
  }

  /**
   * From its anchor on, at midnight on a Monday, it occurs each Monday by the local mean time of
   * then. By the offset of today no period of 14 s begins at any of these times.
   */
  private static Schedule.Builder tooFarApart() {
    String minutes =
        IntStream.range(0, 60)
            .filter(minute -> minute % 7 != 5)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(","));
    return rule(
            "FREQ=SECONDLY;INTERVAL=14;BYDAY=MO;BYHOUR=0,7,14,21;BYSECOND=0;BYMINUTE=" + minutes,
            LONG_AGO)
        .setTimezone("Asia/Kolkata");
  }

  private static Schedule.Builder rule(String rule, Instant anchor) {
    return Schedule.newBuilder()
        .setTrigger(RRuleTrigger.newBuilder().setRule(rule).setAnchor(anchor).build())
        .setTimezone("UTC");
  }

  private static List<DateRange> everyOtherDay() {
    return days(IntStream.range(0, 10_000).map(i -> 2 * i + 1));
  }

  private static List<DateRange> days(IntStream epochDays) {
    return epochDays.mapToObj(LocalDate::ofEpochDay).map(day -> new DateRange(day, day)).toList();
  }

  private void calendar(List<DateRange> dates) {
    calendars(Map.of("c", dates));
  }

  private void calendars(Map<String, List<DateRange>> dates) {
    Map<String, List<CalendarVersion>> all = new HashMap<>();
    dates.forEach((name, ranges) -> all.put(name, List.of(version(ranges))));
    tables.follow(Calendars.NONE.with(all));
  }

  private static CalendarVersion version(List<DateRange> dates) {
    Calendar calendar = Calendar.newBuilder().setDates(dates).build();
    return new CalendarVersion(0, Instant.EPOCH, Optional.empty(), Optional.of(calendar));
  }

  private static List<String> problems(Schedule.Builder schedule) {
    return new Validation(Duration.ofSeconds(1), ZoneOffset.UTC)
        .problems("a", schedule.build(), List.of(), START, Set.of()).stream()
            .map((Problem problem) -> problem.getField() + " " + problem.getMessage())
            .toList();
  }

  private static ScheduleState stored(Schedule.Builder schedule, Instant since) {
    return stored(schedule, since, "r0");
  }

  private static ScheduleState stored(Schedule.Builder schedule, Instant since, String revision) {
    Instant anchor = schedule.getTrigger() instanceof RRuleTrigger rule ? rule.getAnchor() : YEAR_1;
    Accepted accepted =
        new Accepted(
            ScheduleSnapshot.of(schedule.build()),
            revision,
            since,
            since,
            since,
            Optional.of(anchor),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            START,
            Past.NONE);
    return ScheduleState.of(ID, accepted, START, Optional.empty());
  }

  private static Event command(Object action) {
    return new Event.Commanded(
        Command.newBuilder().setCommandId("c").setAction(action).build(), START, "c-0@1");
  }

  private void define(Schedule.Builder schedule, Instant at) {
    decide(new Event.Defined(schedule.build(), "r0", at), at);
  }

  private void catchUp(Instant now) {
    while (state.flatMap(decider::pending).filter(next -> !next.due().isAfter(now)).isPresent()
        && fires.size() < 20) {
      decide(new Event.Due(), now);
    }
  }

  private void decide(Event event, Instant now) {
    Decision decision = decider.decide(ID, state, event, now);
    steps += tables.effort().spent();
    fires.addAll(decision.fires());
    missed.addAll(decision.missed());
    assertThat(decision.missed()).hasSizeLessThanOrEqualTo(Undecided.MOST_STRETCHES + 1);
    state = decision.state();
    last = Optional.of(decision);
  }

  @Test
  void what_is_asked_between_decisions_has_all_of_the_effort() {
    define(second().setOverlap(Overlap.BUFFER_ONE).setTimeoutMs(60_000L), START);
    decide(new Event.Due(), START.plusSeconds(1));
    spendAll();
    assertThat(decider.pending(state.orElseThrow())).isPresent();
    spendAll();
    assertThat(decider.pending(state.orElseThrow()).flatMap(Pending::heldSince))
        .contains(START.plusSeconds(2));
  }

  private void spendAll() {
    decider.tables().effort().spend(Effort.DECISION - decider.tables().effort().spent());
  }
}

package io.waterclock.console.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WhereExpression;
import io.waterclock.console.problems.ProblemKind;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.FailingFires;
import io.waterclock.schemas.avro.Fault;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.NextCommand;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.OverdueExpectation;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.SkipCommand;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.TriggerCommand;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.schemas.avro.Weekday;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class ReadModelTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final String POSITION = "waterclock.schedules-0@7";

  private final ReadModel model =
      new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1, 2));

  private static Schedule.Builder daily() {
    return Schedule.newBuilder()
        .setTrigger(new CronTrigger("0 9 * * *"))
        .setTimezone("UTC")
        .setOwner("reports");
  }

  private void accept(String id, Schedule schedule) {
    to(model)
        .revision(
            Revision.newBuilder()
                .setScheduleId(id)
                .setRevision(POSITION)
                .setSchedule(schedule)
                .setOwnsAfter(NOW.minusSeconds(60))
                .setEffectiveAt(NOW.minusSeconds(60))
                .setAcceptedAt(NOW.minusSeconds(60))
                .setTzdb("2026a")
                .build(),
            NOW);
    status(id, status -> status);
  }

  private void status(String id, UnaryOperator<ScheduleStatus.Builder> change) {
    ScheduleStatus.Builder status =
        ScheduleStatus.newBuilder()
            .setScheduleId(id)
            .setState(State.ACTIVE)
            .setRevision(POSITION)
            .setSince(NOW);
    to(model).status(id, Optional.of(change.apply(status).build()), NOW);
  }

  private ScheduleRow only() {
    List<ScheduleRow> rows =
        all(model)
            .page(ScheduleFilter.ALL, id -> true, SchedulePage.Order.BY_ID, Optional.empty(), 10)
            .rows();
    assertThat(rows).hasSize(1);
    return rows.get(0);
  }

  @Test
  void next_occurrence_is_known_from_the_definition_alone() {
    accept("a", daily().build());
    assertThat(only().next()).contains(Instant.parse("2026-11-25T09:00:00Z"));
  }

  @Test
  void calendar_that_comes_later_moves_the_next_occurrence() {
    accept("a", daily().setExcept(List.of("holidays")).build());
    LocalDate tomorrow = LocalDate.parse("2026-11-25");
    Calendar calendar =
        Calendar.newBuilder().setDates(List.of(new DateRange(tomorrow, tomorrow))).build();
    to(model).calendar("holidays", Optional.of(calendar), NOW);
    assertThat(only().next()).contains(Instant.parse("2026-11-26T09:00:00Z"));
    to(model).calendar("holidays", Optional.empty(), NOW);
    assertThat(only().next()).contains(Instant.parse("2026-11-25T09:00:00Z"));
  }

  @Test
  void skip_of_a_command_is_no_next_occurrence() {
    accept("a", daily().build());
    status("a", status -> status.setSkips(List.of(Instant.parse("2026-11-25T09:00:00Z"))));
    assertThat(only().next()).contains(Instant.parse("2026-11-26T09:00:00Z"));
  }

  @Test
  void paused_schedule_has_no_next_occurrence_and_is_a_problem_with_its_author() {
    accept("a", daily().build());
    status(
        "a",
        status ->
            status.setState(State.PAUSED).setPause(new CommandedPause(NOW, "disk is full", "ann")));
    assertThat(only().next()).isEmpty();
    Overview.Problem problem = all(model).overview(id -> true, NOW).problems().get(0);
    assertThat(problem.kind()).isEqualTo(ProblemKind.PAUSED);
    assertThat(problem.text()).isEqualTo("disk is full");
    assertThat(problem.author()).isEqualTo("ann");
  }

  /** Hours, if each place were tried from its beginning. */
  @Test
  void a_search_costs_the_length_of_what_it_searches() {
    String almost = "a".repeat(2_000_000);
    accept("a", daily().setLabels(Map.of("l", almost + almost)).build());
    assertThat(
            all(model)
                .page(
                    filter(almost + "b", Set.of()),
                    id -> true,
                    SchedulePage.Order.BY_ID,
                    Optional.empty(),
                    10)
                .total())
        .isZero();
  }

  @Test
  void counts_and_dead_letters_are_those_of_the_schedules_that_a_person_sees() {
    Instant soon = NOW.plusSeconds(60);
    Schedule once = daily().setTrigger(new OnceTrigger(soon, null)).build();
    accept("own/a", once);
    Overview before = all(model).overview(id -> id.startsWith("own/"), NOW);
    assertThat(before.dueInHour()).isOne();
    accept("other/due", once);
    to(model).written("other/pending", POSITION, Optional.of(once), NOW);
    accept("other/rejected", daily().build());
    status(
        "other/rejected",
        status ->
            status
                .setRejectedRevision("waterclock.schedules-0@8")
                .setProblems(List.of(new Problem("cron", "is wrong", "0 9 * * *"))));
    to(model).deadLetter(letter("waterclock.dlq-0@3", "other/letter", "why"));
    assertThat(all(model).overview(id -> id.startsWith("own/"), NOW)).isEqualTo(before);
    Overview all = all(model).overview(id -> true, NOW);
    assertThat(all.dueInHour()).isEqualTo(2);
    assertThat(all.pending()).isOne();
    assertThat(all.rejected()).isOne();
    assertThat(all.deadLetters()).hasSize(1);
    to(model).resolved("waterclock.dlq-1@3");
    assertThat(all(model).overview(id -> true, NOW).deadLetters()).hasSize(1);
    to(model).resolved("waterclock.dlq-0@3");
    assertThat(all(model).overview(id -> true, NOW).deadLetters()).isEmpty();
  }

  /** A start reads one partition after another, each from its oldest record on. */
  @Test
  void of_the_dead_letters_of_all_partitions_the_newest_are_kept() {
    ReadModel model = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 1, 3));
    for (int partition = 0; partition < 2; partition++) {
      for (int minute = 0; minute < 4; minute++) {
        DeadLetterRow letter =
            letter(
                NOW.plusSeconds(60L * minute + partition),
                "waterclock.dlq-" + partition + "@" + minute,
                "a",
                "why");
        to(model).deadLetter(letter);
      }
    }
    assertThat(all(model).overview(id -> true, NOW).deadLetters())
        .extracting(DeadLetterRow::letter)
        .containsExactly("waterclock.dlq-1@2", "waterclock.dlq-0@3", "waterclock.dlq-1@3");
  }

  private static DeadLetterRow letter(String place, String schedule, String reason) {
    return letter(NOW, place, schedule, reason);
  }

  private static DeadLetterRow letter(Instant at, String place, String schedule, String reason) {
    return new DeadLetterRow(
        at, place, schedule, new DeadLetterRow.Failed(place, schedule, 0), reason);
  }

  /** Of a megabyte each in twenty rows, every browser would get twenty every two seconds. */
  @Test
  void lists_and_the_first_screen_show_a_bounded_part_of_each_text() {
    String text = "x".repeat(100_000);
    accept("a", daily().setOwner(text).setLabels(Map.of("l", text)).build());
    status(
        "a", status -> status.setState(State.PAUSED).setPause(new CommandedPause(NOW, text, text)));
    to(model)
        .written(
            "b",
            POSITION,
            Optional.of(daily().setTrigger(new CronTrigger(text)).setTimezone(text).build()),
            NOW);
    to(model).deadLetter(letter(text, text, text));
    SchedulePage page =
        all(model)
            .page(ScheduleFilter.ALL, id -> true, SchedulePage.Order.BY_ID, Optional.empty(), 10);
    assertThat(page.rows()).hasSize(2);
    assertThat(page.toString()).hasSizeLessThan(5_000);
    Overview overview = all(model).overview(id -> true, NOW);
    assertThat(overview.problems()).hasSize(1);
    assertThat(overview.problems().toString()).hasSizeLessThan(5_000);
    assertThat(overview.deadLetters().toString()).hasSizeLessThan(5_000);
  }

  @Test
  void a_fire_of_a_replaced_revision_says_nothing_about_what_comes_next() {
    accept("a", daily().build());
    Fire late = fire("a", NOW);
    late.setNext(Instant.parse("2027-01-01T00:00:00Z"));
    late.setRevision("waterclock.schedules-0@6");
    to(model).fired(late, 0, 1);
    assertThat(only().next()).contains(Instant.parse("2026-11-25T09:00:00Z"));
    late.setRevision(POSITION);
    to(model).fired(late, 0, 2);
    assertThat(only().next()).contains(Instant.parse("2027-01-01T00:00:00Z"));
  }

  @Test
  void passed_occurrence_without_a_fire_gives_way_to_the_next_one() {
    accept("a", daily().build());
    Instant later = Instant.parse("2026-11-27T10:00:00Z");
    to(model).refreshNext(later, 10);
    assertThat(only().next()).contains(Instant.parse("2026-11-28T09:00:00Z"));
  }

  @Test
  void rejected_edit_leaves_the_definition_in_force() {
    accept("a", daily().build());
    to(model).written("a", "waterclock.schedules-0@8", Optional.empty(), NOW);
    status(
        "a",
        status ->
            status
                .setRejectedRevision("waterclock.schedules-0@8")
                .setProblems(List.of(new Problem("cron", "is wrong", "0 9 * * *"))));
    KnownSchedule known = all(model).schedule("a").orElseThrow();
    assertThat(known.newestIsRejected()).isTrue();
    assertThat(known.schedule().map(Schedule::getOwner)).contains("reports");
    assertThat(only().rejected()).isTrue();
    assertThat(only().next()).isPresent();
    assertThat(all(model).overview(id -> true, NOW).rejected()).isEqualTo(1);
  }

  @Test
  void schedule_of_which_only_an_old_revision_is_left_is_forgotten() {
    to(model)
        .revision(
            Revision.newBuilder()
                .setScheduleId("gone")
                .setRevision(POSITION)
                .setSchedule(daily().build())
                .setOwnsAfter(NOW)
                .setEffectiveAt(NOW)
                .setAcceptedAt(NOW)
                .setTzdb("2026a")
                .build(),
            NOW);
    accept("here", daily().build());
    to(model).forgetGone();
    assertThat(only().id()).isEqualTo("here");
    status("gone", status -> status);
    assertThat(all(model).schedule("gone").orElseThrow().revision()).isEmpty();
  }

  @Test
  void definition_that_no_scheduler_has_answered_is_pending() {
    to(model).written("a", POSITION, Optional.of(daily().build()), NOW);
    assertThat(only().state()).isEqualTo("PENDING");
    assertThat(all(model).overview(id -> true, NOW).pending()).isEqualTo(1);
  }

  @Test
  void definition_that_no_scheduler_accepts_is_shown_as_it_is() {
    to(model)
        .written(
            "a",
            POSITION,
            Optional.of(Schedule.newBuilder().setTrigger(new OnceTrigger(null, null)).build()),
            NOW);
    assertThat(only().trigger()).isEqualTo("at no instant");
    assertThat(only().next()).isEmpty();
  }

  @Test
  void lists_hold_what_fits_the_filter_and_may_be_seen() {
    accept("billing/a", daily().setOwner("Money").build());
    accept("reports/b", daily().setLabels(Map.of("tier", "Gold")).build());
    status("reports/b", status -> status.setState(State.COMPLETED));
    assertThat(ids(filter("money", Set.of()))).containsExactly("billing/a");
    assertThat(ids(filter("tier=gold", Set.of()))).containsExactly("reports/b");
    assertThat(ids(filter("REPORTS/", Set.of()))).containsExactly("reports/b");
    assertThat(ids(filter("", Set.of(State.ACTIVE)))).containsExactly("billing/a");
    assertThat(
            all(model)
                .page(
                    ScheduleFilter.ALL,
                    id -> id.startsWith("reports/"),
                    SchedulePage.Order.BY_ID,
                    Optional.empty(),
                    10))
        .satisfies(page -> assertThat(page.total()).isEqualTo(1));
  }

  private static ScheduleFilter filter(String text, Set<State> states) {
    return new ScheduleFilter(
        Optional.of(text),
        Optional.empty(),
        Optional.empty(),
        states,
        false,
        false,
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private List<String> ids(ScheduleFilter filter) {
    return all(model)
        .page(filter, id -> true, SchedulePage.Order.BY_ID, Optional.empty(), 10)
        .rows()
        .stream()
        .map(ScheduleRow::id)
        .toList();
  }

  @Test
  void diagnosis_says_the_gravest_first() {
    accept("a", daily().build());
    assertThat(diagnosis()).first().satisfies(d -> assertThat(d.text()).contains("No scheduler"));
    watermark(NOW);
    assertThat(diagnosis())
        .singleElement()
        .satisfies(
            d -> {
              assertThat(d.level()).isEqualTo(Diagnosis.Level.GOOD);
              assertThat(d.at()).contains(Instant.parse("2026-11-25T09:00:00Z"));
            });
    watermark(NOW.minusSeconds(60));
    assertThat(diagnosis()).first().satisfies(d -> assertThat(d.text()).contains("wrote last"));
    watermark(NOW);
    status("a", status -> status.setState(State.FAULTED).setReason("no such zone"));
    assertThat(diagnosis()).first().satisfies(d -> assertThat(d.text()).contains("no such zone"));
  }

  @Test
  void schedule_that_has_not_begun_says_so() {
    Instant start = NOW.plusSeconds(86_400);
    accept("a", daily().setStartAt(start).build());
    assertThat(diagnosis())
        .anySatisfy(
            d -> {
              assertThat(d.text()).contains("has not begun");
              assertThat(d.at()).contains(start);
            });
  }

  @Test
  void schedule_of_a_partition_that_has_input_to_read_says_so() {
    accept("a", daily().build());
    Instant read = NOW.minusSeconds(31);
    to(model).watermark(idle(NOW).setReadThrough(read).setDecidedThrough(read).build());
    assertThat(diagnosis())
        .anySatisfy(
            d -> {
              assertThat(d.text()).contains("has input to read");
              assertThat(d.at()).contains(read);
            })
        .noneSatisfy(d -> assertThat(d.text()).contains("has decided everything"));
  }

  /** A green line below a red one would say the opposite. */
  @Test
  void nothing_is_good_while_its_partition_does_not_fire_or_the_topics_cannot_be_read() {
    accept("a", daily().build());
    KnownSchedule known = all(model).schedule("a").orElseThrow();
    List<List<Diagnosis>> obstructed = new ArrayList<>();
    obstructed.add(diagnosis());
    watermark(NOW.minusSeconds(60));
    obstructed.add(diagnosis());
    to(model).watermark(idle(NOW).setDecidedThrough(NOW.minusSeconds(60)).build());
    obstructed.add(diagnosis());
    watermark(NOW);
    obstructed.add(diagnosis(known, Optional.of("No broker answers at kafka:9092")));
    for (List<Diagnosis> all : obstructed) {
      assertThat(all).hasSize(2).noneMatch(one -> one.level() == Diagnosis.Level.GOOD);
      assertThat(all.get(1).text()).startsWith("It occurs next at 2026-11-25T09:00:00Z; ");
    }
    assertThat(obstructed.get(3).get(0).text()).endsWith("No broker answers at kafka:9092.");
    watermark(NOW.minusSeconds(60));
    assertThat(diagnosis(known, Optional.of("No broker answers at kafka:9092")))
        .noneMatch(one -> one.text().contains("owner"));
  }

  @Test
  void schedule_whose_fires_fail_is_a_problem_until_one_succeeds() {
    accept("a", daily().build());
    accept("b", daily().build());
    accept("c", daily().build());
    status("b", status -> status.setState(State.PAUSED));
    status("c", status -> status.setState(State.FAULTED));
    status(
        "a",
        status ->
            status.setFailing(new FailingFires(NOW.minusSeconds(60), 3L, NOW, NOW, "no disk")));
    watermark(NOW);
    assertThat(diagnosis())
        .first()
        .satisfies(
            d -> {
              assertThat(d.level()).isEqualTo(Diagnosis.Level.BAD);
              assertThat(d.text()).contains("at least 3 in a row").contains("no disk");
            });
    Overview overview = all(model).overview(id -> true, NOW);
    assertThat(overview.failing()).isEqualTo(1);
    assertThat(overview.problems())
        .extracting(Overview.Problem::kind)
        .containsExactly(ProblemKind.FAULTED, ProblemKind.FAILING, ProblemKind.PAUSED);
    assertThat(overview.problems().get(1))
        .satisfies(
            problem -> {
              assertThat(problem.text()).contains("no disk");
              assertThat(problem.since()).isEqualTo(NOW.minusSeconds(60));
              assertThat(problem.first()).isEqualTo(problem.since());
            });
    assertThat(ids(failing(Set.of()))).containsExactly("a");
    assertThat(ids(failing(Set.of(State.PAUSED)))).containsExactly("a", "b");

    status("a", status -> status);
    assertThat(diagnosis()).noneMatch(d -> d.kind() == Diagnosis.Kind.FAILING);
    assertThat(ids(failing(Set.of()))).isEmpty();
  }

  @Test
  void schedule_of_which_an_expectation_is_overdue_is_a_problem_until_it_recovers() {
    accept("a", daily().build());
    accept("b", daily().build());
    Instant since = NOW.minusSeconds(60);
    status(
        "a",
        status ->
            status.setOverdue(
                List.of(
                    new OverdueExpectation(
                        Expectation.SUCCEEDED_WITHIN,
                        NOW.minusSeconds(3_600),
                        since,
                        Fault.NOT_REPORTED))));
    watermark(NOW);
    String said =
        "Its run of %s has not succeeded, overdue since %s: no worker has reported."
            .formatted(NOW.minusSeconds(3_600), since);
    assertThat(diagnosis()).first().returns(said, Diagnosis::text);
    assertThat(all(model).overview(id -> true, NOW).problems())
        .singleElement()
        .returns(ProblemKind.OVERDUE, Overview.Problem::kind)
        .returns(said, Overview.Problem::text)
        .returns(since, Overview.Problem::since);
    status("a", status -> status);
    assertThat(all(model).overview(id -> true, NOW).problems()).isEmpty();
  }

  @Test
  void schedule_of_which_calendars_leave_out_everything_is_a_problem_until_one_changes() {
    accept("a", daily().setExcept(List.of("workdays", "weekends")).build());
    accept("b", daily().build());
    List<Weekday> weekend = List.of(Weekday.SAT, Weekday.SUN);
    List<Weekday> rest =
        Arrays.stream(Weekday.values()).filter(day -> !weekend.contains(day)).toList();
    calendar("workdays", rest);
    assertThat(all(model).overview(id -> true, NOW).problems()).isEmpty();
    calendar("weekends", weekend);
    assertThat(all(model).overview(id -> true, NOW).problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.kind()).isEqualTo(ProblemKind.NEVER_FIRES);
              assertThat(problem.text()).contains("workdays, weekends");
            });
    watermark(NOW);
    assertThat(diagnosis()).anyMatch(d -> d.kind() == Diagnosis.Kind.NEVER_FIRES);
    calendar("weekends", List.of(Weekday.SAT));
    assertThat(all(model).overview(id -> true, NOW).problems()).isEmpty();
  }

  @Test
  void schedule_whose_end_had_passed_from_the_beginning_is_a_problem_and_one_that_fired_is_none() {
    for (String id : List.of("a", "fired")) {
      accept(id, daily().setEndAt(NOW.minusSeconds(3_600)).build());
      status(id, status -> status.setState(State.COMPLETED));
    }
    to(model).fired(fire("fired", NOW), 0, 1);
    accept("ended", daily().setEndAt(NOW.plusSeconds(172_800)).build());
    status("ended", status -> status.setState(State.COMPLETED));
    assertThat(all(model).overview(id -> true, NOW).problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.id()).isEqualTo("a");
              assertThat(problem.kind()).isEqualTo(ProblemKind.NEVER_FIRES);
              assertThat(problem.text()).contains("had passed when its definition took effect");
            });
  }

  private void calendar(String name, List<Weekday> weekdays) {
    to(model).calendar(name, Optional.of(Calendar.newBuilder().setWeekdays(weekdays).build()), NOW);
  }

  private static ScheduleFilter failing(Set<State> states) {
    return new ScheduleFilter(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        states,
        false,
        true,
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void runs_of_a_schedule_are_those_that_workers_report() {
    accept("a", daily().build());
    Outcome.Builder outcome =
        Outcome.newBuilder()
            .setFireKey("a|2026-11-24T09:00:00.000Z")
            .setState(OutcomeState.FAILED)
            .setError("no disk");
    to(model).reported(outcome.build(), NOW, NOW);
    to(model).reported(outcome.setFireKey("b|2026-11-24T09:00:00.000Z").build(), NOW, NOW);
    assertThat(all(model).view("a", 10, NOW).orElseThrow().runs())
        .singleElement()
        .satisfies(run -> assertThat(run.error()).contains("no disk"));
  }

  @Test
  void outcomes_of_a_worker_whose_clock_is_ahead_erase_no_fires() {
    Instant before = NOW.minus(Duration.ofMinutes(55));
    to(model).fired(fire("a", before), 0, 1);
    Outcome outcome =
        Outcome.newBuilder()
            .setFireKey("a|2026-11-24T09:00:00.000Z")
            .setState(OutcomeState.SUCCEEDED)
            .build();
    to(model).reported(outcome, NOW.plus(Duration.ofMinutes(5)), NOW);
    List<Overview.Minute> minutes = all(model).overview(id -> true, NOW).minutes();
    assertThat(minutes)
        .filteredOn(minute -> minute.fires() > 0)
        .extracting(Overview.Minute::at)
        .containsExactly(before);
    assertThat(minutes)
        .filteredOn(minute -> !minute.outcomes().isEmpty())
        .extracting(Overview.Minute::at)
        .containsExactly(NOW);
  }

  private List<Diagnosis> diagnosis() {
    KnownSchedule known = all(model).schedule("a").orElseThrow();
    return diagnosis(known, Optional.empty());
  }

  private List<Diagnosis> diagnosis(KnownSchedule known, Optional<String> unreadable) {
    return Diagnosis.of(
        known, model.read(ModelQueries::upcoming), all(model).partition("a"), unreadable, NOW);
  }

  private void watermark(Instant at) {
    to(model).watermark(idle(at).build());
  }

  private static Watermark.Builder idle(Instant at) {
    return Watermark.newBuilder()
        .setPartition(0)
        .setDecidedThrough(at)
        .setWrittenAt(at)
        .setInstance("one")
        .setTzdb("2026a")
        .setLive(1)
        .setCatchingUp(0)
        .setFired(0)
        .setMissed(0)
        .setWalked(0)
        .setRepaired(0)
        .setFaulted(0)
        .setRejected(0);
  }

  @Test
  void load_ahead_counts_each_occurrence_in_its_minute() {
    accept("a/daily", daily().build());
    accept("b/daily", daily().build());
    accept("c/bounded", daily().setEndAt(Instant.parse("2026-11-27T00:00:00Z")).build());
    accept("d/paused", daily().build());
    status("d/paused", status -> status.setState(State.PAUSED));
    accept("e/hidden", daily().build());
    LoadAhead load = model.load(LoadQuestion.ALL, id -> !id.startsWith("e/"), NOW);
    List<Long> expected = new ArrayList<>(Collections.nCopies(LoadAhead.MINUTES, 0L));
    for (int day = 0; day < 7; day++) {
      expected.set(day * 1_440 + 21 * 60, day < 2 ? 3L : 2L);
    }
    assertThat(load.from()).isEqualTo(NOW);
    assertThat(load.minutes()).isEqualTo(expected);
    assertThat(load.schedules()).isEqualTo(3);
    assertThat(load.isEstimate()).isFalse();
    assertThat(load.fullest(1))
        .containsExactly(new LoadAhead.Minute(Instant.parse("2026-11-25T09:00:00Z"), 3));
  }

  @Test
  void load_of_a_schedule_of_every_second_is_extended_from_its_beginning() {
    accept(
        "a",
        daily()
            .setTrigger(
                EveryTrigger.newBuilder().setN(1).setUnit(Unit.SECOND).setAnchor(NOW).build())
            .build());
    LoadAhead load = model.load(LoadQuestion.ALL, id -> true, NOW.plusSeconds(60));
    assertThat(load.minutes()).containsOnly(60L);
  }

  @Test
  void schedules_of_a_minute_are_those_that_are_due_in_it() {
    accept("a/daily", daily().build());
    accept("b/daily", daily().build());
    accept("c/later", daily().setTrigger(new CronTrigger("1 9 * * *")).build());
    Instant nine = Instant.parse("2026-11-29T09:00:00Z");
    SchedulePage page = model.dueIn(nine, nine.plusSeconds(60), LoadQuestion.ALL, id -> true, 1);
    assertThat(page.total()).isEqualTo(2);
    assertThat(page.rows()).extracting(ScheduleRow::id).containsExactly("a/daily");
  }

  /** Each search of this rule takes thousands of steps, and finds nothing for centuries. */
  private void acceptCostly(int schedules) {
    Schedule costly =
        daily()
            .setTrigger(
                RRuleTrigger.newBuilder()
                    .setRule("FREQ=DAILY;INTERVAL=1499;BYMONTH=2;BYMONTHDAY=29")
                    .setAnchor(Instant.parse("2026-11-30T19:00:00Z"))
                    .build())
            .setJitterMs(3_600_000)
            .build();
    for (int i = 0; i < schedules; i++) {
      accept("costly/" + i, costly);
    }
  }

  @Test
  @Tag("all")
  void schedules_that_are_costly_to_search_end_the_search_of_a_minute() {
    acceptCostly(1_000);
    Instant far = Instant.parse("2500-01-01T00:00:00Z");
    SchedulePage page = model.dueIn(far, far.plusSeconds(60), LoadQuestion.ALL, id -> true, 10);
    assertThat(page.isCut()).isTrue();
  }

  @Test
  @Tag("all")
  void schedules_that_are_costly_to_search_make_the_load_an_estimate() {
    acceptCostly(3_000);
    LoadAhead load = model.load(LoadQuestion.ALL, id -> true, NOW);
    assertThat(load.isEstimate()).isTrue();
    assertThat(load.schedules()).isEqualTo(3_000);
  }

  @Test
  void schedules_without_occurrences_count_in_the_budget_of_a_search() {
    SearchBudget budget = new SearchBudget();
    long schedules = 0;
    while (!budget.isSpent() && schedules < SearchBudget.MOST) {
      budget.next(0);
      schedules++;
    }
    assertThat(schedules).isLessThanOrEqualTo(100_000);
  }

  @Test
  @Tag("all")
  void expressions_of_which_each_is_its_own_are_counted_by_a_sample() {
    int schedules = 0;
    for (int second = 0; second < 60; second++) {
      for (int hour = 0; hour < 23; hour++) {
        String hours = "0-" + hour + "," + (hour + 1) + "-23";
        for (String days : List.of("*", "1-31")) {
          String cron = second + " * " + hours + " " + days + " * *";
          accept("s" + schedules++, daily().setTrigger(new CronTrigger(cron)).build());
        }
      }
    }
    LoadAhead load = model.load(LoadQuestion.ALL, id -> true, NOW);
    assertThat(load.isEstimate()).isTrue();
    assertThat(load.schedules()).isEqualTo(schedules);
    assertThat(load.minutes()).containsOnly((long) schedules);
  }

  @Test
  void load_is_grouped_and_a_group_is_counted_alone() {
    accept("a", daily().build());
    accept("b", daily().build());
    accept("c", daily().setOwner("billing").build());
    LoadQuestion byOwner =
        new LoadQuestion(Optional.of(LoadQuestion.By.OWNER), "", Optional.empty(), Duration.ZERO);
    assertThat(model.load(byOwner, id -> true, NOW).groups())
        .containsExactly(group("reports", 2, 14, 2), group("billing", 1, 7, 1));
    LoadQuestion billing =
        new LoadQuestion(
            Optional.of(LoadQuestion.By.OWNER), "", Optional.of("billing"), Duration.ZERO);
    assertThat(model.load(billing, id -> true, NOW).total()).isEqualTo(7);
    Instant nine = Instant.parse("2026-11-29T09:00:00Z");
    assertThat(model.dueIn(nine, nine.plusSeconds(60), billing, id -> true, 10).rows())
        .extracting(ScheduleRow::id)
        .containsExactly("c");
  }

  @Test
  void jitter_spreads_a_burst_and_loses_no_occurrence() {
    for (int i = 0; i < 600; i++) {
      accept("s" + i, daily().build());
    }
    LoadQuestion spread =
        new LoadQuestion(Optional.empty(), "", Optional.empty(), Duration.ofMinutes(10));
    LoadAhead load = model.load(spread, id -> true, NOW);
    assertThat(load.total()).isEqualTo(7 * 600);
    assertThat(load.fullest(1).get(0).occurrences()).isEqualTo(60);
    assertThat(load.at(Instant.parse("2026-11-25T09:09:00Z"))).contains(60L);
    assertThat(load.at(Instant.parse("2026-11-25T09:10:00Z"))).contains(0L);
  }

  @Test
  void replaced_revisions_are_kept_newest_first() {
    status("a", status -> status);
    for (int i = 0; i < 3; i++) {
      to(model).revision(revision("r" + i, "0 " + i + " * * *"), NOW);
    }
    to(model)
        .revision(
            Revision.newBuilder(revision("r1", "0 1 * * *"))
                .setEndedAt(NOW)
                .setEndedBy(RevisionEnd.REPLACED)
                .build(),
            NOW);
    assertThat(all(model).revisions("a", 10))
        .extracting(Revision::getRevision)
        .containsExactly("r2", "r1", "r0");
    assertThat(all(model).revisions("a", 2)).hasSize(2);
  }

  @Test
  void replaced_revision_keeps_its_author_and_not_that_of_its_successor() {
    status("a", status -> status);
    Revision first = Revision.newBuilder(revision("r1", "0 1 * * *")).setAuthor("ann").build();
    to(model).revision(first, NOW);
    to(model)
        .revision(
            Revision.newBuilder(first)
                .setAuthor("bob")
                .setEndedAt(NOW)
                .setEndedBy(RevisionEnd.REPLACED)
                .build(),
            NOW);
    to(model)
        .revision(Revision.newBuilder(revision("r2", "0 2 * * *")).setAuthor("bob").build(), NOW);
    assertThat(all(model).revisions(first.getScheduleId(), 10))
        .extracting(Revision::getRevision, Revision::getAuthor)
        .containsExactly(tuple("r2", "bob"), tuple("r1", "ann"));
  }

  private static Revision revision(String name, String cron) {
    return Revision.newBuilder()
        .setScheduleId("a")
        .setRevision(name)
        .setSchedule(daily().setTrigger(new CronTrigger(cron)).build())
        .setOwnsAfter(NOW)
        .setEffectiveAt(NOW)
        .setAcceptedAt(NOW)
        .setTzdb("2026a")
        .build();
  }

  @Test
  void log_of_revisions_drops_the_oldest_when_it_is_full() {
    BoundedLog<byte[]> log = new BoundedLog<>(500);
    for (byte i = 0; i < 10; i++) {
      log.add("a", new byte[] {i}, 1);
    }
    assertThat(log.of("a"))
        .extracting(bytes -> bytes[0])
        .containsExactly((byte) 9, (byte) 8, (byte) 7, (byte) 6);
  }

  private void command(String id, Object action, String author) {
    to(model).commanded(id, new Command("c-1", action, null, "why", author), NOW);
  }

  @Test
  void commands_say_who_gave_them_and_why() {
    command("a", new PauseCommand("own", "ann", false), "other");
    command("a", new SkipCommand(NOW), "bob");
    command("a", new NextCommand(1, null), "nobody");
    command("b", new TriggerCommand(ByteBuffer.allocate(1_000)), "eve");
    assertThat(all(model).commands("a", 10))
        .extracting(
            GivenCommand::what, GivenCommand::about, GivenCommand::note, GivenCommand::author)
        .containsExactly(
            tuple("skip", NOW.toString(), "why", "bob"), tuple("pause", "", "own", "ann"));
    assertThat(all(model).commands("a", 1)).hasSize(1);
  }

  @Test
  void memory_for_commands_is_bounded_by_their_texts() {
    String huge = "x".repeat(1_000_000);
    for (int i = 0; i < 20_000; i++) {
      command("a", new PauseCommand(huge, huge, false), huge);
    }
    List<GivenCommand> kept = all(model).commands("a", 100_000);
    assertThat(kept).hasSizeBetween(400, 600); // 2 MB, of 4 kB each
    assertThat(kept.get(0).note()).hasSize(1_003);
  }

  @Test
  void gravest_problems_come_first() {
    for (int i = 0; i < 60; i++) {
      accept("a/" + i, daily().build());
      status("a/" + i, status -> status.setState(State.PAUSED));
    }
    accept("z", daily().build());
    status("z", status -> status.setState(State.FAULTED).setReason("broken"));
    Overview overview = all(model).overview(id -> true, NOW);
    assertThat(overview.problems()).extracting(Overview.Problem::id).containsExactly("z", "a/0");
    Overview.Problem paused = overview.problems().get(1);
    assertThat(paused.count()).isEqualTo(60);
    assertThat(paused.text()).contains("\"enabled\": false");
    assertThat(overview.problemCounts())
        .isEqualTo(Map.of(ProblemKind.FAULTED, 1L, ProblemKind.PAUSED, 60L));
    String where = paused.where().orElseThrow();
    assertThat(where).isEqualTo("enabled = false");
  }

  @Test
  void what_one_cause_rejects_is_one_row_whose_condition_lists_all_of_it() {
    for (int i = 0; i < 1_000; i++) {
      rejected("r/" + i, "too many schedules of \"acme\", it's 4");
    }
    rejected("other", "has 4 fields");
    Overview overview = all(model).overview(id -> true, NOW);
    assertThat(overview.problems())
        .extracting(Overview.Problem::count)
        .containsExactlyInAnyOrder(1_000L, 1L);
    assertThat(overview.problemCounts()).isEqualTo(Map.of(ProblemKind.REJECTED, 1_001L));
    WhereExpression where =
        WhereExpression.parse(
            overview.problems().stream()
                .flatMap(row -> row.where().stream())
                .findFirst()
                .orElseThrow());
    assertThat(where.test(all(model).schedule("r/7").orElseThrow())).isTrue();
    assertThat(where.test(all(model).schedule("other").orElseThrow())).isFalse();
  }

  private void rejected(String id, String why) {
    to(model).written(id, POSITION, Optional.empty(), NOW);
    status(
        id,
        status ->
            status
                .setState(State.REJECTED)
                .setRevision(null)
                .setRejectedRevision(POSITION)
                .setProblems(List.of(new Problem("cron", why, null))));
  }

  @Test
  void zone_unlike_those_of_its_owner_is_a_problem_for_those_who_see_these() {
    for (int i = 0; i < 5; i++) {
      accept("a/" + i, daily().setTimezone("Europe/Berlin").build());
    }
    accept("utc", daily().build());
    accept(
        "fine",
        daily()
            .setTrigger(EveryTrigger.newBuilder().setN(5L).setUnit(Unit.MINUTE).build())
            .build());
    assertThat(all(model).overview(id -> true, NOW).problems())
        .singleElement()
        .returns("utc", Overview.Problem::id)
        .returns(ProblemKind.ODD_ZONE, Overview.Problem::kind)
        .returns(
            "Its time zone is UTC; 5 of 6 schedules of reports have Europe/Berlin.",
            Overview.Problem::text);
    assertThat(all(model).overview(id -> id.compareTo("a/3") >= 0, NOW).problems()).isEmpty();
    status("utc", status -> status.setState(State.PAUSED));
    assertThat(all(model).overview(id -> true, NOW).problems())
        .extracting(Overview.Problem::kind)
        .containsExactly(ProblemKind.PAUSED);
  }

  @Test
  void rejected_edit_is_among_the_rejected_and_a_problem() {
    accept("a", daily().build());
    accept("b", daily().build());
    status("b", status -> status.setRejectedRevision("waterclock.schedules-0@8"));
    rejected("c", "is wrong");
    assertThat(ids(filter("", Set.of(State.REJECTED)))).containsExactly("b", "c");
    assertThat(ids(filter("", Set.of(State.ACTIVE)))).containsExactly("a", "b");
    assertThat(all(model).overview(id -> true, NOW).problems())
        .extracting(Overview.Problem::id, Overview.Problem::kind)
        .containsExactly(tuple("c", ProblemKind.REJECTED), tuple("b", ProblemKind.EDIT_REJECTED));
  }

  @Test
  void search_looks_at_the_zone_the_calendars_and_the_author() {
    to(model)
        .revision(
            Revision.newBuilder()
                .setScheduleId("a")
                .setRevision(POSITION)
                .setSchedule(daily().setTimezone("Asia/Tokyo").setExcept(List.of("feasts")).build())
                .setOwnsAfter(NOW)
                .setEffectiveAt(NOW)
                .setAcceptedAt(NOW)
                .setTzdb("2026a")
                .setAuthor("Ann Other")
                .build(),
            NOW);
    status("a", status -> status);
    accept("b", daily().build());
    for (String part : List.of("tokyo", "FEAST", "ann o")) {
      assertThat(ids(filter(part, Set.of()))).as(part).containsExactly("a");
    }
  }

  @Test
  void row_says_never_of_a_schedule_of_which_everything_to_come_is_left_out() {
    List<String> all = List.of("weekends", "workdays");
    calendar("weekends", List.of(Weekday.SAT, Weekday.SUN));
    calendar("workdays", List.of(Weekday.MON, Weekday.TUE, Weekday.WED, Weekday.THU, Weekday.FRI));
    accept("a", daily().setExcept(all).build());
    accept("b", daily().build());
    accept("c", daily().setExcept(all).build());
    status("c", status -> status.setState(State.PAUSED));
    accept("d", daily().setTrigger(new OnceTrigger(null, 5L)).build());
    status(
        "d", status -> status.setRevision("waterclock.schedules-0@9")); // counts from what is gone
    accept("e", daily().setEndAt(NOW.minusSeconds(1)).build()); // completes soon
    SchedulePage page =
        all(model)
            .page(ScheduleFilter.ALL, id -> true, SchedulePage.Order.BY_ID, Optional.empty(), 9);
    assertThat(page.rows())
        .extracting(ScheduleRow::id, ScheduleRow::never)
        .containsExactly(
            tuple("a", true),
            tuple("b", false),
            tuple("c", false),
            tuple("d", false),
            tuple("e", false));
  }

  /** The reference sorts all rows at once by what they show. */
  @Test
  void every_order_reaches_each_schedule_once_page_by_page() {
    List<String> zones = List.of("UTC", "Asia/Tokyo", "Europe/Berlin");
    for (int i = 0; i < 20; i++) {
      accept(
          "s " + i,
          daily()
              .setTrigger(new CronTrigger(i % 7 + " 9 * * *"))
              .setTimezone(zones.get(i % 3))
              .setOwner(i % 4 == 0 ? null : "o " + i % 5)
              .build());
      if (i % 3 == 0) {
        to(model).fired(fire("s " + i, NOW.minusSeconds(i % 6)), 0, i);
      }
    }
    Map<String, Function<ScheduleRow, Optional<? extends Comparable<?>>>> columns =
        Map.of(
            "id",
            row -> Optional.of(row.id()),
            "zone",
            row -> Optional.of(row.zone()),
            "owner",
            ScheduleRow::owner,
            "trigger",
            row -> Optional.of(row.trigger()),
            "next",
            ScheduleRow::next,
            "last_fired",
            ScheduleRow::lastFired);
    columns.forEach(
        (name, value) -> {
          for (String sort : List.of(name, "-" + name)) {
            List<ScheduleRow> found = inPages(SchedulePage.Order.parse(sort));
            assertThat(found).as(sort).doesNotHaveDuplicates().hasSize(20);
            for (int i = 1; i < found.size(); i++) {
              assertThat(isOrdered(found.get(i - 1), found.get(i), value, sort.startsWith("-")))
                  .as("%s: %s before %s", sort, found.get(i - 1), found.get(i))
                  .isTrue();
            }
          }
        });
  }

  private List<ScheduleRow> inPages(SchedulePage.Order order) {
    List<ScheduleRow> found = new ArrayList<>();
    Optional<String> after = Optional.empty();
    do {
      SchedulePage page = all(model).page(ScheduleFilter.ALL, id -> true, order, after, 7);
      assertThat(page.total()).isEqualTo(20);
      found.addAll(page.rows());
      after = page.after();
    } while (after.isPresent());
    return found;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a column's values have one type
  private static boolean isOrdered(
      ScheduleRow one,
      ScheduleRow other,
      Function<ScheduleRow, Optional<? extends Comparable<?>>> value,
      boolean isDescending) {
    Optional<? extends Comparable<?>> left = value.apply(one);
    Optional<? extends Comparable<?>> right = value.apply(other);
    if (left.isEmpty() || right.isEmpty()) {
      return right.isEmpty() && (left.isPresent() || one.id().compareTo(other.id()) < 0);
    }
    int sign = ((Comparable) left.get()).compareTo(right.get());
    return sign == 0 ? one.id().compareTo(other.id()) < 0 : isDescending == sign > 0;
  }

  @Test
  void condition_reads_only_what_a_person_may_see_of_a_schedule() {
    accept("a", daily().setHeaders(Map.of("h", "x")).build());
    accept("b", daily().setCatchUp(CatchUp.REPLAY).build());
    assertThat(ids("catch_up = replay", Optional::of)).containsExactly("b");
    assertThat(ids("headers.h = x", Optional::of)).containsExactly("a");
    assertThat(
            ids(
                "headers.h = x",
                known -> known.id().equals("b") ? Optional.of(known) : Optional.empty()))
        .isEmpty();
  }

  private List<String> ids(String where, Function<KnownSchedule, Optional<KnownSchedule>> shown) {
    ScheduleFilter filter =
        new ScheduleFilter(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Set.of(),
            false,
            false,
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.of(WhereExpression.parse(where)));
    return model
        .page(filter, id -> true, shown, SchedulePage.Order.BY_ID, Optional.empty(), 10)
        .rows()
        .stream()
        .map(ScheduleRow::id)
        .toList();
  }

  @Test
  void missed_ranges_of_all_are_listed_newest_first_by_reason_and_time() {
    missed("a", 3, MissedReason.SKIPPED, NOW.minusSeconds(7_200));
    missed("a", 4, MissedReason.PAUSED, NOW.minusSeconds(60));
    missed("hidden", 9, MissedReason.PAUSED, NOW.minusSeconds(30));
    missed("b", 5, MissedReason.COLLAPSED_INTO, NOW.minusSeconds(20));
    MissedRow.Page all = missedSince(Optional.empty(), 1);
    assertThat(all.occurrences()).isEqualTo(9);
    assertThat(all.total()).isEqualTo(2);
    assertThat(all.rows()).extracting(MissedRow.OfSchedule::id).containsExactly("b");
    assertThat(missedSince(Optional.of(MissedReason.PAUSED), 9).rows())
        .extracting(row -> row.range().count())
        .containsExactly(4L);
  }

  private MissedRow.Page missedSince(Optional<MissedReason> reason, int most) {
    return all(model)
        .missedSince(NOW.minusSeconds(3_600), reason, id -> !id.equals("hidden"), most);
  }

  private void missed(String id, long count, MissedReason reason, Instant decidedAt) {
    to(model)
        .missed(
            Missed.newBuilder()
                .setScheduleId(id)
                .setFirst(NOW.minusSeconds(90_000))
                .setLast(NOW.minusSeconds(80_000))
                .setCount(count)
                .setCountIsLowerBound(false)
                .setReason(reason)
                .setDecidedAt(decidedAt)
                .setRevision(POSITION)
                .build());
  }

  private static Fire fire(String id, Instant at) {
    return Fire.newBuilder()
        .setFireId("")
        .setScheduleId(id)
        .setOccurrence(at)
        .setDue(at)
        .setFiredAt(at)
        .setCause(Cause.SCHEDULED)
        .setRevision(POSITION)
        .setSchedule(daily().build())
        .build();
  }

  @Test
  void fires_before_and_after_a_topic_was_created_again_keep_their_offsets() {
    ReadModel some = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(64 << 20, 10, 2));
    to(some).fired(fire("a", NOW), 0, 1_000);
    to(some).fired(fire("a", NOW.plusSeconds(1)), 0, 3);
    assertThat(all(some).fires("a", 10))
        .extracting(FiredOccurrence::offset)
        .containsExactly(3L, 1_000L);
  }

  /** A thousand may be gone; the block of the log has room for 16,384 fires. */
  @Test
  @Tag("all")
  void schedules_that_came_fired_and_went_are_forgotten_before_their_fires() {
    for (int i = 0; i < 40_000; i++) {
      accept("t/" + i, daily().build());
      to(model).fired(fire("t/" + i, NOW), 0, i);
      to(model).deleted("t/" + i);
      to(model).status("t/" + i, Optional.empty(), NOW);
    }
    assertThat(all(model).fires("t/39999", 1)).hasSize(1);
    assertThat(all(model).fires("t/39001", 1)).hasSize(1);
    assertThat(all(model).fires("t/38000", 1)).isEmpty();
    accept("new", daily().build());
    to(model).fired(fire("new", NOW), 0, 40_000);
    assertThat(all(model).fires("new", 10)).as("none of those whose number it has").hasSize(1);
    for (int i = 0; i < 16_384; i++) {
      to(model).fired(fire("other", NOW), 0, 40_001 + i);
    }
    assertThat(all(model).fires("new", 10)).isEmpty();
    assertThat(all(model).schedule("new")).isPresent();
  }

  /** 200 MB of payloads in a model of 8 MB. */
  @Test
  @Tag("all")
  void payloads_take_no_room() {
    for (int i = 0; i < 200; i++) {
      ByteBuffer payload = ByteBuffer.allocate(1_000_000).putInt(0, i);
      to(small)
          .written("a" + i, POSITION + i, Optional.of(daily().setPayload(payload).build()), NOW);
    }
    assertThat(small.read(ModelQueries::isIncomplete)).isFalse();
    assertThat(small.read(ModelQueries::size)).isEqualTo(200);
    KeptPayload kept =
        KeptPayload.in(all(small).schedule("a7").orElseThrow().schedule().orElseThrow())
            .orElseThrow();
    assertThat(kept.bytes()).isEqualTo(1_000_000);
    assertThat(kept.isOf(ByteBuffer.allocate(1_000_000).putInt(0, 7))).isTrue();
    assertThat(kept.isOf(ByteBuffer.allocate(1_000_000).putInt(0, 8))).isFalse();
  }

  private final ReadModel small =
      new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(8_000_000, 1, 1));

  private void describe(String id, int characters) {
    Schedule schedule = daily().setDescription("x".repeat(characters)).build();
    to(small).written(id, POSITION, Optional.of(schedule), NOW);
  }

  @Test
  void what_has_no_room_is_left_out_whole_and_said() {
    for (int i = 0; i < 100; i++) {
      describe("a" + (10 + i), 1_000_000);
    }
    assertThat(small.read(ModelQueries::isIncomplete)).isTrue();
    assertThat(small.read(ModelQueries::size)).isBetween(4L, 8L);
    assertThat(all(small).ids("").get(0)).isEqualTo("a10");
    long before = small.read(ModelQueries::size);
    describe("a10", 900_000); // one that is known may change
    to(small)
        .status(
            "b",
            Optional.of(
                ScheduleStatus.newBuilder()
                    .setScheduleId("b")
                    .setState(State.ACTIVE)
                    .setSince(NOW)
                    .build()),
            NOW);
    assertThat(all(small).schedule("b"))
        .isEmpty(); // what is new would be shown without its definition
    assertThat(small.read(ModelQueries::size)).isEqualTo(before);
    describe("a10", 7_000_000); // and goes if it has no room any more
    assertThat(all(small).schedule("a10")).isEmpty();
    assertThat(small.read(ModelQueries::size)).isEqualTo(before - 1);
  }

  @Test
  void there_is_room_again_when_half_of_it_is_free() {
    for (int i = 0; i < 10; i++) {
      describe("a" + i, 1_000_000);
    }
    List<String> ids = all(small).ids("");
    int deleted = 0;
    while (!small.read(ModelQueries::hasRoomAgain)) {
      to(small).deleted(ids.get(deleted++));
    }
    assertThat(deleted).isBetween(2, ids.size() - 1);
    small.clear();
    assertThat(small.read(ModelQueries::isIncomplete)).isFalse();
    describe("b", 1_000_000);
    assertThat(all(small).ids("")).containsExactly("b");
  }

  @Test
  void ids_alone_fill_no_more_than_the_room() {
    for (int i = 0; i < 100_000; i++) {
      describe("a" + i, 0);
    }
    assertThat(small.read(ModelQueries::isIncomplete)).isTrue();
    assertThat(small.read(ModelQueries::size)).isBetween(8_000L, 30_000L);
  }

  @Test
  void calendars_have_a_bound() {
    LocalDate day = LocalDate.parse("2026-12-25");
    List<DateRange> dates = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      dates.add(new DateRange(day.plusDays(i), day.plusDays(i)));
    }
    for (int i = 0; i < 100; i++) {
      to(small).calendar("c" + i, Optional.of(Calendar.newBuilder().setDates(dates).build()), NOW);
    }
    assertThat(small.read(ModelQueries::isIncomplete)).isTrue();
    assertThat(small.read(ModelQueries::calendarNames)).hasSizeBetween(1, 10);
  }

  @Test
  void calendars_without_dates_have_a_bound_in_number_and_in_bytes() {
    for (int i = 0; i < 1_001; i++) {
      to(model).calendar("c" + i, Optional.of(Calendar.newBuilder().build()), NOW);
    }
    assertThat(model.read(ModelQueries::isIncomplete)).isTrue();
    assertThat(model.read(ModelQueries::calendarNames)).hasSize(1_000).doesNotContain("c1000");
    ReadModel little = new ReadModel(ZoneOffset.UTC, new ModelWriter.Limits(1 << 20, 1, 2));
    for (int i = 0; i < 200; i++) {
      to(little).calendar("c" + i, Optional.of(Calendar.newBuilder().build()), NOW);
    }
    assertThat(little.read(ModelQueries::isIncomplete)).isTrue();
    assertThat(little.read(ModelQueries::calendarNames)).hasSizeLessThan(130);
  }

  /** One thread asks. */
  private static ModelQueries all(ReadModel model) {
    return model.read(queries -> queries);
  }

  /** One thread writes. */
  private static ModelWriter to(ReadModel model) {
    List<ModelWriter> writers = new ArrayList<>();
    model.write(writers::add);
    return writers.get(0);
  }

  private static LoadAhead.Group group(
      String name, long schedules, long occurrences, long fullest) {
    return new LoadAhead.Group(name, schedules, occurrences, fullest, Optional.empty(), List.of());
  }
}

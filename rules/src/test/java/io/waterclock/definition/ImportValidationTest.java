package io.waterclock.definition;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.avro.Collapsed;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.ExportedRange;
import io.waterclock.schemas.avro.ExportedRevision;
import io.waterclock.schemas.avro.ExportedRun;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.HeldOccurrence;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.OrderedFire;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.RunningBackfill;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** AdoptionTest shows of each state that moves that it is valid. */
class ImportValidationTest {
  private static final Instant DAY = Instant.parse("2026-03-04T00:00:00Z");
  private static final Schedule EVERY =
      definition(EveryTrigger.newBuilder().setN(10).setUnit(Unit.MINUTE).setAnchor(DAY).build());
  private static final Instant EARLY = Instant.ofEpochMilli(-1);
  private static final Instant FAR = Instant.parse("+10000-01-02T00:00:00Z");
  private static final Instant LONG_AGO = Instant.parse("-0001-12-30T00:00:00Z");
  private static final String OUTSIDE = "lies outside the years 0000 to 9999";
  private static final CommandedPause PAUSE =
      CommandedPause.newBuilder().setSince(at("10:00")).build();

  static Stream<Arguments> revisions() {
    return Stream.of(
        wrong("revision", "is empty", s -> s.setRevision("")),
        wrong("revision", "has 1001 characters", s -> s.setRevision("r".repeat(1_001))),
        wrong("written_at", OUTSIDE, s -> s.setWrittenAt(FAR)),
        wrong("effective_at", "lies before 1970", s -> s.setEffectiveAt(EARLY)),
        wrong("effective_at", OUTSIDE, s -> s.setEffectiveAt(FAR)),
        wrong("owns_after", "lies before 1970", s -> s.setOwnsAfter(EARLY)),
        wrong("owns_after", OUTSIDE, s -> s.setOwnsAfter(FAR)),
        wrong("decided_through", "lies before 1970", s -> s.setDecidedThrough(EARLY)),
        wrong("decided_through", OUTSIDE, s -> s.setDecidedThrough(FAR)),
        wrong("resolved_at", "is missing", s -> s.setResolvedAt(null)),
        wrong("resolved_at", OUTSIDE, s -> s.setResolvedAt(FAR)),
        wrong("bounded_by", OUTSIDE, s -> s.setBoundedBy(FAR)),
        wrong("due_floor", "a single instant only", s -> s.setDueFloor(at("10:00"))),
        wrong("owned_before", OUTSIDE, s -> s.setOwnedBefore(LONG_AGO)),
        wrong("replay_through", OUTSIDE, s -> s.setReplayThrough(FAR)),
        wrong("completed_at", OUTSIDE, s -> s.setCompletedAt(FAR)));
  }

  static Stream<Arguments> replaced() {
    return Stream.of(
        wrong("older", "has 1001 elements; at most 1000", s -> s.setOlder(older(1_001))),
        wrong("older", "the schedule is paused", s -> s.setPause(PAUSE).setOlder(older(1))),
        wrong("older[0].revision", "is empty", s -> older(s, r -> r.setRevision(""))),
        wrong("older[0].effective_at", "before 1970", s -> older(s, r -> r.setEffectiveAt(EARLY))),
        wrong(
            "older[0].effective_at",
            "lies after 2026-03-04T09:55:00Z, when it was replaced",
            s -> older(s, r -> r.setEffectiveAt(at("09:56")))),
        wrong("older[0].owns_after", OUTSIDE, s -> older(s, r -> r.setOwnsAfter(FAR))),
        wrong("older[0].resolved_at", "is missing", s -> older(s, r -> r.setResolvedAt(null))),
        wrong("older[0].resolved_at", OUTSIDE, s -> older(s, r -> r.setResolvedAt(FAR))),
        wrong("older[0].bounded_by", OUTSIDE, s -> older(s, r -> r.setBoundedBy(FAR))),
        wrong("older[0].due_floor", "only", s -> older(s, r -> r.setDueFloor(at("10:00")))),
        wrong(
            "older[0].schedule.cron",
            "",
            s ->
                older(
                    s,
                    r ->
                        r.setSchedule(
                            definition(
                                CronTrigger.newBuilder().setExpression("61 * * * *").build())))),
        wrong("carried", "the schedule is paused", s -> carried(s.setPause(PAUSE), r -> r)),
        wrong("carried[0].revision", "is empty", s -> carried(s, r -> r.setRevision(""))),
        wrong("carried[0].first", OUTSIDE, s -> carried(s, r -> r.setFirst(LONG_AGO))),
        wrong(
            "carried[0].last",
            "lies before first",
            s -> carried(s, r -> r.setFirst(at("09:50")).setBeforeLast(null))),
        wrong(
            "carried[0].last_due",
            "lies before last",
            s -> carried(s, r -> r.setLastDue(at("09:39")))),
        wrong("carried[0].before_last", "is missing", s -> carried(s, r -> r.setBeforeLast(null))),
        wrong(
            "carried[0].before_last",
            "does not lie from first",
            s -> carried(s, r -> r.setBeforeLast(at("09:40")))),
        wrong("carried[0].count", "is 1; it must be from 2", s -> carried(s, r -> r.setCount(1))),
        wrong("carried[0].count", "is -3;", s -> carried(s, r -> r.setCount(-3))),
        wrong("carried[0].count", "to 3155", s -> carried(s, r -> r.setCount(Long.MAX_VALUE))));
  }

  static Stream<Arguments> commanded() {
    return Stream.of(
        wrong("pause.since", OUTSIDE, s -> s.setPause(pause(FAR, "", ""))),
        wrong("pause.note", "at most 1000", s -> s.setPause(pause(EARLY, "n".repeat(1_001), ""))),
        wrong("pause.author", "at most 255", s -> s.setPause(pause(EARLY, "", "a".repeat(256)))),
        wrong("held.occurrence", OUTSIDE, s -> s.setHeld(held(FAR, 1, at("10:10")))),
        wrong(
            "held.collapsed.count",
            "is 0; it must be from 1",
            s -> s.setHeld(held(at("10:20"), 0, at("10:10")))),
        wrong(
            "held.collapsed.first",
            "lies after the occurrence",
            s -> s.setHeld(held(at("10:20"), 1, at("10:30")))),
        wrong(
            "skips",
            "has 1001 elements; at most 1000",
            s -> s.setSkips(nCopies(1_001, at("10:20")))),
        wrong("skips[1]", OUTSIDE, s -> s.setSkips(List.of(at("10:20"), FAR))),
        wrong("fires", "has 10001 elements; at most 10000", s -> s.setFires(fires(10_001))),
        wrong(
            "fires[0].command_id",
            "must have 1 to 255 characters",
            s -> s.setFires(List.of(fire("", at("10:00"))))),
        wrong(
            "fires[1].command_id",
            "is there twice",
            s -> s.setFires(nCopies(2, fire("c", at("10:00"))))),
        wrong("fires[0].at", OUTSIDE, s -> s.setFires(List.of(fire("c", FAR)))));
  }

  static Stream<Arguments> backfilled() {
    return Stream.of(
        wrong("backfills", "has 17 elements; at most 16", s -> s.setBackfills(backfills(17))),
        wrong(
            "backfills[1].command_id",
            "is there twice",
            s -> s.setBackfills(nCopies(2, backfill("c").build()))),
        wrong("backfills[0].command_id", "must have", s -> backfill(s, b -> b.setCommandId("\n"))),
        wrong("backfills[0].to", OUTSIDE, s -> backfill(s, b -> b.setTo(FAR))),
        wrong("backfills[0].to", "is not after from", s -> backfill(s, b -> b.setTo(at("10:00")))),
        wrong(
            "backfills[0].fired_through",
            "does not lie from just before from",
            s -> backfill(s, b -> b.setFiredThrough(at("10:20")))),
        wrong(
            "backfills[0].fired_through",
            "does not lie from just before from",
            s -> backfill(s, b -> b.setFiredThrough(at("09:59")))),
        wrong("backfills[0].fired", "is -1; it must", s -> backfill(s, b -> b.setFired(-1))));
  }

  static Stream<Arguments> running() {
    return Stream.of(
        wrong("run.occurrence", OUTSIDE, s -> run(s, r -> r.setOccurrence(FAR))),
        wrong("run.fired_at", OUTSIDE, s -> run(s, r -> r.setFiredAt(LONG_AGO))),
        wrong("run.ends_at", OUTSIDE, s -> run(s, r -> r.setEndsAt(FAR))),
        wrong("run.ends_at", "before fired_at", s -> run(s, r -> r.setEndsAt(at("09:59")))),
        wrong("run.timeout_ms", "is -1; it must", s -> run(s, r -> r.setTimeoutMs(-1))),
        wrong("run.timeout_ms", "to 3155", s -> run(s, r -> r.setTimeoutMs(Long.MAX_VALUE))),
        wrong("failures_after", OUTSIDE, s -> s.setFailuresAfter(LONG_AGO)),
        wrong(
            "failed",
            "has 170000 elements; at most 1000",
            s -> s.setFailed(nCopies(170_000, at("10:00")))),
        wrong("failed[1]", OUTSIDE, s -> s.setFailed(List.of(at("10:00"), FAR))),
        wrong(
            "failed[0]",
            "is not after failures_after",
            s -> s.setFailuresAfter(at("10:00")).setFailed(List.of(at("10:00")))));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource({"revisions", "replaced", "commanded", "backfilled", "running"})
  void what_no_scheduler_has_brought_about_is_told_with_its_place(
      String field, String message, UnaryOperator<ExportedState.Builder> change) {
    assertThat(ImportValidation.problems("a", EVERY, change.apply(valid()).build()))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.getField()).isEqualTo("waterclock-import." + field);
              assertThat(problem.getMessage()).contains(message);
            });
  }

  @Test
  void what_is_as_large_as_commands_let_it_become_is_valid() {
    ExportedState.Builder full =
        valid()
            .setSkips(nCopies(1_000, at("10:20")))
            .setFires(fires(1_000))
            .setBackfills(backfills(16))
            .setOlder(older(100))
            .setHeld(held(at("10:20"), 1, at("10:20")))
            .setFailuresAfter(at("09:00"))
            .setFailed(nCopies(1_000, at("10:00")));
    assertThat(ImportValidation.problems("a", EVERY, run(carried(full, r -> r), r -> r).build()))
        .isEmpty();
  }

  /** Until 1972 Monrovia was 44 minutes and 30 seconds behind: no minute of UTC began a minute. */
  @Test
  void replaced_definitions_that_take_too_many_steps_together_are_refused() {
    Instant anchor = Instant.parse("1971-06-01T00:00:00Z");
    Schedule seldom =
        definition(
            RRuleTrigger.newBuilder()
                .setRule("FREQ=SECONDLY;INTERVAL=60;BYSECOND=0")
                .setAnchor(anchor)
                .build());
    seldom.setTimezone("Africa/Monrovia");
    ExportedRevision revision = older().setSchedule(seldom).setResolvedAt(anchor).build();
    ExportedState state = valid().setOlder(nCopies(1_000, revision)).build();
    Effort effort = Effort.of(1);
    assertThat(ImportValidation.problems("a", EVERY, state, effort))
        .extracting(Problem::getField)
        .containsExactly("waterclock-import.older");
    assertThat(effort.total()).isLessThan(ImportValidation.ENOUGH_STEPS + Effort.DECISION);
  }

  @Test
  void all_is_told_at_once_up_to_a_hundred_problems() {
    ExportedState.Builder two = valid().setEffectiveAt(EARLY).setDecidedThrough(FAR);
    assertThat(ImportValidation.problems("a", EVERY, two.build()))
        .extracting(Problem::getField)
        .containsExactly("waterclock-import.effective_at", "waterclock-import.decided_through");
    ExportedState.Builder many = valid().setSkips(nCopies(1_000, FAR));
    assertThat(ImportValidation.problems("a", EVERY, many.build())).hasSize(100);
  }

  @Test
  void a_single_instant_may_have_been_past_for_however_long() {
    Instant at = Instant.parse("0000-01-01T00:00:00Z");
    Schedule once = definition(OnceTrigger.newBuilder().setAt(at).build());
    ExportedState.Builder state =
        valid()
            .setOwnsAfter(at.minusMillis(1))
            .setDecidedThrough(at.minusMillis(1))
            .setResolvedAt(at)
            .setDueFloor(at("09:55"));
    assertThat(ImportValidation.problems("a", once, state.build())).isEmpty();
  }

  @Test
  void a_definition_may_end_when_it_likes() {
    Schedule ending = Schedule.newBuilder(EVERY).setEndAt(FAR).build();
    ExportedState state = valid().setBoundedBy(FAR).build();
    assertThat(ImportValidation.problems("a", ending, state)).isEmpty();
  }

  private static Arguments wrong(
      String field, String message, UnaryOperator<ExportedState.Builder> change) {
    return Arguments.of(field, message, change);
  }

  private static Instant at(String time) {
    return DAY.plus(Duration.between(LocalTime.MIDNIGHT, LocalTime.parse(time)));
  }

  private static Schedule definition(Object trigger) {
    return Schedule.newBuilder().setTrigger(trigger).setTimezone("UTC").build();
  }

  private static ExportedState.Builder valid() {
    return ExportedState.newBuilder()
        .setRevision("schedules-0@1")
        .setWrittenAt(at("09:55"))
        .setEffectiveAt(at("09:55"))
        .setOwnsAfter(at("09:55"))
        .setResolvedAt(DAY)
        .setDecidedThrough(at("10:00"));
  }

  private static ExportedRevision.Builder older() {
    return ExportedRevision.newBuilder()
        .setRevision("schedules-0@0")
        .setSchedule(EVERY)
        .setEffectiveAt(at("09:00"))
        .setOwnsAfter(at("09:00"))
        .setResolvedAt(DAY);
  }

  private static List<ExportedRevision> older(int count) {
    return nCopies(count, older().build());
  }

  private static ExportedState.Builder older(
      ExportedState.Builder state, UnaryOperator<ExportedRevision.Builder> change) {
    return state.setOlder(List.of(change.apply(older()).build()));
  }

  private static ExportedState.Builder carried(
      ExportedState.Builder state, UnaryOperator<ExportedRange.Builder> change) {
    ExportedRange.Builder range =
        ExportedRange.newBuilder()
            .setRevision("schedules-0@0")
            .setFirst(at("09:20"))
            .setBeforeLast(at("09:30"))
            .setLast(at("09:40"))
            .setLastDue(at("09:40"))
            .setCount(3);
    return state.setCarried(List.of(change.apply(range).build()));
  }

  private static CommandedPause pause(Instant since, String note, String author) {
    return CommandedPause.newBuilder().setSince(since).setNote(note).setAuthor(author).build();
  }

  private static HeldOccurrence held(Instant at, long count, Instant first) {
    Collapsed others = Collapsed.newBuilder().setCount(count).setFirst(first).build();
    return HeldOccurrence.newBuilder().setOccurrence(at).setCollapsed(others).build();
  }

  private static OrderedFire fire(String commandId, Instant at) {
    return OrderedFire.newBuilder().setCommandId(commandId).setAt(at).build();
  }

  private static List<OrderedFire> fires(int count) {
    return IntStream.range(0, count).mapToObj(i -> fire("c-" + i, at("10:00"))).toList();
  }

  private static RunningBackfill.Builder backfill(String commandId) {
    return RunningBackfill.newBuilder()
        .setCommandId(commandId)
        .setFrom(at("10:00"))
        .setTo(at("10:20"))
        .setFiredThrough(at("10:00").minusMillis(1))
        .setFired(0);
  }

  private static ExportedState.Builder backfill(
      ExportedState.Builder state, UnaryOperator<RunningBackfill.Builder> change) {
    return state.setBackfills(List.of(change.apply(backfill("c")).build()));
  }

  private static List<RunningBackfill> backfills(int count) {
    return IntStream.range(0, count).mapToObj(i -> backfill("b-" + i).build()).toList();
  }

  private static ExportedState.Builder run(
      ExportedState.Builder state, UnaryOperator<ExportedRun.Builder> change) {
    ExportedRun.Builder run =
        ExportedRun.newBuilder()
            .setOccurrence(at("10:00"))
            .setFiredAt(at("10:00"))
            .setTimeoutMs(300_000)
            .setEndsAt(at("10:05"));
    return state.setRun(change.apply(run).build());
  }
}

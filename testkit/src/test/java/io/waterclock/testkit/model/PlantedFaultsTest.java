package io.waterclock.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.schemas.avro.BackfillCommand;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.testkit.Harnesses;
import io.waterclock.testkit.SchedulerHarness;
import io.waterclock.testkit.StoreTampering;
import io.waterclock.topology.scheduler.context.Settings;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The test is itself tested: what is wrong is seen, in both ways of judging. */
class PlantedFaultsTest {
  private static final int ENOUGH = 6;
  private static final Instant START = Instant.parse("2026-03-04T10:00:00Z");
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final int RATE = 100;

  private static Stream<Arguments> faults() {
    return Stream.of(
        Arguments.of("nothing wrong", once(fire -> List.of(fire)), true, ""),
        Arguments.of("dropped", once(fire -> List.of()), true, "not seen"),
        Arguments.of("doubled", once(fire -> List.of(fire, fire)), true, "fired twice"),
        Arguments.of("early", once(PlantedFaultsTest::early), true, "before it"),
        Arguments.of("nothing wrong", once(fire -> List.of(fire)), false, ""),
        Arguments.of("dropped", once(fire -> List.of()), false, "behind the watermark"),
        Arguments.of("doubled", once(fire -> List.of(fire, fire)), false, "fired twice"),
        Arguments.of("early", once(PlantedFaultsTest::early), false, "before it"));
  }

  @ParameterizedTest(name = "{0}, foretold: {2}")
  @MethodSource("faults")
  void an_occurrence_dropped_doubled_or_early_is_caught(
      String fault, UnaryOperator<List<Outcome>> tampering, boolean exact, String messages) {
    if (messages.isEmpty()) {
      run(tampering, exact);
    } else {
      assertThatThrownBy(() -> run(tampering, exact))
          .as(fault)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(messages);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_position_that_did_not_advance_is_caught(boolean exact) {
    SchedulerHarness scheduler = harness(exact);
    try (Rig rig = rig(scheduler, UnaryOperator.identity(), exact)) {
      rig.put("a", everyTenSeconds(), START);
      pass(rig, 15);
      StoreTampering.Position before = StoreTampering.position(scheduler);
      pass(rig, 15);
      rig.stop();
      before.putBack();
      assertThatThrownBy(rig::start)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("fired twice");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void an_occurrence_that_an_earlier_life_has_decided_and_that_fires_again_is_caught(
      boolean exact) {
    SchedulerHarness scheduler = harness(exact);
    try (Rig rig = rig(scheduler, UnaryOperator.identity(), exact)) {
      rig.put("a", everyTenSeconds(START), START);
      pass(rig, 35);
      rig.delete("a");
      StoreTampering.forgetRemoved(scheduler);
      rig.stop();
      rig.start();
      assertThatThrownBy(
              () -> {
                rig.put("a", everyTenSeconds(START), scheduler.now().minusSeconds(20));
                pass(rig, 5);
              })
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("fired twice");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void what_has_fired_and_is_missed_as_deleted_when_the_topic_is_read_again_is_caught(
      boolean exact) {
    List<Outcome> lived = new ArrayList<>();
    boolean[] readAgain = {false};
    UnaryOperator<List<Outcome>> dying =
        outcomes -> {
          lived.addAll(outcomes);
          return readAgain[0] ? lived.stream().map(PlantedFaultsTest::deleted).toList() : outcomes;
        };
    try (Rig rig = rig(harness(exact), dying, exact)) {
      rig.put("a", everyTenSeconds(), START);
      pass(rig, 35);
      rig.delete("a");
      readAgain[0] = true;
      assertThatThrownBy(() -> pass(rig, 1))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(exact ? "missed DELETED" : "no revision owns it undecided");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_resume_that_overrides_a_later_definition_is_caught(boolean exact) {
    SchedulerHarness scheduler = harness(exact);
    try (Rig rig = rig(scheduler, UnaryOperator.identity(), exact)) {
      rig.put("a", everyTenSeconds(), START);
      byte[] enabled = StoreTampering.definition(scheduler, "a");
      pass(rig, 15);
      Instant resumedAt = scheduler.now();
      pass(rig, 3);
      Schedule disabled = Schedule.newBuilder(everyTenSeconds()).setEnabled(false).build();
      rig.put("a", disabled, scheduler.now());
      ResumeCommand resume = new ResumeCommand(OnResume.NOTHING, null, null, null);
      rig.command("a", new Command("c", resume, null, null, null), resumedAt, false);
      pass(rig, 3);
      rig.stop();
      StoreTampering.define(scheduler, "a", enabled);
      assertThatThrownBy(
              () -> {
                rig.start();
                pass(rig, 30);
              })
          .isInstanceOf(AssertionError.class);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_backfill_that_fires_what_never_was_due_is_caught(boolean exact) {
    UnaryOperator<List<Outcome>> anchored =
        outcomes ->
            outcomes.stream()
                .flatMap(
                    outcome ->
                        outcome instanceof Outcome.Extra extra
                            ? Stream.of(at(extra, START), extra)
                            : Stream.of(outcome))
                .toList();
    SchedulerHarness scheduler = harness(exact);
    try (Rig rig = rig(scheduler, anchored, exact)) {
      rig.put("a", everyTenSeconds(), START);
      pass(rig, 25);
      BackfillCommand backfill =
          new BackfillCommand(START.minusSeconds(60), scheduler.now(), false, null);
      assertThatThrownBy(
              () -> {
                rig.command(
                    "a", new Command("c", backfill, null, null, null), scheduler.now(), false);
                pass(rig, 3);
              })
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("next in the backfill is");
    }
  }

  /** What was fired, as if it had been written off with its schedule. */
  private static Outcome deleted(Outcome outcome) {
    return new Outcome.Lost(
        outcome.id(), outcome.revision(), outcome.at(), MissedReason.DELETED, Optional.empty());
  }

  private static Outcome at(Outcome.Extra extra, Instant at) {
    return new Outcome.Extra(
        extra.id(),
        extra.revision(),
        at.toEpochMilli(),
        extra.firedAt(),
        extra.cause(),
        extra.commandId());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_fire_on_a_date_that_a_calendar_excludes_is_caught(boolean exact) {
    UnaryOperator<List<Outcome>> firing =
        outcomes -> outcomes.stream().map(PlantedFaultsTest::fired).toList();
    try (Rig rig = rig(harness(exact), firing, exact)) {
      LocalDate today = START.atZone(ZoneOffset.UTC).toLocalDate();
      Calendar calendar =
          Calendar.newBuilder().setDates(List.of(new DateRange(today, today))).build();
      rig.putCalendar("c1", calendar);
      rig.put("a", Schedule.newBuilder(everyTenSeconds()).setExcept(List.of("c1")).build(), START);
      assertThatThrownBy(() -> pass(rig, 30))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(exact ? "missed SKIPPED" : "should be left out");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_fire_while_the_one_before_it_runs_is_caught(boolean exact) {
    UnaryOperator<List<Outcome>> firing =
        outcomes -> outcomes.stream().map(PlantedFaultsTest::fired).toList();
    try (Rig rig = rig(harness(exact), firing, exact)) {
      rig.put("a", running(Overlap.SKIP), START);
      assertThatThrownBy(() -> pass(rig, 30))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(exact ? "missed OVERLAP" : "while the fire of another");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_fire_that_was_held_back_and_is_lost_is_caught(boolean exact) {
    boolean[] first = {true};
    UnaryOperator<List<Outcome>> losing =
        outcomes -> {
          boolean keeps = first[0];
          first[0] &= outcomes.isEmpty();
          return outcomes.stream().filter(o -> keeps || !(o instanceof Outcome.Fired)).toList();
        };
    try (Rig rig = rig(harness(exact), losing, exact)) {
      rig.put("a", running(Overlap.BUFFER_ONE), START);
      assertThatThrownBy(() -> pass(rig, 60))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(exact ? "not seen" : "gap in what is decided");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothing_is_wrong_with_overlapping_fires_as_they_are(boolean exact) {
    for (Overlap overlap : Overlap.values()) {
      try (Rig rig = rig(harness(exact), UnaryOperator.identity(), exact)) {
        rig.put("a", running(overlap), START);
        pass(rig, 90);
      }
    }
  }

  /** Every 10 seconds; a run takes 35. */
  private static Schedule running(Overlap overlap) {
    return Schedule.newBuilder(everyTenSeconds()).setOverlap(overlap).setTimeoutMs(35_000L).build();
  }

  /** What was left out, as if it had fired in its time. */
  private static Outcome fired(Outcome outcome) {
    return outcome instanceof Outcome.Lost lost
        ? new Outcome.Fired(
            lost.id(),
            lost.revision(),
            lost.at(),
            lost.at(),
            lost.at(),
            Cause.SCHEDULED,
            Optional.empty())
        : outcome;
  }

  /** From the account of users, which goes by what is written and knows of no reference. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_fire_that_is_lost_is_missing_in_the_account(boolean wasDisabled) {
    SchedulerHarness scheduler = harness(true);
    try (Rig rig = rig(scheduler, UnaryOperator.identity(), true)) {
      rig.put("a", Schedule.newBuilder(everyTenSeconds()).setEnabled(!wasDisabled).build(), START);
      pass(rig, 35);
      Accounts.mustBalance(scheduler);
      ResumeCommand resume = new ResumeCommand(OnResume.NOTHING, null, null, null);
      rig.command("a", new Command("c", resume, null, null, null), scheduler.now(), false);
      pass(rig, 60);
      Accounts.mustBalance(scheduler);
      Fire lost = scheduler.fires().get(2);
      assertThatThrownBy(() -> Accounts.mustBalance(scheduler, fire -> !fire.equals(lost)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("HOLE");
    }
  }

  @Test
  void a_doubled_fire_in_a_random_trace_is_caught_with_its_seed() {
    List<String> messages = new ArrayList<>();
    for (long seed = 0; seed < 20; seed++) {
      try {
        Trace.run(seed, once(fire -> List.of(fire, fire)));
      } catch (AssertionError e) {
        messages.add(String.valueOf(e.getMessage()));
      }
    }
    assertThat(messages)
        .hasSizeGreaterThan(7)
        .allMatch(text -> text.startsWith("waterclock.seed=") && text.contains("fired twice"));
  }

  @Test
  void an_ordered_fire_that_is_dropped_or_doubled_in_a_random_trace_is_caught() {
    assertThat(messages(extra -> List.of(extra, extra)))
        .hasSize(ENOUGH)
        .allMatch(text -> text.contains("ordered was") || text.contains("backfill"));
    assertThat(messages(extra -> List.of()))
        .hasSize(ENOUGH)
        .allMatch(
            text ->
                text.contains("not fired")
                    || text.contains("ordered was")
                    || text.contains("backfill"));
  }

  /** The first messages after a change of the first fire of a command. */
  private static List<String> messages(Function<Outcome, List<Outcome>> change) {
    List<String> messages = new ArrayList<>();
    for (long seed = 0; seed < 100 && messages.size() < ENOUGH; seed++) {
      boolean[] done = {false};
      try {
        Trace.run(
            seed,
            outcomes -> {
              List<Outcome> changed = new ArrayList<>();
              for (Outcome outcome : outcomes) {
                boolean first = outcome instanceof Outcome.Extra && !done[0];
                done[0] |= first;
                changed.addAll(first ? change.apply(outcome) : List.of(outcome));
              }
              return changed;
            });
      } catch (AssertionError e) {
        messages.add(String.valueOf(e.getMessage()));
      }
    }
    return messages;
  }

  private static void run(UnaryOperator<List<Outcome>> tampering, boolean exact) {
    try (Rig rig = rig(harness(exact), tampering, exact)) {
      rig.put("a", everyTenSeconds(), START);
      pass(rig, 60);
    }
  }

  private static Schedule everyTenSeconds() {
    return Schedule.newBuilder()
        .setTrigger(EveryTrigger.newBuilder().setN(10).setUnit(Unit.SECOND).build())
        .setTimezone("UTC")
        .setCatchUp(CatchUp.REPLAY)
        .build();
  }

  private static Schedule everyTenSeconds(Instant anchor) {
    EveryTrigger every =
        EveryTrigger.newBuilder().setN(10).setUnit(Unit.SECOND).setAnchor(anchor).build();
    return Schedule.newBuilder(everyTenSeconds()).setTrigger(every).build();
  }

  private static void pass(Rig rig, int ticks) {
    for (int i = 0; i < ticks; i++) {
      rig.step(TICK);
    }
  }

  private static SchedulerHarness harness(boolean exact) {
    Duration budget = exact ? Duration.ofSeconds(10) : Duration.ZERO;
    return Harnesses.ticking(
        START,
        new Settings.Pace(
            TICK, new Settings.Budget(budget, Integer.MAX_VALUE), 10, TICK, Duration.ofMinutes(5)));
  }

  private static Rig rig(
      SchedulerHarness scheduler, UnaryOperator<List<Outcome>> tampering, boolean exact) {
    long horizonMs = START.plusSeconds(3_600).toEpochMilli();
    return new Rig(
        scheduler,
        new StepCheck(scheduler, tampering, RATE),
        exact,
        horizonMs,
        Duration.ofHours(1));
  }

  /** Does something to the third fire. */
  private static UnaryOperator<List<Outcome>> once(Function<Outcome.Fired, List<Outcome>> change) {
    int[] seen = {0};
    return outcomes -> {
      List<Outcome> changed = new ArrayList<>();
      for (Outcome outcome : outcomes) {
        boolean third = outcome instanceof Outcome.Fired && ++seen[0] == 3;
        changed.addAll(third ? change.apply((Outcome.Fired) outcome) : List.of(outcome));
      }
      return changed;
    };
  }

  private static List<Outcome> early(Outcome.Fired fire) {
    return List.of(
        new Outcome.Fired(
            fire.id(),
            fire.revision(),
            fire.at(),
            fire.due(),
            fire.due() - 1,
            fire.cause(),
            fire.group()));
  }
}

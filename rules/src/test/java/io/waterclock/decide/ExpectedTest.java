package io.waterclock.decide;

import static io.waterclock.schemas.avro.OutcomeState.DROPPED;
import static io.waterclock.schemas.avro.OutcomeState.FAILED;
import static io.waterclock.schemas.avro.OutcomeState.STARTED;
import static io.waterclock.schemas.avro.OutcomeState.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Expectations;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every ten minutes; what is expected of the fires is told when it does not come true. */
final class ExpectedTest {
  private static Life expecting(Expectations.Builder what) {
    return Life.everyTenMinutes(CatchUp.COLLAPSE)
        .with(d -> d.setExpect(what.build()))
        .put("09:55");
  }

  private static Expectations.Builder expect() {
    return Expectations.newBuilder();
  }

  private static long minutes(long number) {
    return Duration.ofMinutes(number).toMillis();
  }

  private static Life succeedingWithin(long minutes) {
    return expecting(expect().setSucceededWithinMs(minutes(minutes)));
  }

  @Test
  void what_succeeds_in_time_is_told_nowhere() {
    Life life = succeedingWithin(5).tick("10:00").report("10:05", "10:00", SUCCEEDED);
    assertThat(life.tick("10:09").alerts()).isEmpty();
    assertThat(life.wakesAt()).contains("10:10");
  }

  @Test
  void a_deadline_wakes_the_schedule_and_is_told_once_until_the_success() {
    Life life = succeedingWithin(5).tick("10:00");
    assertThat(life.wakesAt()).contains("10:05");
    life.report("10:01", "10:00", STARTED).tick("10:05").tick("10:09");
    assertThat(life.alerts())
        .containsExactly("OVERDUE SUCCEEDED_WITHIN 10:00 at 10:05 by WORKER");
    assertThat(life.wakesAt()).as("nothing more to tell").contains("10:10");
    life.tick("10:10").report("10:12", "10:10", SUCCEEDED).tick("10:12");
    assertThat(life.alerts()).hasSize(2).endsWith("RECOVERED SUCCEEDED_WITHIN 10:00 at 10:12");
    assertThat(life.tick("10:19").alerts()).hasSize(2);
  }

  @Test
  void it_says_whose_fault_it_is() {
    assertThat(succeedingWithin(5).tick("10:00").tick("10:05").alerts())
        .containsExactly("OVERDUE SUCCEEDED_WITHIN 10:00 at 10:05 by NOT_REPORTED");
    assertThat(
            succeedingWithin(5).tick("10:00").report("10:02", "10:00", FAILED).tick("10:05")
                .alerts())
        .containsExactly("OVERDUE SUCCEEDED_WITHIN 10:00 at 10:05 by WORKER");
    assertThat(succeedingWithin(5).tick("10:08").alerts())
        .containsExactly("OVERDUE SUCCEEDED_WITHIN 10:00 at 10:08 by SCHEDULER");
    Life never = expecting(expect().setSucceededEveryMs(minutes(8)));
    assertThat(never.with(d -> d).tick("10:03").alerts())
        .containsExactly("OVERDUE SUCCEEDED_EVERY 09:55 at 10:03 by NOT_REPORTED");
    Life nothing =
        Life.of(Life.every(60), CatchUp.COLLAPSE)
            .with(d -> d.setExpect(expect().setSucceededEveryMs(minutes(4)).build()))
            .put("09:55");
    assertThat(nothing.tick("09:59").alerts())
        .containsExactly("OVERDUE SUCCEEDED_EVERY 09:55 at 09:59 by NOTHING_FIRED");
  }

  @Test
  void a_scheduler_that_was_down_reads_what_was_reported_meanwhile_and_tells_nothing() {
    Life life = succeedingWithin(5).tick("10:00");
    life.reportLate("10:04", "11:00", "10:00", SUCCEEDED).tick("11:00");
    assertThat(life.alerts()).isEmpty();
    assertThat(life.fires()).hasSize(2);
  }

  @Test
  void what_came_true_late_is_told_as_it_was_however_late_it_is_read() {
    Life life = succeedingWithin(5).tick("10:00");
    life.reportLate("10:07", "10:09", "10:00", SUCCEEDED).tick("10:09");
    assertThat(life.alerts())
        .containsExactly(
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:05 by WORKER",
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:07");
  }

  @Test
  void nothing_is_decided_before_its_input_is_read() {
    Life life = succeedingWithin(5).tick("10:00").decideReadThrough("10:04", "10:08");
    assertThat(life.alerts()).isEmpty();
    life.report("10:05", "10:00", SUCCEEDED).tick("10:08");
    assertThat(life.alerts()).isEmpty();
  }

  @Test
  void a_start_is_expected_by_itself() {
    Life life =
        expecting(
            expect().setStartedWithinMs(minutes(1)).setSucceededWithinMs(minutes(8)));
    life.tick("10:00").tick("10:01").report("10:02", "10:00", STARTED).tick("10:02").tick("10:09");
    assertThat(life.alerts())
        .containsExactly(
            "OVERDUE STARTED_WITHIN 10:00 at 10:01 by NOT_REPORTED",
            "RECOVERED STARTED_WITHIN 10:00 at 10:02",
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:08 by WORKER");
  }

  @Test
  void what_a_worker_drops_is_not_expected() {
    Life life = succeedingWithin(5).tick("10:00").report("10:01", "10:00", DROPPED).tick("10:09");
    assertThat(life.alerts()).isEmpty();
  }

  @Test
  void nothing_is_expected_in_a_pause_and_after_it_only_of_new_fires() {
    Life life =
        expecting(
            expect().setSucceededWithinMs(minutes(5)).setSucceededEveryMs(minutes(30)));
    life.tick("10:00").command("10:02", "\"pause\": {}").tick("11:40");
    assertThat(life.alerts()).isEmpty();
    assertThat(life.wakesAt()).isEmpty();
    life.command("11:41", "\"resume\": {}").tick("11:49");
    assertThat(life.alerts()).isEmpty();
    life.tick("11:50").tick("11:55").tick("12:11");
    assertThat(life.alerts())
        .containsExactly(
            "OVERDUE SUCCEEDED_WITHIN 11:50 at 11:55 by NOT_REPORTED",
            "OVERDUE SUCCEEDED_EVERY 11:41 at 12:11 by NOT_REPORTED");
  }

  @Test
  void what_is_deleted_or_expects_nothing_more_is_overdue_no_more() {
    Life deleted = succeedingWithin(5).tick("10:00").tick("10:05").deleteLate("10:06", "10:06");
    assertThat(deleted.alerts())
        .endsWith("RECOVERED SUCCEEDED_WITHIN 10:00 at 10:06 withdrawn");
    Life edited =
        succeedingWithin(5).tick("10:00").tick("10:05").edit("10:06", d -> d.setExpect(null));
    assertThat(edited.alerts())
        .hasSize(2)
        .endsWith("RECOVERED SUCCEEDED_WITHIN 10:00 at 10:06 withdrawn");
    assertThat(edited.state().isPlain()).isTrue();
  }

  @Test
  void a_schedule_without_expectations_stores_and_waits_for_nothing_more() {
    Life life = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    assertThat(life.state().isPlain()).isTrue();
    assertThat(life.last().fires()).noneMatch(fire -> fire.wantsOutcome());
    assertThat(succeedingWithin(5).tick("10:00").last().fires())
        .allMatch(fire -> fire.wantsOutcome());
  }

  @Test
  void a_single_fire_is_complete_when_its_deadlines_are_over() {
    Life life =
        Life.of(Life.once("10:00"), CatchUp.COLLAPSE)
            .with(d -> d.setExpect(expect().setSucceededWithinMs(minutes(30)).build()))
            .put("09:55");
    life.tick("10:00").review("10:10");
    assertThat(life.state().completedAt()).isEmpty();
    life.tick("10:30").review("10:31");
    assertThat(life.alerts()).hasSize(1);
    assertThat(life.state().completedAt()).isPresent();
    life.report("10:40", "10:00", SUCCEEDED);
    assertThat(life.state().completedAt()).isPresent();
  }

  @Test
  void what_is_overdue_goes_along_to_another_scheduler() {
    Life life = succeedingWithin(5).tick("10:00").tick("10:05").move("10:06");
    life.tick("10:10").report("10:11", "10:10", SUCCEEDED).tick("10:12");
    assertThat(life.alerts())
        .containsExactly(
            "OVERDUE SUCCEEDED_WITHIN 10:00 at 10:05 by NOT_REPORTED",
            "RECOVERED SUCCEEDED_WITHIN 10:00 at 10:11");
  }

  static List<Long> seeds() {
    List<Long> seeds = new ArrayList<>();
    for (long seed = 1; seed <= 200; seed++) {
      seeds.add(seed);
    }
    return seeds;
  }

  private record Reported(Instant at, Instant occurrence) {}

  /**
   * Successes at random, read late at random, and ticks at random: the alerts are those that follow
   * from the facts, second by second.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void alerts_follow_from_the_facts_whenever_these_are_read(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long within = 1 + random.nextInt(25);
    Life life = succeedingWithin(within);
    List<Instant> fires = new ArrayList<>();
    List<Reported> facts = new ArrayList<>();
    Instant begin = Life.at("10:00");
    int minutes = 300;
    for (int minute = 0; minute < minutes; minute++) {
      Instant now = begin.plus(Duration.ofMinutes(minute));
      life.tick(Life.time(now));
      if (minute % 10 == 0) {
        fires.add(now);
      }
      if (random.nextInt(100) < 12) {
        Instant of = fires.get(random.nextInt(fires.size()));
        Instant at = now.plusSeconds(30);
        facts.add(new Reported(at, of));
        life.report(Life.time(at), Life.time(of), SUCCEEDED);
      }
    }
    Instant end = begin.plus(Duration.ofMinutes(minutes));
    life.tick(Life.time(end));
    assertThat(life.alerts().stream().map(ExpectedTest::withoutFault).toList())
        .as("seed %s, within %s min", seed, within)
        .isEqualTo(expected(fires, facts, Duration.ofMinutes(within), end));
  }

  private static String withoutFault(String alert) {
    return alert.replaceFirst(" by .*", "").replaceFirst("_WITHIN \\S+ at", "_WITHIN at");
  }

  /** By the definition: at an instant, what is late that has not come true by then. */
  private static List<String> expected(
      List<Instant> fires, List<Reported> facts, Duration within, Instant end) {
    TreeSet<Instant> instants = new TreeSet<>();
    fires.forEach(fire -> instants.add(fire.plus(within)));
    facts.forEach(fact -> instants.add(fact.at()));
    List<String> alerts = new ArrayList<>();
    boolean isOverdue = false;
    for (Instant at : instants.headSet(end, true)) {
      boolean isLate =
          fires.stream()
              .filter(fire -> !fire.plus(within).isAfter(at))
              .anyMatch(
                  fire ->
                      facts.stream()
                          .noneMatch(
                              fact ->
                                  !fact.at().isAfter(at) && !fact.occurrence().isBefore(fire)));
      if (isLate != isOverdue) {
        alerts.add((isLate ? "OVERDUE" : "RECOVERED") + " SUCCEEDED_WITHIN at " + Life.time(at));
        isOverdue = isLate;
      }
    }
    return alerts;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void a_success_is_expected_in_every_such_time(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long within = 5 + random.nextInt(40);
    Life life = expecting(expect().setSucceededEveryMs(minutes(within)));
    List<Instant> successes = new ArrayList<>(List.of(Life.at("09:55")));
    List<String> expected = new ArrayList<>();
    Instant begin = Life.at("10:00");
    for (int minute = 0; minute < 300; minute++) {
      Instant now = begin.plus(Duration.ofMinutes(minute));
      life.tick(Life.time(now));
      if (random.nextInt(100) < 4) {
        Instant at = now.plusSeconds(30);
        Instant deadline = successes.get(successes.size() - 1).plus(Duration.ofMinutes(within));
        if (at.isAfter(deadline)) {
          expected.add("OVERDUE SUCCEEDED_EVERY at " + Life.time(deadline));
          expected.add("RECOVERED SUCCEEDED_EVERY at " + Life.time(at));
        }
        successes.add(at);
        int latest = minute / 10 * 10;
        OutcomeState success = SUCCEEDED;
        life.report(Life.time(at), Life.time(begin.plus(Duration.ofMinutes(latest))), success);
      }
    }
    life.tick(Life.time(begin.plus(Duration.ofMinutes(300))));
    Instant last = successes.get(successes.size() - 1).plus(Duration.ofMinutes(within));
    if (!last.isAfter(begin.plus(Duration.ofMinutes(300)))) {
      expected.add("OVERDUE SUCCEEDED_EVERY at " + Life.time(last));
    }
    assertThat(
            life.alerts().stream()
                .map(alert -> alert.replaceFirst(" by .*", ""))
                .map(alert -> alert.replaceFirst("_EVERY \\S+ at", "_EVERY at"))
                .toList())
        .as("seed %s, every %s min", seed, within)
        .isEqualTo(expected);
  }
}

package io.waterclock.decide;

import static io.waterclock.schemas.avro.OutcomeState.DROPPED;
import static io.waterclock.schemas.avro.OutcomeState.FAILED;
import static io.waterclock.schemas.avro.OutcomeState.STARTED;
import static io.waterclock.schemas.avro.OutcomeState.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Failing;
import io.waterclock.decide.model.Failures;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A schedule whose fires fail in a row is failing until one succeeds. */
final class FailingTest {
  private static final String PAUSE = "\"pause\": {}";

  private static Life fired(int after, int minutes) {
    Life life = Life.everyTenMinutes(CatchUp.COLLAPSE).failingAfter(after).put("09:55");
    for (int minute = 0; minute < minutes; minute += 10) {
      life.tick(time(minute));
    }
    return life;
  }

  /** So many minutes after ten. */
  private static String time(int minute) {
    return Life.time(Life.at("10:00").plus(Duration.ofMinutes(minute)));
  }

  private static Optional<Failing> failing(Life life) {
    return life.state().runs().failures().failing();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void reports_in_order_make_it_failing_exactly_while_the_last_ones_are_failures(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int after = 1 + random.nextInt(4);
    Life life = fired(after, 0);
    int inRow = 0;
    boolean wasFailing = false;
    for (int minute = 0; minute < 600; minute += 10) {
      life.tick(time(minute));
      OutcomeState outcome = random.nextInt(100) < 75 ? FAILED : SUCCEEDED;
      if (random.nextInt(10) == 0) {
        life.report(time(minute + 1), time(minute), random.nextBoolean() ? STARTED : DROPPED);
        continue;
      }
      life.report(time(minute + 1), time(minute), outcome);
      inRow = outcome == FAILED ? inRow + 1 : 0;
      boolean isFailing = inRow >= after;
      assertThat(failing(life).isPresent())
          .as("seed %s minute %s", seed, minute)
          .isEqualTo(isFailing);
      assertThat(failing(life).map(Failing::count).orElse(0L)).isEqualTo(isFailing ? inRow : 0);
      assertThat(life.last().status().isPresent())
          .as("said at the first, at each doubling, and at the end")
          .isEqualTo(isFailing ? saidAt(inRow, after) : wasFailing);
      assertThat(life.state().runs().failures().failed()).hasSizeLessThanOrEqualTo(after);
      ScheduleState before = life.state();
      assertThat(life.report(time(minute + 2), time(minute), outcome).state()).isSameAs(before);
      wasFailing = isFailing;
    }
  }

  private static boolean saidAt(int count, int after) {
    for (int told = after; told <= count; told *= 2) {
      if (told == count) {
        return true;
      }
    }
    return false;
  }

  @Test
  void it_says_since_when_how_many_and_the_last_error() {
    Life life = fired(2, 30).fails("10:01", "10:00", "no disk").fails("10:12", "10:10", "no net");
    assertThat(failing(life))
        .contains(
            new Failing(
                Life.at("10:12"), 2, Life.at("10:10"), Life.at("10:12"), Optional.of("no net")));
    life.fails("10:22", "10:20", "x".repeat(600));
    assertThat(failing(life).orElseThrow().since()).isEqualTo(Life.at("10:12"));
    assertThat(failing(life).orElseThrow().error()).contains("x".repeat(500) + "...");
    assertThat(life.state().life()).isEqualTo(State.ACTIVE);
  }

  @Test
  void reports_out_of_order_count_in_the_order_of_occurrences() {
    List<List<String>> orders = new ArrayList<>();
    permute(List.of(), List.of("10:00", "10:10", "10:20"), orders);
    for (List<String> order : orders) {
      Life life = fired(3, 30);
      order.forEach(occurrence -> life.report("10:25", occurrence, FAILED));
      assertThat(failing(life).orElseThrow().occurrence()).isEqualTo(Life.at(order.get(2)));
      assertThat(life.state().runs().failures().failed()).isSorted().hasSize(3);
      life.report("10:26", "10:10", SUCCEEDED);
      assertThat(failing(life)).as("only the last one is left").isEmpty();
      assertThat(life.state().runs().failures().failed()).containsExactly(Life.at("10:20"));
    }
  }

  private static void permute(List<String> done, List<String> rest, List<List<String>> all) {
    if (rest.isEmpty()) {
      all.add(done);
    }
    for (String next : rest) {
      List<String> more = new ArrayList<>(done);
      more.add(next);
      List<String> fewer = new ArrayList<>(rest);
      fewer.remove(next);
      permute(more, fewer, all);
    }
  }

  @Test
  void what_succeeds_stores_nothing() {
    Life life = fired(3, 10);
    ScheduleState before = life.state();
    assertThat(life.report("10:01", "10:00", SUCCEEDED).state()).isSameAs(before);
    life.tick("10:10").report("10:11", "10:10", FAILED);
    assertThat(life.state().isPlain()).isFalse();
    life.tick("10:20").report("10:21", "10:20", SUCCEEDED);
    assertThat(life.state().isPlain()).as("in step again").isTrue();
  }

  @Test
  void nothing_is_failing_where_that_is_off() {
    Life life = fired(0, 60);
    ScheduleState before = life.state();
    for (int minute = 0; minute < 60; minute += 10) {
      life.report("11:00", time(minute), FAILED);
    }
    assertThat(life.state()).isSameAs(before);
  }

  @Test
  void an_edit_or_a_pause_does_not_make_it_well() {
    Life life = fired(1, 10).report("10:01", "10:00", FAILED);
    life.edit("10:02", d -> d.setDescription("tried to mend it"));
    assertThat(failing(life)).isPresent();
    life.command("10:03", PAUSE).command("10:04", "\"resume\": {}");
    assertThat(failing(life)).isPresent();
    life.edit("10:05", d -> d.setPauseAfterFailures(5).setOverlap(Overlap.SKIP));
    assertThat(failing(life)).isPresent();
    life.tick("10:10").report("10:11", "10:10", SUCCEEDED);
    assertThat(failing(life)).isEmpty();
  }

  @Test
  void a_pause_changes_nothing_about_what_is_reported() {
    Life life = fired(1, 10).command("10:02", PAUSE).reportLate("10:01", "10:03", "10:00", FAILED);
    assertThat(failing(life)).as("as if it had been read before the pause").isPresent();
    life.report("10:04", "10:00", SUCCEEDED);
    assertThat(failing(life)).isEmpty();
  }

  @Test
  void what_is_defined_again_after_a_delete_begins_well() {
    Life life = fired(1, 10).report("10:01", "10:00", FAILED);
    life.deleteLate("10:02", "10:02").put("10:03");
    assertThat(failing(life)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"2, 3, 2", "3, 2, 3"})
  void a_pause_after_failures_keeps_its_own_count(int pauseAfter, int failingAfter, int reports) {
    Life life =
        Life.everyTenMinutes(CatchUp.COLLAPSE)
            .failingAfter(failingAfter)
            .with(d -> d.setPauseAfterFailures(pauseAfter))
            .put("09:55");
    for (int i = 0; i < reports; i++) {
      life.tick(time(10 * i)).report(time(10 * i + 1), time(10 * i), FAILED);
    }
    assertThat(life.state().isHeld()).isTrue();
    assertThat(failing(life).isPresent()).isEqualTo(failingAfter <= reports);
  }

  @Test
  void a_single_instant_is_no_row() {
    Life life = Life.of(Life.once("10:00"), CatchUp.COLLAPSE).failingAfter(1).put("09:55");
    life.tick("10:00").report("10:01", "10:00", FAILED);
    assertThat(life.state().runs().failures()).isEqualTo(Failures.NONE);
  }

  @Test
  void it_is_failing_at_another_scheduler_too() {
    Life life = fired(2, 30);
    life.report("10:01", "10:00", FAILED).report("10:11", "10:10", FAILED);
    Optional<Failing> before = failing(life);
    assertThat(before).isPresent();
    life.move("10:25");
    assertThat(failing(life)).isEqualTo(before);
    Instant since = before.orElseThrow().since();
    assertThat(failing(life.report("10:26", "10:20", FAILED)).orElseThrow().since())
        .isEqualTo(since);
  }
}

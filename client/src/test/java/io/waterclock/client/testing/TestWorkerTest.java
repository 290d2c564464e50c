package io.waterclock.client.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.client.schedules.ScheduleBuilder;
import io.waterclock.client.worker.FireWorker;
import io.waterclock.testkit.SchedulerHarness;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TestWorkerTest {
  private static final Instant NOON = Instant.parse("2026-03-28T12:00:00Z");

  private static FireWorker.Builder worker() {
    return FireWorker.builder("unused:9092", "test");
  }

  @Test
  void a_handler_runs_when_its_fire_is_due_and_what_it_puts_counts_from_then() {
    List<String> ran = new ArrayList<>();
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(NOON)) {
      TestWorker worker =
          TestWorker.of(
              worker()
                  .onSchedule(
                      "first",
                      run -> {
                        ran.add("first " + scheduler.now());
                        scheduler.put("second", "{\"in\":\"10m\"}");
                      })
                  .onSchedule("second", run -> ran.add("second " + scheduler.now())));
      scheduler.put("first", "{\"in\":\"1h\"}");
      scheduler.put("for-others", "{\"in\":\"1h\"}");
      scheduler.advance(Duration.ofHours(2), worker);
      assertThat(ran).containsExactly("first 2026-03-28T13:00:00Z", "second 2026-03-28T13:10:00Z");
      assertThat(scheduler.now()).isEqualTo(NOON.plus(Duration.ofHours(2)));
    }
  }

  @Test
  void a_handler_makes_its_schedule_fire_again_and_another_one_too() {
    List<String> ran = new ArrayList<>();
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(NOON)) {
      TestWorker worker =
          TestWorker.of(
                  worker()
                      .onSchedule(
                          "poll",
                          run -> {
                            // a definition at the instant of its schedule's fire counts as the
                            // millisecond after
                            ran.add("poll " + scheduler.now().truncatedTo(ChronoUnit.SECONDS));
                            if (ran.size() == 1) {
                              run.scheduleNext(NOON.plus(Duration.ofHours(3)));
                            } else if (ran.size() == 2) {
                              run.scheduleNext(Duration.ofMinutes(10));
                            } else if (ran.size() == 3) {
                              run.scheduleNext(Duration.ofMinutes(10));
                              run.put("report", ScheduleBuilder.after(Duration.ofMinutes(1)));
                            } else {
                              run.delete("never");
                            }
                          })
                      .onSchedule("report", run -> ran.add("report " + run.payload().length)))
              .definitions(
                  (id, definition) ->
                      definition.ifPresentOrElse(
                          made -> scheduler.put(id, made), () -> scheduler.delete(id)));
      scheduler.put("poll", "{\"in\":\"1h\",\"payload\":1,\"labels\":{\"a\":\"b\"}}");
      scheduler.put("never", "{\"in\":\"1d\"}");
      scheduler.advance(Duration.ofDays(2), worker);
      assertThat(ran)
          .containsExactly(
              "poll 2026-03-28T13:00:00Z",
              "poll 2026-03-28T15:00:00Z",
              "poll 2026-03-28T15:10:00Z",
              "report 0",
              "poll 2026-03-28T15:20:00Z");
      assertThat(scheduler.fires("poll"))
          .allSatisfy(fire -> assertThat(fire.getSchedule().getLabels()).containsEntry("a", "b"));
      assertThat(scheduler.fires("never")).isEmpty();
    }
  }

  @Test
  void a_test_without_a_taker_says_what_the_handler_wanted_to_define() {
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(NOON)) {
      TestWorker worker =
          TestWorker.of(worker().onAny(run -> run.scheduleNext(Duration.ofMinutes(10))));
      scheduler.put("poll", "{\"in\":\"1h\"}");
      assertThatThrownBy(() -> scheduler.advance(Duration.ofHours(2), worker))
          .hasRootCauseMessage(
              "the handler changes the schedule poll: give the test a taker, with"
                  + " definitions(...)");
    }
  }

  @Test
  void an_outcome_reaches_the_scheduler_and_a_checkpoint_the_next_run() {
    List<String> found = new ArrayList<>();
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(NOON)) {
      TestWorker worker =
          TestWorker.of(
              worker()
                  .onAny(
                      run -> {
                        found.add(
                            run.checkpoint().map(left -> new String(left, UTF_8)).orElse("none"));
                        run.leaveCheckpoint(("after " + found.size()).getBytes(UTF_8));
                      }));
      // without a report each run would last for its timeout, beyond the next occurrence
      scheduler.put("poll", "{\"every\":\"10m\",\"overlap\":\"skip\",\"timeout\":\"15m\"}");
      scheduler.advance(Duration.ofMinutes(30), worker);
      assertThat(found).containsExactly("none", "after 1", "after 2");
      assertThat(scheduler.missed()).isEmpty();
    }
  }

  @Test
  void a_fire_that_its_handler_drops_leaves_the_checkpoint_as_it_is_and_a_success_removes_it() {
    List<String> found = new ArrayList<>();
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(NOON)) {
      TestWorker worker =
          TestWorker.of(
              worker()
                  .onAny(
                      run -> {
                        found.add(
                            run.checkpoint().map(left -> new String(left, UTF_8)).orElse("none"));
                        if (found.size() == 1) {
                          run.leaveCheckpoint("page 7".getBytes(UTF_8));
                        } else if (found.size() == 2) {
                          run.drop("a holiday");
                        }
                      }));
      scheduler.put("poll", "{\"every\":\"10m\"}");
      scheduler.advance(Duration.ofMinutes(40), worker);
      assertThat(found).containsExactly("none", "page 7", "page 7", "none");
    }
  }

  @Test
  void the_exception_of_a_handler_reaches_the_test() {
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(NOON)) {
      TestWorker worker =
          TestWorker.of(
              worker()
                  .onAny(
                      run -> {
                        throw new IllegalStateException("no paper");
                      }));
      scheduler.put("report", "{\"in\":\"1h\"}");
      assertThatThrownBy(() -> scheduler.advance(Duration.ofHours(2), worker))
          .isInstanceOf(HandlerFailedException.class)
          .hasMessageContaining("report|2026-03-28T13:00:00.000Z")
          .hasMessageContaining("no paper");
    }
  }
}

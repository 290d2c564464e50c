package io.waterclock.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.OutcomeState;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** In which order a backfill fires, and how many of its fires run at a time. */
final class BackfillPaceTest {

  /** Fires every ten minutes from 10:00 to 11:00; a run may take five minutes. */
  private static Life running() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55");
    return a.tick("11:00");
  }

  private static String backfill(String more) {
    return "\"backfill\": {\"from\": \"%s\", \"to\": \"%s\", %s}"
        .formatted(Life.at("10:00"), Life.at("10:45"), more);
  }

  private static List<String> fired(Life a) {
    return a.fires().stream()
        .filter(line -> line.contains("BACKFILL"))
        .map(line -> line.substring(0, 5))
        .toList();
  }

  private static String id(Life a) {
    return a.state().commanded().backfills().get(0).commandId();
  }

  @Test
  void the_newest_fires_first_whatever_the_size_of_a_turn() {
    for (int most = 1; most <= 9; most++) {
      Life a = running().command("11:01", backfill("\"newest_first\": true"));
      for (int turn = 0; turn < 9; turn++) {
        a.goOn("11:02", most);
      }
      assertThat(fired(a)).containsExactly("10:40", "10:30", "10:20", "10:10", "10:00");
      assertThat(a.state().commanded().backfills()).isEmpty();
    }
  }

  @Test
  void the_newest_first_leaves_out_what_the_definition_leaves_out() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY);
    a.with(d -> d.setSkip(List.of(Life.at("10:40"), Life.at("10:20")))).put("09:55").tick("11:00");
    a.command("11:01", backfill("\"newest_first\": true")).goOn("11:02", 9).goOn("11:02", 9);
    assertThat(fired(a)).containsExactly("10:30", "10:10", "10:00");
    assertThat(a.state().commanded().backfills()).isEmpty();
  }

  @Test
  void the_newest_first_waits_until_its_range_is_decided() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00");
    a.command("11:01", backfill("\"newest_first\": true"));
    assertThat(a.state().hasBackfillToFire()).isFalse();
    a.tick("11:02");
    assertThat(a.state().hasBackfillToFire()).isTrue();
    assertThat(fired(a.goOn("11:02", 2))).containsExactly("10:40", "10:30");
  }

  @Test
  void no_more_run_than_may() {
    Life a = running().command("11:01", backfill("\"max_running\": 2")).goOn("11:02", 9);
    assertThat(fired(a)).containsExactly("10:00", "10:10");
    assertThat(held(a.state())).contains("11:07");
    a.goOn("11:06", 9);
    assertThat(fired(a)).hasSize(2);

    a.reportBackfill("11:06", id(a), "10:10", OutcomeState.SUCCEEDED);
    assertThat(a.state().backfillHeldUntil()).isEmpty();
    a.goOn("11:06", 9);
    assertThat(fired(a)).containsExactly("10:00", "10:10", "10:20");

    a.goOn("11:07", 9); // the time-out of 10:00 is over
    assertThat(fired(a)).endsWith("10:20", "10:30");
    assertThat(held(a.state())).contains("11:11");
  }

  @Test
  void a_start_begins_the_time_out_anew() {
    Life a = running().command("11:01", backfill("\"max_running\": 1")).goOn("11:02", 9);
    a.reportBackfill("11:05", id(a), "10:00", OutcomeState.STARTED);
    assertThat(held(a.state())).contains("11:10");
  }

  @Test
  void a_report_counts_for_its_backfill_and_for_the_fire_that_it_names_once() {
    Life a = running().command("11:01", backfill("\"max_running\": 1")).goOn("11:02", 9);
    String id = id(a);
    ScheduleState before = a.state();
    a.report("11:03", "10:00", OutcomeState.SUCCEEDED);
    a.reportBackfill("11:03", "another", "10:00", OutcomeState.SUCCEEDED);
    a.reportBackfill("11:03", id, "10:50", OutcomeState.SUCCEEDED);
    assertThat(a.state()).isEqualTo(before);
    a.reportBackfill("11:03", id, "10:00", OutcomeState.FAILED).goOn("11:03", 9);
    a.reportBackfill("11:03", id, "10:00", OutcomeState.FAILED).goOn("11:03", 9);
    assertThat(fired(a)).containsExactly("10:00", "10:10");
  }

  @Test
  void a_report_of_a_backfill_meets_no_expectation_and_ends_no_run() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY);
    a.with(d -> d.setPauseAfterFailures(1)).put("09:55").tick("10:50");
    a.command("11:01", backfill("\"max_running\": 1")).goOn("11:02", 9);
    a.reportBackfill("11:03", id(a), "10:00", OutcomeState.FAILED);
    assertThat(a.state().isHeld()).isFalse();
  }

  @Test
  void bounded_and_newest_first_at_once() {
    Life a =
        running()
            .command("11:01", backfill("\"max_running\": 3, \"newest_first\": true"))
            .goOn("11:02", 9);
    assertThat(fired(a)).containsExactly("10:40", "10:30", "10:20");
    a.goOn("11:08", 9);
    assertThat(fired(a)).endsWith("10:10", "10:00");
    assertThat(a.state().commanded().backfills()).isEmpty();
  }

  @Test
  void a_bound_needs_a_time_out() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).with(d -> d.setTimeoutNone(true));
    a.put("09:55").tick("11:00").command("11:01", backfill("\"max_running\": 1"));
    assertThat(a.answer()).startsWith("REJECTED").contains("backfill.max_running");
    assertThat(a.state().commanded().backfills()).isEmpty();
  }

  private static Optional<String> held(ScheduleState state) {
    return state.backfillHeldUntil().map(at -> at.toString().substring(11, 16));
  }
}

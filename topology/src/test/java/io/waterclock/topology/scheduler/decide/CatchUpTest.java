package io.waterclock.topology.scheduler.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CatchUp;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of missed occurrences, of one revision and of several. */
class CatchUpTest {
  private static final List<java.time.Instant> TEN_TWENTY = List.of(Life.at("10:20"));

  @Test
  void exactly_grace_late_is_not_missed() {
    Life a = Life.everyTenMinutes(CatchUp.SKIP).put("09:55").tick("10:01");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0");
    Life b = Life.everyTenMinutes(CatchUp.SKIP).put("09:55").tick("10:01:00.001");
    assertThat(b.missed()).containsExactly("10:00 GRACE of r0");
  }

  @Test
  void a_collapse_leaves_out_what_is_on_the_skip_list() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).with(d -> d.setSkip(TEN_TWENTY)).put("10:05");
    a.tick("10:45");
    assertThat(a.fires()).containsExactly("10:40 CATCH_UP {2 from 10:10} by r0");
    assertThat(a.missed())
        .containsExactlyInAnyOrder(
            "10:10 COLLAPSED_INTO 10:40 of r0",
            "10:20 SKIPPED of r0",
            "10:30 COLLAPSED_INTO 10:40 of r0");
  }

  @Test
  void a_collapse_whose_last_is_on_the_skip_list_fires_the_one_before() {
    Life a =
        Life.everyTenMinutes(CatchUp.COLLAPSE)
            .with(d -> d.setSkip(List.of(Life.at("10:40"))))
            .put("10:05");
    a.tick("10:45");
    assertThat(a.fires()).containsExactly("10:30 CATCH_UP {2 from 10:10} by r0");
    assertThat(a.missed()).contains("10:40 SKIPPED of r0");
    assertThat(a.next()).contains("10:50");
  }

  @Test
  void what_the_skip_list_leaves_out_is_not_missed_and_so_nothing_collapses_for_it() {
    Life a =
        Life.of(Life.every(1), CatchUp.COLLAPSE)
            .with(d -> d.setGraceMs(150_000).setSkip(List.of(Life.at("10:10"))))
            .put("10:09");
    a.tick("10:13");
    assertThat(a.fires())
        .containsExactly("10:11 SCHEDULED by r0", "10:12 SCHEDULED by r0", "10:13 SCHEDULED by r0");
    assertThat(a.missed()).containsExactly("10:10 SKIPPED of r0");
  }

  @Test
  void skip_and_replay_leave_out_what_is_on_the_skip_list() {
    Life skip = Life.everyTenMinutes(CatchUp.SKIP).with(d -> d.setSkip(TEN_TWENTY)).put("10:05");
    skip.tick("10:45");
    assertThat(skip.missed())
        .containsExactly(
            "10:10 GRACE of r0", "10:20 SKIPPED of r0", "10:30..10:40 GRACE (2) of r0");
    Life replay =
        Life.everyTenMinutes(CatchUp.REPLAY).with(d -> d.setSkip(TEN_TWENTY)).put("10:05");
    replay.tick("10:45");
    assertThat(replay.fires())
        .containsExactly("10:10 CATCH_UP by r0", "10:30 CATCH_UP by r0", "10:40 CATCH_UP by r0");
    assertThat(replay.missed()).containsExactly("10:20 SKIPPED of r0");
  }

  @Test
  void max_replay_counts_what_was_missed_not_what_is_late_within_grace() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).with(d -> d.setMaxReplay(2)).put("10:05");
    a.tick("10:40:30");
    assertThat(a.fires())
        .containsExactly("10:20 CATCH_UP by r0", "10:30 CATCH_UP by r0", "10:40 SCHEDULED by r0");
    assertThat(a.missed()).containsExactly("10:10 OUT_OF_WINDOW of r0");
  }

  @Test
  void a_window_shorter_than_grace_drops_only_what_was_missed() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).with(d -> d.setCatchUpWindowMs(0L)).put("10:05");
    a.tick("10:40:30");
    assertThat(a.fires()).containsExactly("10:40 SCHEDULED by r0");
    assertThat(a.missed()).containsExactly("10:10..10:30 OUT_OF_WINDOW (3) of r0");
  }

  @Test
  void a_replay_of_which_nothing_is_left_is_over() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).with(d -> d.setCatchUpWindowMs(0L)).put("10:05");
    a.tick("10:45");
    assertThat(a.missed()).containsExactly("10:10..10:40 OUT_OF_WINDOW (4) of r0");
    assertThat(a.state().replayThrough()).isEmpty();
    assertThat(a.state().isPlain()).isTrue();
  }

  @Test
  void a_replay_under_way_goes_on_to_where_it_was_to_end() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).with(d -> d.setMaxReplay(3)).put("10:05");
    a.decideOnce("10:45").decideOnce("10:45").tick("11:15");
    assertThat(a.missed()).containsExactly("10:10 OUT_OF_WINDOW of r0");
    assertThat(a.fires()).hasSize(6).first().isEqualTo("10:20 CATCH_UP by r0");
  }

  private static Life edited(CatchUp first, CatchUp second) {
    return Life.everyTenMinutes(first)
        .put("10:05")
        .editLate("10:25", "10:45", d -> d.setCatchUp(second))
        .tick("10:45");
  }

  @Test
  void collapse_then_replay_fires_the_old_ones_as_one_of_the_new_revision_and_the_new_ones_each() {
    Life a = edited(CatchUp.COLLAPSE, CatchUp.REPLAY);
    assertThat(a.fires())
        .containsExactly(
            "10:20 CATCH_UP {1 from 10:10} by r1", "10:30 CATCH_UP by r1", "10:40 CATCH_UP by r1");
    assertThat(a.missed()).containsExactly("10:10 COLLAPSED_INTO 10:20 of r0");
  }

  @Test
  void collapse_then_skip_fires_the_old_ones_as_one_and_skips_the_new_ones() {
    Life a = edited(CatchUp.COLLAPSE, CatchUp.SKIP);
    assertThat(a.fires()).containsExactly("10:20 CATCH_UP {1 from 10:10} by r1");
    assertThat(a.missed())
        .containsExactlyInAnyOrder(
            "10:10 COLLAPSED_INTO 10:20 of r0", "10:30..10:40 GRACE (2) of r1");
  }

  @Test
  void replay_then_collapse_fires_the_old_ones_each_and_the_new_ones_as_one() {
    Life a = edited(CatchUp.REPLAY, CatchUp.COLLAPSE);
    assertThat(a.fires())
        .containsExactly(
            "10:10 CATCH_UP by r0", "10:20 CATCH_UP by r0", "10:40 CATCH_UP {1 from 10:30} by r1");
  }

  @Test
  void skip_then_collapse_skips_the_old_ones_and_fires_the_new_ones_as_one() {
    Life a = edited(CatchUp.SKIP, CatchUp.COLLAPSE);
    assertThat(a.fires()).containsExactly("10:40 CATCH_UP {1 from 10:30} by r1");
    assertThat(a.missed())
        .containsExactlyInAnyOrder(
            "10:10..10:20 GRACE (2) of r0", "10:30 COLLAPSED_INTO 10:40 of r1");
  }

  @Test
  void a_collapse_is_carried_past_a_revision_that_skips_whenever_the_edits_are_read() {
    Life late =
        Life.everyTenMinutes(CatchUp.COLLAPSE)
            .put("10:05")
            .editLate("10:15", "10:45", d -> d.setCatchUp(CatchUp.SKIP))
            .editLate("10:25", "10:45", d -> d.setCatchUp(CatchUp.COLLAPSE))
            .tick("10:45");
    Life early =
        Life.everyTenMinutes(CatchUp.COLLAPSE)
            .put("10:05")
            .edit("10:15", d -> d.setCatchUp(CatchUp.SKIP))
            .edit("10:25", d -> d.setCatchUp(CatchUp.COLLAPSE))
            .tick("10:45");
    assertThat(late.fires()).containsExactly("10:40 CATCH_UP {2 from 10:10} by r2");
    assertThat(early.fires()).isEqualTo(late.fires());
    assertThat(early.missed()).containsExactlyInAnyOrderElementsOf(late.missed());
  }

  @Test
  void five_hundred_edits_in_an_outage_keep_no_definitions() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("10:05");
    for (int i = 0; i < 500; i++) {
      String name = "e" + i;
      String put = Life.time(Life.at("10:06").plus(Duration.ofMillis(4_560L * i)));
      a.editLate(put, "10:45", d -> d.setDescription(name));
    }
    assertThat(a.state().older()).isEmpty();
    assertThat(a.state().carried()).hasSize(4);
    a.tick("10:45");
    assertThat(a.fires()).containsExactly("10:40 CATCH_UP {3 from 10:10} by r500");
    assertThat(a.missed()).hasSize(3);
  }

  @Test
  void an_outage_of_years_costs_one_fire_and_one_range() {
    Life a = Life.of(Life.every(1), CatchUp.COLLAPSE).put("00:00");
    Life b = Life.of(Life.cron("* * * * *"), CatchUp.COLLAPSE).put("00:00");
    for (Life life : List.of(a, b)) {
      life.tick("23:59");
      assertThat(life.fires()).hasSize(1);
      assertThat(life.missed()).hasSize(1);
    }
  }
}

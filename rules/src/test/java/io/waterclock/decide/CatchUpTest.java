package io.waterclock.decide;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.CarriedOccurrences;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of missed occurrences, of one revision and of several. */
class CatchUpTest {
  private static final List<Instant> TEN_TWENTY = List.of(Life.at("10:20"));

  @Test
  void exactly_grace_late_is_not_missed() {
    Life a = Life.everyTenMinutes(CatchUp.SKIP).put("09:55").tick("10:01");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0");
    Life b = Life.everyTenMinutes(CatchUp.SKIP).put("09:55").tick("10:01:00.001");
    assertThat(b.missed()).containsExactly("10:00 GRACE of r0");
  }

  /** A record that is written at 10:26 and not read yet may cancel what is due after that. */
  @ParameterizedTest
  @CsvSource({
    "SKIP, '', 10:10..10:20 GRACE (2) of r0",
    "COLLAPSE, 10:20 CATCH_UP {1 from 10:10} by r0, 10:10 COLLAPSED_INTO 10:20 of r0",
    "REPLAY, 10:10 CATCH_UP by r0 and 10:20 CATCH_UP by r0, ''"
  })
  void what_is_due_after_an_unread_record_is_not_decided(
      CatchUp policy, String fires, String missed) {
    Life a = Life.everyTenMinutes(policy).put("10:05");
    a.decideReadThrough("10:26", "10:55").decideReadThrough("10:26", "10:55");
    a.decideReadThrough("10:26", "10:55");
    assertThat(String.join(" and ", a.fires())).isEqualTo(fires);
    assertThat(String.join(" and ", a.missed())).isEqualTo(missed);
    assertThat(a.next()).contains("10:30");
    a.deleteLate("10:26", "10:55");
    assertThat(a.fires()).allMatch(fire -> fire.compareTo("10:30") < 0);
    assertThat(a.missed()).allMatch(range -> range.compareTo("10:30") < 0);
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

  @Test
  void nothing_is_decided_before_it_is_due() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("10:05").decideOnce("10:09:59.999");
    assertThat(a.last().isQuiet()).isTrue();
    assertThat(a.next()).contains("10:10");
    assertThat(a.decideOnce("10:10").last().isQuiet()).isFalse();
  }

  @Test
  void what_is_left_out_takes_a_decision_of_its_own() {
    Life a = Life.everyTenMinutes(CatchUp.SKIP).with(d -> d.setSkip(List.of(Life.at("10:10"))));
    a.put("10:05").decideOnce("10:25");
    assertThat(a.missed()).containsExactly("10:10 SKIPPED of r0");
    assertThat(a.decideOnce("10:25").missed()).endsWith("10:20 GRACE of r0");
  }

  @Test
  void what_is_carried_fires_in_a_decision_of_its_own() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("10:05");
    a.editLate("10:25", "10:30:30", d -> d.setCatchUp(CatchUp.SKIP)).decideOnce("10:30:30");
    assertThat(a.fires()).containsExactly("10:20 CATCH_UP {1 from 10:10} by r1");
    assertThat(a.decideOnce("10:30:30").fires()).endsWith("10:30 SCHEDULED by r1");
  }

  /** When the edit is read, the last occurrence before it is still within grace. */
  @Test
  void what_is_missed_only_after_an_edit_joins_the_fire_of_the_new_revision() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("10:05");
    a.edit("10:20:30", d -> d.setDescription("new")).decideOnce("10:45");
    assertThat(a.fires()).containsExactly("10:40 CATCH_UP {3 from 10:10} by r1");
    assertThat(a.missed())
        .containsExactly(
            "10:10..10:20 COLLAPSED_INTO 10:40 (2) of r0", "10:30 COLLAPSED_INTO 10:40 of r1");
  }

  @Test
  void what_is_too_much_to_join_is_dropped_before_the_rest_joins() {
    Life a = everyOtherMinute(CatchUp.COLLAPSE);
    a.edit("23:40:30", d -> d.setDescription("new")).decideOnce("23:50").decideOnce("23:50");
    assertThat(a.fires()).isEmpty();
    assertThat(a.last().missed()).hasSize(Undecided.MOST_STRETCHES);
    assertThat(a.missed()).startsWith("00:01 SKIPPED of r0", "00:02 OUT_OF_WINDOW of r0");
    a.tick("23:50");
    assertThat(a.fires()).containsExactly("23:50 CATCH_UP {214 from 16:42} by r1");
    assertThat(a.missed()).hasSize(24 * 60 - 11);
  }

  @Test
  void a_replay_of_few_drops_the_rest_though_that_takes_several_decisions() {
    Life a = everyOtherMinute(CatchUp.REPLAY).with(d -> d.setMaxReplay(2));
    a.edit("00:00:30", d -> d.setMaxReplay(2)).tick("23:50");
    assertThat(a.fires())
        .containsExactly("23:46 CATCH_UP by r1", "23:48 CATCH_UP by r1", "23:50 SCHEDULED by r1");
  }

  /** Each odd minute of the day is on the skip list. */
  private static Life everyOtherMinute(CatchUp policy) {
    List<Instant> odd =
        IntStream.range(0, 720)
            .mapToObj(i -> Life.DAY.plus(Duration.ofMinutes(2L * i + 1)))
            .toList();
    return Life.of(Life.every(1), policy).with(d -> d.setSkip(odd)).put("00:00");
  }

  @ParameterizedTest
  @CsvSource({
    "10:40:30, 10:40 CATCH_UP {3 from 10:10} by r0",
    "10:15:00, 10:10 CATCH_UP by r0",
    "10:10:30, 10:10 SCHEDULED by r0",
  })
  void a_fire_that_is_late_or_stands_for_others_is_a_catch_up(String now, String fire) {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("10:05").tick(now);
    assertThat(a.fires()).containsExactly(fire);
  }

  @Test
  void a_replay_ends_with_its_last_fire() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("10:05").decideOnce("10:45");
    assertThat(a.state().replayThrough()).contains(Life.at("10:40"));
    a.tick("10:45");
    assertThat(a.state().replayThrough()).isEmpty();
    assertThat(a.state().isPlain()).isTrue();
  }

  @Test
  void of_max_replay_and_the_window_the_narrower_bounds_a_replay() {
    Life few = Life.everyTenMinutes(CatchUp.REPLAY).with(d -> d.setMaxReplay(1));
    few.with(d -> d.setCatchUpWindowMs(Duration.ofMinutes(26).toMillis())).put("10:05");
    assertThat(few.tick("10:45").missed()).containsExactly("10:10..10:30 OUT_OF_WINDOW (3) of r0");
    Life recent = Life.everyTenMinutes(CatchUp.REPLAY).with(d -> d.setMaxReplay(3));
    recent.with(d -> d.setCatchUpWindowMs(Duration.ofMinutes(16).toMillis())).put("10:05");
    assertThat(recent.tick("10:45").missed())
        .containsExactly("10:10..10:20 OUT_OF_WINDOW (2) of r0");
  }

  @Test
  void max_replay_does_not_count_what_is_left_out() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).with(d -> d.setMaxReplay(2));
    a.with(d -> d.setSkip(List.of(Life.at("10:30")))).put("10:05").tick("10:45");
    assertThat(a.missed()).containsExactly("10:10 OUT_OF_WINDOW of r0", "10:30 SKIPPED of r0");
    assertThat(a.fires()).containsExactly("10:20 CATCH_UP by r0", "10:40 CATCH_UP by r0");
  }

  @Test
  void a_fault_holds_a_schedule_until_it_can_be_decided_again() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("10:05").fail("10:06");
    assertThat(a.last().status()).contains(State.FAULTED);
    assertThat(a.next()).isEmpty();
    assertThat(a.command("10:07", "\"next\": {}").upcoming()).isEmpty();
    assertThat(a.fail("10:08").last().status()).as("said once").isEmpty();
    a.review("10:10");
    assertThat(a.last().next()).isPresent();
    a.decideOnce("10:10");
    assertThat(a.fires()).containsExactly("10:10 SCHEDULED by r0");
    assertThat(a.last().status()).contains(State.ACTIVE);
    assertThat(a.next()).contains("10:20");
    assertThat(a.tick("10:20").last().status()).isEmpty();
  }

  @Test
  void a_skip_of_a_command_is_told_once_it_is_used_up() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("10:05").tick("10:10");
    a.command("10:11", "\"skip\": {\"occurrence\": \"" + Life.at("10:20") + "\"}");
    assertThat(a.state().commanded().skips()).hasSize(1);
    assertThat(a.tick("10:20").last().status()).contains(State.ACTIVE);
    assertThat(a.state().commanded().skips()).isEmpty();
  }

  @Test
  void what_an_edit_finds_missed_is_accounted_for_however_often_the_skip_list_divides_it() {
    Life a = everyOtherMinute(CatchUp.COLLAPSE);
    a.editLate("23:40:30", "23:50", d -> d.setDescription("new")).tick("23:50");
    assertThat(a.fires()).containsExactly("23:50 CATCH_UP {214 from 16:42} by r1");
    assertThat(a.missed()).hasSize(24 * 60 - 11);
  }

  @Test
  void what_is_carried_keeps_its_order() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).with(d -> d.setSkip(TEN_TWENTY)).put("10:05");
    a.editLate("10:35", "10:45", d -> d.setDescription("new"));
    assertThat(a.state().carried())
        .isSortedAccordingTo(Comparator.comparing(CarriedOccurrences::seq))
        .extracting(carried -> Life.time(carried.first()))
        .containsExactly("10:10", "10:30");
  }

  @Test
  void a_count_that_was_cut_short_is_a_lower_bound_in_the_fire_too() {
    String seconds = IntStream.range(0, 59).mapToObj(String::valueOf).collect(joining(","));
    RRuleTrigger rule =
        new RRuleTrigger("FREQ=SECONDLY;INTERVAL=7;BYSECOND=" + seconds, Life.DAY, null);
    Life a = Life.of(rule, CatchUp.COLLAPSE).put("00:00").tick("23:59");
    assertThat(a.last().fires().get(0).collapsed().orElseThrow().exact()).isFalse();
    Life b = Life.of(Life.cron("* * * * *"), CatchUp.COLLAPSE).put("00:00").tick("23:59");
    assertThat(b.last().fires().get(0).collapsed().orElseThrow().exact()).isTrue();
  }

  @Test
  void the_last_occurrence_may_be_on_the_skip_list() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).with(d -> d.setMaxOccurrences(3L));
    a.with(d -> d.setSkip(List.of(Life.at("10:30")))).put("10:05").tick("10:45");
    assertThat(a.fires()).containsExactly("10:20 CATCH_UP {1 from 10:10} by r0");
    assertThat(a.missed())
        .containsExactlyInAnyOrder("10:10 COLLAPSED_INTO 10:20 of r0", "10:30 SKIPPED of r0");
  }
}

package io.waterclock.topology.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What commands decide, and what they leave to be decided. */
class CommandTest {
  private static final String PAUSE = "\"pause\": {}";
  private static final String RESUME = "\"resume\": {}";
  private static final String FIRE_ONCE = "\"resume\": {\"on_resume\": \"fire_once\"}";

  private static String skip(String time) {
    return "\"skip\": {\"occurrence\": \"" + Life.at(time) + "\"}";
  }

  private static String backfill(String from, String to) {
    return "\"backfill\": {\"from\": \"" + Life.at(from) + "\", \"to\": \"" + Life.at(to) + "\"}";
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void a_pause_wins_over_what_was_undecided_when_it_was_given(CatchUp policy) {
    Life a = Life.everyTenMinutes(policy).put("09:55").tick("10:00");
    a.commandLate("10:25", "10:45", PAUSE);
    assertThat(a.missed()).containsExactly("10:10..10:20 PAUSED (2) of r0");
    assertThat(a.next()).isEmpty();
    a.command("10:50", RESUME).tick("11:00");
    assertThat(a.missed()).endsWith("10:30..10:50 PAUSED (3) of r0");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0", "11:00 SCHEDULED by r0");
  }

  @Test
  void a_pause_also_ends_what_replaced_revisions_had_left() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55");
    a.editLate("10:25", "10:45", d -> d.setDescription("new")).commandLate("10:35", "10:46", PAUSE);
    assertThat(a.missed()).containsExactly("10:00..10:20 PAUSED (3) of r0", "10:30 PAUSED of r1");
    assertThat(a.state().older()).isEmpty();
  }

  @Test
  void an_edit_from_before_a_pause_owns_nothing_that_the_pause_has_decided() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    a.commandLate("10:25", "10:45", PAUSE).editLate("10:05", "10:46", d -> d.setDescription("b"));
    a.command("10:50", RESUME);
    assertThat(a.missed())
        .containsExactly("10:10..10:20 PAUSED (2) of r0", "10:30..10:50 PAUSED (3) of r1");
  }

  @Test
  void pausing_again_changes_what_is_said_and_not_since_when() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").command("10:05", PAUSE);
    assertThat(a.command("10:06", PAUSE).answer()).startsWith("UNCHANGED");
    a.command("10:07", "\"pause\": {\"note\": \"longer\"}");
    assertThat(a.state().orders().pause())
        .hasValueSatisfying(
            pause -> {
              assertThat(pause.since()).isEqualTo(Life.at("10:05"));
              assertThat(pause.note()).contains("longer");
            });
    assertThat(a.command("10:08", RESUME).command("10:09", RESUME).answer())
        .startsWith("UNCHANGED");
  }

  @Test
  void what_is_complete_cannot_be_paused() {
    Life a = Life.of(Life.once("10:20"), CatchUp.COLLAPSE).put("09:55").tick("10:20");
    a.review("10:21").command("10:22", PAUSE);
    assertThat(a.answer()).contains("REJECTED", "complete");
    assertThat(a.state().life()).isEqualTo(State.COMPLETED);
  }

  @Test
  void a_held_once_waits_through_an_edit_for_the_resume() {
    Life a = Life.of(Life.once("10:20"), CatchUp.COLLAPSE).put("09:55").command("10:10", PAUSE);
    a.edit("10:30", d -> d.setDescription("new")).command("10:40", RESUME).tick("10:40");
    assertThat(a.fires()).containsExactly("10:20 CATCH_UP by r1");
    assertThat(a.missed()).isEmpty();
  }

  @Test
  void a_held_once_is_fired_by_fire_once_even_under_skip() {
    Life a = Life.of(Life.once("10:20"), CatchUp.SKIP).put("09:55").command("10:10", PAUSE);
    a.command("10:40", FIRE_ONCE).tick("10:40");
    assertThat(a.fires()).containsExactly("10:20 CATCH_UP by r0");
    assertThat(a.missed()).isEmpty();
  }

  @Test
  void fire_once_leaves_out_what_is_skipped() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    a.command("10:05", PAUSE)
        .command("10:06", skip("10:20"))
        .command("10:07", skip("10:40"))
        .command("10:45", FIRE_ONCE)
        .tick("10:45");
    assertThat(a.fires()).endsWith("10:30 CATCH_UP {1 from 10:10} by r0");
    assertThat(a.missed())
        .containsExactly("10:10 PAUSED of r0", "10:20 SKIPPED of r0", "10:40 SKIPPED of r0");
    assertThat(a.state().isPlain()).isTrue();
  }

  @Test
  void fire_once_fires_nothing_when_nothing_was_held() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    a.command("10:05", PAUSE).command("10:06", FIRE_ONCE);
    assertThat(a.state().isPlain()).isTrue();
    assertThat(a.next()).contains("10:10");
  }

  @Test
  void a_pause_between_the_resume_and_its_fire_takes_the_fire_back() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    a.command("10:05", PAUSE).command("10:25", FIRE_ONCE).command("10:26", PAUSE).tick("10:27");
    assertThat(a.fires()).hasSize(1);
    assertThat(a.missed()).containsExactly("10:10 PAUSED of r0", "10:20 PAUSED of r0");
  }

  @Test
  void a_skip_holds_for_the_revision_that_owns_the_occurrence_and_for_catching_up() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00");
    a.command("10:05", skip("10:20"))
        .edit("10:25", d -> d.setDescription("new"))
        .command("10:26", skip("10:40"))
        .tick("10:50");
    assertThat(a.missed()).containsExactly("10:20 SKIPPED of r0", "10:40 SKIPPED of r1");
    assertThat(a.fires()).hasSize(4);
  }

  @Test
  void a_skip_that_the_definition_names_already_changes_nothing() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE);
    a.with(d -> d.setSkip(List.of(Life.at("10:20")))).put("09:55");
    assertThat(a.command("10:05", skip("10:20")).answer()).startsWith("UNCHANGED");
    a.command("10:06", "\"unskip\": {\"occurrence\": \"" + Life.at("10:20") + "\"}");
    assertThat(a.answer()).contains("REJECTED", "by the definition");
  }

  @Test
  void a_backfill_follows_the_trigger_in_force_and_stops_at_what_was_decided() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00").tick("10:10");
    a.command("10:15", backfill("09:30", "10:30")).goOn("10:15", 2);
    a.edit("10:16", d -> d.setTrigger(Life.every(5))).goOn("10:17", 100).goOn("10:18", 100);
    assertThat(a.fires().subList(2, a.fires().size()))
        .containsExactly(
            "09:30 BACKFILL by r0",
            "09:40 BACKFILL by r0",
            "09:45 BACKFILL by r1",
            "09:50 BACKFILL by r1",
            "09:55 BACKFILL by r1",
            "10:00 BACKFILL by r1",
            "10:05 BACKFILL by r1",
            "10:10 BACKFILL by r1");
    assertThat(a.state().orders().hasFires()).isFalse();
  }

  @Test
  void a_backfill_leaves_out_what_the_skip_list_names() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE);
    a.with(d -> d.setSkip(List.of(Life.at("10:10")))).put("09:55").tick("10:00").tick("10:10");
    a.tick("10:20").command("10:25", backfill("10:00", "10:25")).goOn("10:25", 100);
    assertThat(a.fires()).endsWith("10:00 BACKFILL by r0", "10:20 BACKFILL by r0");
  }

  @Test
  void ordered_fires_come_in_their_order_a_few_at_a_time_and_end_with_a_delete() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    Stream.of("10:01", "10:02", "10:03").forEach(t -> a.command(t, "\"trigger\": {}"));
    a.fireManual("10:04", 2);
    assertThat(a.fires()).endsWith("10:01 TRIGGERED by r0", "10:02 TRIGGERED by r0");
    assertThat(a.state().orders().fires()).hasSize(1);
    a.deleteLate("10:05", "10:05");
    assertThat(a.isGone()).isTrue();
  }

  @Test
  void what_commands_have_ordered_puts_off_completion() {
    Life a = Life.of(Life.once("10:20"), CatchUp.COLLAPSE).put("09:55").tick("10:20");
    a.command("10:21", "\"trigger\": {}").review("10:22");
    assertThat(a.state().completedAt()).isEmpty();
    a.fireManual("10:23", 10).review("10:24");
    assertThat(a.state().completedAt()).isPresent();
  }

  @Test
  void a_resumed_definition_that_says_disabled_completes_all_the_same() {
    Life a = Life.of(Life.once("10:20"), CatchUp.COLLAPSE);
    a.with(d -> d.setEnabled(false)).put("09:55").command("10:00", RESUME).tick("10:20");
    assertThat(a.fires()).hasSize(1);
    a.review("10:21").review("11:30");
    assertThat(a.isGone()).isTrue();
  }

  /** Each replaced revision and each stretch of one that is carried is stored under its number. */
  @Test
  void what_is_kept_of_replaced_revisions_bears_different_numbers() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    List<Instant> skips = List.of(Life.at("10:20"), Life.at("10:40"));
    a.edit("10:05", d -> d.setSkip(skips));
    a.editLate("10:55", "10:56", d -> d.setCatchUp(CatchUp.REPLAY));
    a.editLate("11:15", "11:30", d -> d.setDescription("new"));
    ScheduleState state = a.state();
    assertThat(state.carried()).hasSize(3);
    assertThat(state.older()).hasSize(1);
    assertThat(
            Stream.concat(
                state.carried().stream().map(Carried::seq), state.older().stream().map(Older::seq)))
        .doesNotHaveDuplicates();
  }
}

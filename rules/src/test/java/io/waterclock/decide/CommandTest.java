package io.waterclock.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Backfill;
import io.waterclock.decide.model.CarriedOccurrences;
import io.waterclock.decide.model.ManualFire;
import io.waterclock.decide.model.Pause;
import io.waterclock.decide.model.ReplacedRevision;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.WaitingFires;
import io.waterclock.definition.CommandValidation;
import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.NextCommand;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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
  void a_pause_that_keeps_an_earlier_one_changes_nothing_of_it() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00");
    a.command("10:05", "\"pause\": {\"note\": \"broken\", \"author\": \"kim\", \"keep\": true}");
    Pause first = a.state().commanded().pause().orElseThrow();
    a.command("10:15", "\"pause\": {\"note\": \"deploying\", \"author\": \"ann\", \"keep\": true}");
    assertThat(a.answer()).startsWith("UNCHANGED");
    assertThat(a.state().commanded().pause().filter(first::showsAs)).isPresent();
  }

  @Test
  void a_pause_without_an_author_of_its_own_has_that_of_its_command() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00");
    a.command("10:05", "\"pause\": {\"note\": \"own\"}, \"note\": \"other\", \"author\": \"kim\"");
    assertThat(a.state().commanded().pause())
        .hasValueSatisfying(
            pause -> {
              assertThat(pause.note()).contains("own");
              assertThat(pause.author()).contains("kim");
            });
  }

  @Test
  void a_resume_that_expects_a_note_ends_only_the_pause_with_it() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00");
    String resume = "\"resume\": {\"expected_note\": \"deploying [b-1]\"}";
    a.command("10:01", resume);
    assertThat(a.answer()).startsWith("CONFLICT").contains("no command pauses the schedule");
    a.command("10:05", "\"pause\": {\"note\": \"broken\"}");
    a.command("10:06", resume);
    assertThat(a.answer()).startsWith("CONFLICT").contains("the pause has the note \"broken\"");
    assertThat(a.state().isHeld()).isTrue();
    a.command("10:07", "\"pause\": {\"note\": \"deploying [b-1]\"}");
    a.command("10:08", resume);
    assertThat(a.answer()).startsWith("EXECUTED");
    assertThat(a.state().isHeld()).isFalse();
  }

  @Test
  void pausing_again_changes_what_is_said_and_not_since_when() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").command("10:05", PAUSE);
    assertThat(a.command("10:06", PAUSE).answer()).startsWith("UNCHANGED");
    a.command("10:07", "\"pause\": {\"note\": \"longer\"}");
    assertThat(a.state().commanded().pause())
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
  void a_backfill_begins_at_the_acceptance_and_stops_at_what_was_due() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00").tick("10:10");
    a.command("10:15", backfill("09:30", "10:30")).goOn("10:15", 100).goOn("10:18", 100);
    assertThat(a.fires().subList(2, a.fires().size()))
        .containsExactly("10:00 BACKFILL by r0", "10:10 BACKFILL by r0");
    assertThat(a.state().commanded().hasFires()).isFalse();
  }

  @Test
  void a_backfill_fires_by_the_definition_of_its_time_whatever_replaces_it() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00").tick("10:10");
    a.command("10:15", backfill("10:00", "10:30")).goOn("10:15", 1);
    a.edit("10:16", d -> d.setDescription("new")).goOn("10:17", 100);
    assertThat(a.fires()).endsWith("10:00 BACKFILL by r0", "10:10 BACKFILL by r0");
    a.command("10:18", backfill("10:00", "10:05")).edit("10:19", d -> d.setDescription("newer"));
    a.command("10:21", backfill("10:00", "10:05")).goOn("10:22", 9).goOn("10:22", 9);
    assertThat(a.fires()).endsWith("10:00 BACKFILL by r1", "10:00 BACKFILL by r2");
    assertThat(a.state().commanded().hasFires()).isFalse();
  }

  @Test
  void a_backfill_of_a_paused_schedule_ends_where_the_pause_began_whatever_was_edited_since() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:20");
    a.command("10:25", PAUSE).edit("10:55", d -> d.setDescription("new"));
    a.command("11:05", backfill("09:00", "12:00")).goOn("11:06", 9);
    assertThat(a.fires().stream().filter(line -> line.contains("BACKFILL")))
        .containsExactly("10:00 BACKFILL by r1", "10:10 BACKFILL by r1", "10:20 BACKFILL by r1");
  }

  @Test
  void a_backfill_leaves_out_what_jitter_holds_back_whatever_was_edited_since() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY);
    a.with(d -> d.setJitterMs(Duration.ofMinutes(9).toMillis())).put("09:55").tick("10:29");
    String due = a.wakesAt().orElseThrow();
    a.edit("10:30:01", d -> d.setDescription("new"));
    a.command("10:30:02", backfill("09:00", "12:00"));
    assertThat(due).isGreaterThan("10:30:02");
    assertThat(a.state().commanded().backfills().get(0).to())
        .isBeforeOrEqualTo(Life.at("10:20").plusMillis(1));
  }

  @Test
  void a_backfill_fires_what_fired_before_an_edit_gave_it_jitter() {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:30");
    a.edit("10:30", d -> d.setJitterMs(Duration.ofMinutes(9).toMillis()));
    assertThat(a.wakesAt().orElseThrow()).isGreaterThan("10:40");
    a.command("10:30", backfill("10:30", "10:31")).goOn("10:30", 9);
    assertThat(a.fires()).endsWith("10:30 BACKFILL by r1");
  }

  /** Of the outage from 10:01 to 11:00. */
  @Test
  void a_backfill_of_an_outage_fires_what_was_due_when_it_was_written() {
    Life a = running().commandLate("10:35", "11:00", backfill("10:00", "12:00"));
    assertThat(a.answer()).startsWith("EXECUTED");
    a.editLate("10:55", "11:00", d -> d.setTrigger(Life.every(60))).goOn("11:00", 9);
    assertThat(a.fires()).endsWith("10:00 BACKFILL by r0");
    a.tick("11:00").goOn("11:00", 9);
    assertThat(a.fires().stream().filter(line -> line.contains("BACKFILL")))
        .containsExactly(
            "10:00 BACKFILL by r0",
            "10:10 BACKFILL by r0",
            "10:20 BACKFILL by r0",
            "10:30 BACKFILL by r0");
  }

  @Test
  void triggers_fire_by_the_definition_of_their_time_whatever_replaces_it() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    a.command("10:01", "\"trigger\": {}").command("10:02", "\"trigger\": {}");
    a.edit("10:03", d -> d.setDescription("new")).edit("10:04", d -> d.setDescription("newer"));
    a.command("10:05", "\"trigger\": {}").edit("10:06", d -> d.setTrigger(Life.every(5)));
    a.command("10:07", "\"trigger\": {}").fireManual("10:08", 1).fireManual("10:09", 9);
    assertThat(a.fires())
        .endsWith(
            "10:01 TRIGGERED by r0",
            "10:02 TRIGGERED by r0",
            "10:05 TRIGGERED by r2",
            "10:07 TRIGGERED by r3");
    assertThat(a.state().commanded().fires()).isEqualTo(WaitingFires.NONE);
  }

  private static Accepted inUnknownZone(Accepted known) {
    Schedule schedule = Schedule.newBuilder(known.schedule()).setTimezone("Mars/Base").build();
    return new Accepted(
        ScheduleSnapshot.of(schedule),
        known.revision(),
        known.effectiveAt(),
        known.ownsAfter(),
        known.namesAfter(),
        known.resolvedAt(),
        known.boundedBy(),
        known.dueFloor(),
        known.ownedBefore(),
        known.writtenAt(),
        known.past());
  }

  @Test
  void what_waits_for_a_definition_that_no_longer_compiles_fires_by_the_next_one() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
    a.command("10:01", "\"trigger\": {}");
    a.in(a.state().with(inUnknownZone(a.state().current())));
    a.edit("10:03", d -> d.setDescription("new")).fireManual("10:04", 9);
    assertThat(a.fires()).endsWith("10:01 TRIGGERED by r1");
  }

  @Test
  void what_a_new_trigger_names_before_it_was_accepted_is_not_fired_by_a_backfill() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00").tick("10:10");
    a.command("10:15", backfill("10:00", "10:30")).goOn("10:15", 1);
    a.edit("10:16", d -> d.setTrigger(Life.every(5))).goOn("10:17", 100).tick("10:20");
    assertThat(a.state().commanded().hasFires()).isFalse();
    assertThat(a.command("10:21", backfill("10:00", "10:20")).answer())
        .startsWith("REJECTED")
        .contains("no occurrence that is due lies from");
    a.command("10:22", backfill("10:00", "10:30")).goOn("10:23", 100);
    assertThat(a.fires())
        .containsExactly(
            "10:00 SCHEDULED by r0",
            "10:10 SCHEDULED by r0",
            "10:00 BACKFILL by r0",
            "10:10 BACKFILL by r0",
            "10:20 SCHEDULED by r1",
            "10:20 BACKFILL by r1");
  }

  @Test
  void a_backfill_leaves_out_the_anchor_and_what_comes_after_the_last_occurrence() {
    Life a = Life.of(Life.everyWithoutAnchor(10), CatchUp.COLLAPSE);
    a.with(d -> d.setMaxOccurrences(2L)).put("09:50").tick("10:00").tick("10:10").tick("10:40");
    a.command("10:41", backfill("00:00", "23:00")).goOn("10:42", 100);
    assertThat(a.fires()).hasSize(4).endsWith("10:00 BACKFILL by r0", "10:10 BACKFILL by r0");
  }

  @Test
  void a_backfill_leaves_out_what_lies_before_the_start_and_before_the_acceptance() {
    Life a = Life.everyTenMinutes(CatchUp.COLLAPSE);
    a.with(d -> d.setStartAt(Life.at("10:05"))).put("09:55").tick("10:10");
    a.command("10:11", backfill("09:00", "11:00")).goOn("10:12", 100);
    assertThat(a.fires()).containsExactly("10:10 SCHEDULED by r0", "10:10 BACKFILL by r0");
    a.edit("10:15", d -> d.setStartAt(null)).tick("10:20");
    a.command("10:21", backfill("09:00", "11:00")).goOn("10:22", 100);
    assertThat(a.fires()).hasSize(4).endsWith("10:20 BACKFILL by r1");
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
    assertThat(a.state().commanded().fires().size()).isEqualTo(1);
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
                state.carried().stream().map(CarriedOccurrences::seq),
                state.older().stream().map(ReplacedRevision::seq)))
        .doesNotHaveDuplicates();
  }

  @Test
  void of_a_resume_and_a_definition_that_disables_the_later_wins_whichever_is_read_first() {
    Life resumeLast = disabledAt("10:26").commandLate("10:16", "10:30", RESUME);
    assertThat(resumeLast.answer()).startsWith("CONFLICT").contains("\"enabled\": false");
    Life resumeFirst = running().commandLate("10:16", "10:30", RESUME);
    resumeFirst.editLate("10:26", "10:30", d -> d.setEnabled(false));
    for (Life a : List.of(resumeLast, resumeFirst)) {
      a.tick("10:30").tick("10:40").tick("10:50");
      assertThat(a.state().life()).isEqualTo(State.PAUSED);
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0");
    }
  }

  @Test
  void a_resume_that_is_later_than_a_definition_that_disables_wins_whichever_is_read_first() {
    for (String resume : List.of(RESUME, FIRE_ONCE)) {
      Life resumeLast = disabledAt("10:16").commandLate("10:36", "10:40", resume);
      Life resumeFirst = running().commandLate("10:36", "10:40", resume);
      resumeFirst.editLate("10:16", "10:40", d -> d.setEnabled(false));
      for (Life a : List.of(resumeLast, resumeFirst)) {
        a.tick("10:40").tick("10:50");
        assertThat(a.state().life()).isEqualTo(State.ACTIVE);
        assertThat(a.missed()).anyMatch(line -> line.startsWith("10:20"));
      }
      assertThat(resumeFirst.fires()).isEqualTo(resumeLast.fires());
      assertThat(resumeFirst.missed()).isEqualTo(resumeLast.missed());
    }
  }

  @Test
  void a_resume_that_is_earlier_than_the_definition_ends_the_pause_of_a_command_only() {
    Life a = running().command("10:05", PAUSE);
    a.editLate("10:26", "10:30", d -> d.setEnabled(false)).commandLate("10:16", "10:30", RESUME);
    assertThat(a.state().commanded().pause()).isEmpty();
    assertThat(a.state().life()).isEqualTo(State.PAUSED);
    a.edit("10:35", d -> d.setEnabled(true)).tick("10:40");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0", "10:40 SCHEDULED by r2");
  }

  @Test
  void a_definition_that_disables_and_is_older_than_the_resume_before_it_does_not_pause_again() {
    Life a = disabledAt("10:16").command("10:31", RESUME);
    a.editLate("10:30", "10:32", d -> d.setDescription("new")).tick("10:40");
    assertThat(a.state().life()).isEqualTo(State.ACTIVE);
    a.edit("10:45", d -> d.setDescription("newer"));
    assertThat(a.state().life()).isEqualTo(State.PAUSED);
  }

  @Test
  void a_pause_of_what_a_definition_has_paused_writes_nothing_off() {
    Life a = disabledAt("10:05").command("10:25", PAUSE);
    assertThat(a.missed()).isEmpty();
    a.command("10:35", RESUME);
    assertThat(a.missed()).containsExactly("10:10..10:30 PAUSED (3) of r1");
  }

  @Test
  void a_pause_from_before_what_has_fired_takes_nothing_back() {
    Life a = running().tick("10:10").tick("10:20").commandLate("10:05", "10:25", PAUSE);
    assertThat(a.missed()).isEmpty();
    a.command("10:45", RESUME);
    assertThat(a.missed()).containsExactly("10:30..10:40 PAUSED (2) of r0");
  }

  @Test
  void a_resume_from_before_the_pause_changes_nothing() {
    Life a = disabledAt("10:05").command("10:25", PAUSE).commandLate("10:12", "10:31", RESUME);
    assertThat(a.answer()).startsWith("CONFLICT resume: was written at 2026-03-04T10:12:00Z");
    assertThat(a.missed()).isEmpty();
    assertThat(a.state().life()).isEqualTo(State.PAUSED);
  }

  @Test
  void a_resume_from_before_the_definition_leaves_what_runs() {
    Life a = disabledAt("10:26").command("10:36", RESUME).commandLate("10:16", "10:37", RESUME);
    assertThat(a.answer()).startsWith("UNCHANGED");
    assertThat(a.state().life()).isEqualTo(State.ACTIVE);
    assertThat(a.tick("10:40").fires()).endsWith("10:40 SCHEDULED by r1");
  }

  @Test
  void a_resume_from_before_the_definition_does_not_end_the_pause_after_it() {
    Life a = disabledAt("10:05").command("10:15", RESUME).tick("10:20").command("10:25", PAUSE);
    a.commandLate("10:04", "10:26", RESUME).tick("10:30");
    assertThat(a.state().life()).isEqualTo(State.PAUSED);
    assertThat(a.fires()).endsWith("10:20 SCHEDULED by r1");
    assertThat(a.missed()).containsExactly("10:10 PAUSED of r1");
  }

  @Test
  void a_remembered_resume_does_not_end_a_later_pause_of_a_command() {
    Life a = running().command("10:36", RESUME).command("10:38", PAUSE);
    a.editLate("10:16", "10:41", d -> d.setEnabled(false));
    assertThat(a.state().commanded().pause()).isPresent();
    assertThat(a.tick("10:50").fires()).containsExactly("10:00 SCHEDULED by r0");
  }

  @Test
  void fire_once_fires_nothing_when_all_is_left_out() {
    Life a = running().command("10:05", PAUSE).command("10:06", skip("10:10"));
    a.command("10:15", FIRE_ONCE).tick("10:15");
    assertThat(a.fires()).containsExactly("10:00 SCHEDULED by r0");
    assertThat(a.missed()).containsExactly("10:10 SKIPPED of r0");
    assertThat(a.next()).contains("10:20");
  }

  @Test
  void the_fire_of_a_resume_that_stands_for_others_is_a_catch_up_though_it_is_not_late() {
    Life a = running().command("10:05", PAUSE).command("10:20:30", FIRE_ONCE).tick("10:20:30");
    assertThat(a.fires()).endsWith("10:20 CATCH_UP {1 from 10:10} by r0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # skip list   | end   | missed by a pause at 10:35
          10:10         |       | 10:10 SKIPPED of r0, 10:20..10:30 PAUSED (2) of r0
          10:15         |       | 10:10..10:30 PAUSED (3) of r0
          10:05 10:20   |       | 10:10 PAUSED of r0, 10:20 SKIPPED of r0, 10:30 PAUSED of r0
          10:20         | 10:25 | 10:10 PAUSED of r0, 10:20 SKIPPED of r0
          10:40         |       | 10:10..10:30 PAUSED (3) of r0
          """)
  void what_a_pause_writes_off_is_cut_at_the_skip_list(
      String skips, @Nullable String end, String missed) {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY);
    a.with(d -> d.setSkip(Arrays.stream(skips.split(" ")).map(Life::at).toList()));
    a.with(d -> d.setEndAt(end == null ? null : Life.at(end))).put("10:05");
    a.command("10:35", PAUSE);
    assertThat(a.missed()).containsExactly(missed.split(", "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # before    | command      | answer
                      | skip 10:20   | EXECUTED
          skip 10:20  | skip 10:20   | UNCHANGED
                      | skip 10:15   | 10:15 is not an occurrence to come; the nearest are 10:10 and 10:20
                      | skip 10:05   | 10:05 is not an occurrence to come; the nearest is 10:10
                      | skip 10:00   | 10:00 is decided already; the nearest is 10:10
          end         | skip 10:50   | 10:50 is not an occurrence to come; the nearest is 10:40
          over        | skip 10:50   | 10:50 is not an occurrence to come; none is
          edit        | skip 10:20   | 10:20 is not an occurrence to come; the nearest is 11:00
          edit        | skip 10:25   | 10:25 is not an occurrence to come; the nearest is 11:00
          edit        | skip 10:30   | 10:30 is not an occurrence to come; the nearest is 11:00
          edit        | skip 11:00   | EXECUTED
          edit        | skip 11:30   | 11:30 is not an occurrence to come; the nearest is 12:00
          skip 10:20  | unskip 10:20 | EXECUTED
          skip 10:20  | unskip 10:30 | no command skips 10:30; skipped: 10:20
                      | unskip 10:30 | no command skips 10:30; none is skipped
          """)
  void a_skip_is_of_an_occurrence_to_come(@Nullable String before, String command, String answer) {
    Life a = Life.everyTenMinutes(CatchUp.REPLAY).put("09:55").tick("10:00");
    String time = "10:03";
    if ("end".equals(before)) {
      a.edit("10:01", d -> d.setEndAt(Life.at("10:45")));
    } else if ("over".equals(before)) {
      a.edit("10:01", d -> d.setEndAt(Life.at("10:02")));
    } else if ("edit".equals(before)) {
      time = "10:27";
      a.editLate("10:24", "10:26", d -> d.setTrigger(Life.every(60)));
    } else if (before != null) {
      a.command("10:02", skipOrUnskip(before));
    }
    a.command(time, skipOrUnskip(command));
    String said =
        a.answer()
            .strip()
            .replaceAll("2026-03-04T(..:..):00Z", "$1")
            .replaceAll("^REJECTED occurrence: |; for example .*", "");
    assertThat(said).isEqualTo(answer);
  }

  @Test
  void what_is_unskipped_fires_and_what_else_is_skipped_does_not() {
    Life a = running().command("10:01", skip("10:10")).command("10:02", skip("10:20"));
    a.command("10:03", skipOrUnskip("unskip 10:10")).tick("10:10").tick("10:20").tick("10:30");
    assertThat(a.fires()).hasSize(3).doesNotContain("10:20 SCHEDULED by r0");
    assertThat(a.missed()).containsExactly("10:20 SKIPPED of r0");
  }

  @Test
  void no_more_can_be_skipped_than_is_allowed() {
    Life a = Life.of(Life.every(1), CatchUp.COLLAPSE).put("00:00");
    for (int i = 1; i <= CommandValidation.MAX_SKIPS; i++) {
      a.command("00:00:30", skip(Life.time(Life.DAY.plusSeconds(60L * i))));
      assertThat(a.answer()).startsWith("EXECUTED");
    }
    a.command("00:00:31", skip("23:59"));
    assertThat(a.answer())
        .startsWith("REJECTED skip: " + CommandValidation.MAX_SKIPS + " occurrences are skipped");
  }

  private static String skipOrUnskip(String text) {
    String[] words = text.split(" ");
    return "\"" + words[0] + "\": {\"occurrence\": \"" + Life.at(words[1]) + "\"}";
  }

  @ParameterizedTest
  @ValueSource(strings = {"trigger", "backfill"})
  void a_faulted_schedule_takes_no_orders(String order) {
    Life a = running().fail("10:01");
    a.command("10:02", order.equals("trigger") ? "\"trigger\": {}" : backfill("10:00", "10:01"));
    assertThat(a.answer())
        .startsWith("REJECTED " + order + ": the schedule is FAULTED: it cannot be decided");
    assertThat(a.state().commanded().hasFires()).isFalse();
  }

  @Test
  void what_was_ordered_before_a_fault_fires_and_ends_it() {
    Life a = running().command("10:01", "\"trigger\": {}").fail("10:02").fireManual("10:03", 10);
    assertThat(a.fires()).endsWith("10:01 TRIGGERED by r0");
    assertThat(a.last().status()).contains(State.ACTIVE);
    assertThat(a.next()).contains("10:10");
  }

  @Test
  void each_fire_that_waits_has_a_number_of_its_own() {
    Life a = running();
    for (int i = 0; i < 3; i++) {
      a.command("10:01", "\"trigger\": {}");
    }
    a.fireManual("10:01", 2).command("10:02", "\"trigger\": {}");
    assertThat(a.state().commanded().fires().added())
        .extracting(ManualFire::seq)
        .containsExactly(2L, 3L);
  }

  /** Live, each fires within a second. */
  @Test
  void triggers_of_an_outage_wait_however_many_there_are() {
    Life a = running();
    for (int second = 0; second < 1_500; second++) {
      String written = Life.time(Life.at("10:01").plusSeconds(second));
      a.commandLate(written, "11:00", "\"trigger\": {}");
      assertThat(a.answer()).startsWith("EXECUTED");
    }
    a.fireManual("11:00", 2_000);
    assertThat(a.fires().stream().filter(line -> line.contains("TRIGGERED"))).hasSize(1_500);
  }

  @Test
  void waiting_triggers_are_bounded_in_number_and_in_bytes() {
    Life a = running();
    ScheduleState state = a.state();
    List<ManualFire> many =
        LongStream.range(0, CommandValidation.MAX_WAITING_FIRES)
            .mapToObj(i -> new ManualFire(i, "c" + i, Life.at("01:00"), Optional.empty()))
            .toList();
    a.in(state.with(state.commanded().withFires(WaitingFires.of(many, state.current()))))
        .command("10:02", "\"trigger\": {}");
    assertThat(a.answer())
        .startsWith("REJECTED trigger: 10000 ordered fires wait already, which is the limit");
    int definition = state.current().snapshot().body().length;
    ByteBuffer half = ByteBuffer.wrap(new byte[(16 << 20) / 2 - definition - 1]);
    List<ManualFire> large =
        LongStream.range(0, 2)
            .mapToObj(i -> new ManualFire(i, "c", Life.at("01:00"), Optional.of(half)))
            .toList();
    a.in(state.with(state.commanded().withFires(WaitingFires.of(large, state.current()))))
        .command("10:03", "\"trigger\": {}");
    assertThat(a.answer())
        .startsWith(
            "REJECTED trigger: 16777216 bytes of ordered fires wait already, and the limit is"
                + " 16777216");
  }

  @Test
  void no_more_backfills_run_than_are_allowed_and_each_can_be_cancelled() {
    Life a = running();
    a.command("10:01", "\"cancel_backfill\": {\"backfill\": \"x\"}");
    assertThat(a.answer()).contains("no backfill runs that the command x has ordered; none runs");
    for (int i = 0; i < CommandValidation.MAX_BACKFILLS; i++) {
      a.command("10:" + (11 + i), backfill("10:00", "10:30"));
      assertThat(a.answer()).startsWith("EXECUTED");
    }
    a.command("10:28", backfill("10:00", "10:30"));
    assertThat(a.answer())
        .startsWith("REJECTED backfill: 16 backfills run already")
        .contains("{\"backfill\": \"10:11\"}");
    a.command("10:29", "\"cancel_backfill\": {\"backfill\": \"10:12\"}");
    assertThat(a.answer()).startsWith("EXECUTED");
    assertThat(a.state().commanded().backfills())
        .extracting(Backfill::commandId)
        .hasSize(15)
        .doesNotContain("10:12");
    a.command("10:30", "\"cancel_backfill\": {\"backfill\": \"10:12\"}");
    assertThat(a.answer())
        .startsWith("REJECTED backfill: no backfill runs that the command 10:12 has ordered;")
        .contains("running: 10:11, 10:13", "for example 10:11");
  }

  @Test
  void a_backfill_of_nothing_tells_what_there_is() {
    Life a = running().tick("10:10").command("10:15", backfill("10:11", "10:14"));
    assertThat(a.answer())
        .contains(
            "no occurrence that is due lies from " + Life.at("10:11") + " to " + Life.at("10:14"))
        .contains("; the last one is " + Life.at("10:10"))
        .contains("\"from\": \"" + Life.at("10:10") + "\"");
    Life fresh = Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55");
    assertThat(fresh.command("09:56", backfill("09:00", "09:50")).answer())
        .endsWith("; it has none since it got its trigger at " + Life.at("09:55"));
  }

  @Test
  void a_backfill_is_told_after_each_thousand_fires_and_at_its_end() {
    Life a = Life.of(Life.every(1), CatchUp.COLLAPSE).put("00:00").tick("23:59");
    a.command("23:59:01", backfill("00:01", "23:59"));
    assertThat(a.goOn("23:59:02", 600).last().status()).isEmpty();
    assertThat(a.goOn("23:59:03", 600).last().status()).contains(State.ACTIVE);
    assertThat(a.goOn("23:59:04", 100).last().status()).isEmpty();
    assertThat(a.goOn("23:59:05", 600).last().status()).contains(State.ACTIVE);
    assertThat(a.fires()).hasSize(1 + 1_438);
    assertThat(a.goOn("23:59:06", 600).last().isQuiet()).isTrue();
  }

  @Test
  void a_command_for_another_revision_is_refused() {
    Life a = running().command("10:01", PAUSE + ", \"expected_revision\": \"r7\"");
    assertThat(a.answer()).startsWith("CONFLICT expected_revision: is r7, but r0 is in force");
    assertThat(a.state().isHeld()).isFalse();
    a.command("10:02", PAUSE + ", \"expected_revision\": \"r0\"");
    assertThat(a.answer()).startsWith("EXECUTED");
  }

  @Test
  void a_pause_without_a_note_of_its_own_has_that_of_its_command() {
    Life a = running().command("10:05", PAUSE + ", \"note\": \"why\"");
    assertThat(a.state().commanded().pause().flatMap(Pause::note)).contains("why");
  }

  @ParameterizedTest
  @CsvSource({
    "running, 1, 10:10",
    "running, 3, 10:10 10:20 10:30",
    "skipping, 1, 10:20",
    "skipping, 3, 10:20 10:40 10:50",
    "edited, 1, 10:00",
    "edited, 5, 10:00 10:10 10:20 10:30 11:00",
    "ending, 5, 10:10 10:20",
    "once, 5, 10:20",
    "skipped, 5,",
    "paused, 5,",
    "complete, 5,",
    "rewritten, 3, 10:00 10:30 10:40",
  })
  void a_question_tells_the_next_occurrences_that_fire_and_leaves_the_schedule_as_it_is(
      String which, int count, @Nullable String upcoming) {
    Life a = asked(which);
    Optional<Occurrence> waitsFor = a.pending();
    ScheduleState before = a.state();
    assertThat(a.command("10:29", "\"next\": {\"count\": " + count + "}").answer())
        .isEqualTo("UNCHANGED ");
    assertThat(a.upcoming()).isEqualTo(upcoming == null ? List.of() : List.of(upcoming.split(" ")));
    assertThat(a.last().next()).isEqualTo(waitsFor);
    assertThat(a.last().isQuiet()).isTrue();
    assertThat(a.state()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({
    "running, 10:09:59.999, 10:10 10:20",
    "running, 10:10, 10:20 10:30",
    "running, 09:00, 10:10 10:20",
    "skipping, 10:15, 10:20 10:40",
    "edited, 10:15, 10:20 10:30",
    "edited, 10:20, 10:30 11:00",
    "ending, 10:10, 10:20",
    "ending, 10:20,",
    "once, 10:20,",
    "rewritten, 10:00, 10:30 10:40",
    "rewritten, 23:20, 23:30 23:40",
  })
  void a_question_about_a_later_time_tells_what_fires_after_it(
      String which, String after, @Nullable String upcoming) {
    Life a = asked(which);
    a.command("10:29", "\"next\": {\"count\": 2, \"after\": \"" + Life.at(after) + "\"}");
    assertThat(a.upcoming()).isEqualTo(upcoming == null ? List.of() : List.of(upcoming.split(" ")));
  }

  private static Life asked(String which) {
    return switch (which) {
      case "running" -> running();
      case "skipping" ->
          Life.everyTenMinutes(CatchUp.COLLAPSE)
              .with(d -> d.setSkip(List.of(Life.at("10:30"))))
              .put("09:55")
              .tick("10:00")
              .command("10:01", skip("10:10"));
      case "edited" ->
          Life.everyTenMinutes(CatchUp.REPLAY)
              .put("09:55")
              .edit("10:25", d -> d.setTrigger(Life.every(30)));
      case "ending" ->
          Life.everyTenMinutes(CatchUp.COLLAPSE)
              .with(d -> d.setEndAt(Life.at("10:25")))
              .put("09:55")
              .tick("10:00");
      case "once" -> Life.of(Life.once("10:20"), CatchUp.COLLAPSE).put("09:55");
      case "skipped" -> asked("once").command("10:00", skip("10:20"));
      case "paused" -> running().command("10:05", PAUSE);
      case "complete" -> asked("once").tick("10:20").review("10:21");
      case "rewritten" ->
          Life.everyTenMinutes(CatchUp.COLLAPSE)
              .put("09:55")
              .editLate("10:25", "10:26", d -> d.setDescription("new"));
      default -> throw new IllegalArgumentException(which);
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 101, Integer.MAX_VALUE})
  void a_question_for_none_or_too_many_is_refused(int count) {
    assertThat(CommandValidation.problems(question(count)))
        .containsExactly(
            Problem.newBuilder()
                .setField("next.count")
                .setMessage("is " + count + "; 1 to 100 are allowed")
                .setExample("10")
                .build());
  }

  @Test
  void a_question_that_names_no_count_is_for_one_and_at_most_a_hundred_are_told() {
    String json = "{\"command_id\": \"c\", \"next\": {}}";
    Command plain = RecordCodecs.command().decode(json.getBytes(StandardCharsets.UTF_8));
    assertThat(plain).isEqualTo(question(1));
    assertThat(CommandValidation.problems(plain)).isEmpty();
    assertThat(CommandValidation.problems(question(100))).isEmpty();
  }

  private static Command question(int count) {
    return Command.newBuilder().setCommandId("c").setAction(new NextCommand(count, null)).build();
  }

  private static Life running() {
    return Life.everyTenMinutes(CatchUp.COLLAPSE).put("09:55").tick("10:00");
  }

  private static Life disabledAt(String time) {
    return running().editLate(time, time, d -> d.setEnabled(false));
  }
}

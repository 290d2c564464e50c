package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.RunningBackfill;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The effects of commands on a schedule, written as scenarios. */
class CommandScenarioTest {
  private static final String PAUSE = "\"pause\": {\"note\": \"deploying\", \"author\": \"kim\"}";
  private static final String RESUME = "\"resume\": {}";
  private static final String FIRE_ONCE = "\"resume\": {\"on_resume\": \"fire_once\"}";

  @ParameterizedTest
  @EnumSource(value = CatchUp.class, names = "SKIP", mode = EnumSource.Mode.EXCLUDE)
  void s27_once_whose_instant_fell_into_a_commanded_pause_fires_on_resume(CatchUp policy) {
    try (Scenario a = Scenario.once(policy, "10:20").put("09:55")) {
      a.command("10:10", PAUSE).command("10:50", RESUME).until("10:51");
      assertThat(a.fires()).containsExactly("10:20 CATCH_UP at 10:50:05");
      assertThat(a.missed()).isEmpty();
      assertThat(a.status()).contains(State.COMPLETED);
    }
  }

  @Test
  void s28_once_whose_instant_fell_into_a_commanded_pause_is_missed_under_skip() {
    try (Scenario a = Scenario.once(CatchUp.SKIP, "10:20").put("09:55")) {
      a.command("10:10", PAUSE).command("10:50", RESUME).until("10:51");
      assertThat(a.fires()).isEmpty();
      assertThat(a.missed()).containsExactly("10:20 PAUSED");
      assertThat(a.status()).contains(State.COMPLETED);
    }
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void what_occurs_in_a_pause_is_missed_and_the_resume_starts_after_itself(CatchUp policy) {
    try (Scenario a = Scenario.everyTenMinutes(policy).put("09:55")) {
      a.command("10:05", PAUSE).until("10:30");
      assertThat(a.status()).contains(State.PAUSED);
      assertThat(a.missed()).isEmpty();
      a.command("10:30", RESUME).until("10:41");
      assertThat(a.answer("10:05")).isEqualTo("EXECUTED");
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED", "10:40 SCHEDULED");
      assertThat(a.missed()).containsExactly("10:10..10:30 PAUSED (3)");
      assertThat(a.status()).contains(State.ACTIVE);
    }
  }

  @Test
  void a_pause_says_since_when_why_and_by_whom() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.command("10:05", PAUSE);
      ScheduleStatus status = a.scheduler().status("a").orElseThrow();
      assertThat(status.getPause().getSince()).isEqualTo(Scenario.at("10:05"));
      assertThat(status.getPause().getNote()).isEqualTo("deploying");
      assertThat(status.getPause().getAuthor()).isEqualTo("kim");
      a.command("10:06", RESUME);
      assertThat(a.scheduler().status("a").orElseThrow().getPause()).isNull();
    }
  }

  @Test
  void a_pause_and_a_resume_given_while_the_scheduler_was_down_are_as_ones_that_were_seen() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.REPLAY).put("09:55")) {
      a.stop("10:05")
          .command("10:15", PAUSE)
          .command("10:35", RESUME)
          .start("10:55")
          .until("11:01");
      assertThat(a.fires())
          .containsExactly(
              "10:00 SCHEDULED",
              "10:40 CATCH_UP at 10:55",
              "10:50 CATCH_UP at 10:55",
              "11:00 SCHEDULED");
      assertThat(a.missed()).containsExactly("10:10 PAUSED", "10:20..10:30 PAUSED (2)");
    }
  }

  @Test
  void a_put_never_undoes_a_pause() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.command("10:05", PAUSE).edit("10:15", "second", d -> d.setEnabled(true)).until("10:25");
      assertThat(a.status()).contains(State.PAUSED);
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED");
      a.command("10:25", RESUME).until("10:31");
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED", "10:30 SCHEDULED by second");
      assertThat(a.missed()).containsExactly("10:10 PAUSED", "10:20 PAUSED of second");
    }
  }

  @Test
  void a_resume_wins_over_an_earlier_disabled_definition_and_loses_to_a_later_one() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.edit("10:05", "off", d -> d.setEnabled(false)).command("10:15", RESUME).until("10:25");
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED", "10:20 SCHEDULED by off");
      a.stop("10:26").start("10:27").until("10:31");
      assertThat(a.fires()).endsWith("10:30 SCHEDULED by off");
      a.edit("10:35", "off again", d -> d).until("10:45");
      assertThat(a.status()).contains(State.PAUSED);
      assertThat(a.fires()).hasSize(3);
    }
  }

  /** The clock of who resumes is behind, so the resume is older than the definition. */
  @Test
  void a_resume_older_than_the_pause_does_not_end_it() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.edit("10:05", "off", d -> d.setEnabled(false)).command("10:15", RESUME);
      a.command("10:45", PAUSE).commandAsOf("10:04", RESUME).stop("10:46").start("10:47");
      a.until("10:55");
      assertThat(a.answer("10:04")).startsWith("CONFLICT");
      assertThat(a.fires())
          .containsExactly(
              "10:00 SCHEDULED",
              "10:20 SCHEDULED by off",
              "10:30 SCHEDULED by off",
              "10:40 SCHEDULED by off");
      assertThat(a.missed()).containsExactly("10:10 PAUSED of off");
    }
  }

  @ParameterizedTest
  @EnumSource(CatchUp.class)
  void a_resume_may_fire_once_for_what_its_pause_held(CatchUp policy) {
    try (Scenario a = Scenario.everyTenMinutes(policy).put("09:55")) {
      a.command("10:05", PAUSE).command("10:45", FIRE_ONCE).until("10:51");
      assertThat(a.fires())
          .containsExactly(
              "10:00 SCHEDULED", "10:40 CATCH_UP at 10:45:05 {3 from 10:10}", "10:50 SCHEDULED");
      assertThat(a.missed()).containsExactly("10:10..10:30 PAUSED (3)");
    }
  }

  @Test
  void an_id_that_another_command_had_is_refused_and_a_repetition_is_told_what_follows() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.SKIP).put("09:55")) {
      a.command("10:05", "\"trigger\": {}").until("10:06");
      a.scheduler().command("a", Scenario.commanded("10:05", "\"trigger\": {}"));
      assertThat(a.answer("10:05")).isEqualTo("EXECUTED");
      a.scheduler().command("a", Scenario.commanded("10:05", PAUSE));
      a.until("10:11");
      assertThat(a.answer("10:05"))
          .startsWith("REJECTED")
          .contains("was the id of another command");
      assertThat(a.status()).contains(State.ACTIVE);
      assertThat(a.fires()).hasSize(3);
    }
  }

  @Test
  void a_held_fire_that_is_deleted_before_it_fires_is_missed() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.command("10:05", PAUSE).command("10:25", FIRE_ONCE).delete("10:25").until("10:31");
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED");
      assertThat(a.missed()).containsExactly("10:10 PAUSED", "10:20 DELETED");
    }
  }

  @Test
  void a_held_fire_survives_an_edit_that_comes_before_it_fires() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.SKIP).put("09:55")) {
      a.command("10:05", PAUSE)
          .command("10:25", FIRE_ONCE)
          .edit("10:25", "second", d -> d)
          .until("10:31");
      assertThat(a.fires())
          .containsExactly(
              "10:00 SCHEDULED",
              "10:20 CATCH_UP at 10:25:05 {1 from 10:10}",
              "10:30 SCHEDULED by second");
    }
  }

  @Test
  void a_skipped_occurrence_is_missed_when_it_comes_and_an_edit_does_not_bring_it_back() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.command("10:05", "\"skip\": {\"occurrence\": \"2026-03-04T10:20:00Z\"}")
          .edit("10:12", "second", d -> d)
          .until("10:31");
      assertThat(a.answer("10:05")).isEqualTo("EXECUTED");
      assertThat(a.fires())
          .containsExactly("10:00 SCHEDULED", "10:10 SCHEDULED", "10:30 SCHEDULED by second");
      assertThat(a.missed()).containsExactly("10:20 SKIPPED of second");
      assertThat(a.scheduler().status("a").orElseThrow().getSkips()).isEmpty();
      assertThat(a.scheduler().store("progress"))
          .as("nothing but the position, and how far the input was taken")
          .hasSize(2);
    }
  }

  @Test
  void a_skip_may_be_taken_back() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.command("10:05", "\"skip\": {\"occurrence\": \"2026-03-04T10:20:00Z\"}")
          .command("10:06", "\"unskip\": {\"occurrence\": \"2026-03-04T10:20:00Z\"}")
          .until("10:21");
      assertThat(a.answer("10:06")).isEqualTo("EXECUTED");
      assertThat(a.fires()).endsWith("10:20 SCHEDULED");
    }
  }

  @Test
  void what_is_no_occurrence_to_come_cannot_be_skipped() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.command("10:05", "\"skip\": {\"occurrence\": \"2026-03-04T10:21:00Z\"}")
          .command("10:06", "\"skip\": {\"occurrence\": \"2026-03-04T10:00:00Z\"}")
          .command("10:07", "\"unskip\": {\"occurrence\": \"2026-03-04T10:20:00Z\"}");
      assertThat(a.answer("10:05"))
          .contains("REJECTED", "the nearest are 2026-03-04T10:20:00Z and 2026-03-04T10:30:00Z");
      assertThat(a.answer("10:06"))
          .contains("is decided already", "the nearest is 2026-03-04T10:10:00Z");
      assertThat(a.answer("10:07")).contains("no command skips", "none is skipped");
    }
  }

  @Test
  void a_trigger_fires_beside_the_schedule_whether_it_is_paused_or_complete() {
    try (Scenario a = Scenario.once(CatchUp.COLLAPSE, "10:20").put("09:55")) {
      a.command("10:05", PAUSE)
          .command("10:06", "\"trigger\": {\"payload\": {\"by\": \"hand\"}}")
          .command("10:07", RESUME)
          .until("10:25")
          .command("10:30", "\"trigger\": {}")
          .until("10:31");
      assertThat(a.fires())
          .containsExactly(
              "10:06 TRIGGERED at 10:06:05", "10:20 SCHEDULED", "10:30 TRIGGERED at 10:30:05");
      Fire byHand = a.scheduler().fires().get(0);
      assertThat(StandardCharsets.UTF_8.decode(byHand.getSchedule().getPayload()).toString())
          .isEqualTo("{\"by\":\"hand\"}");
      assertThat(
              new String(
                  a.scheduler().records(a.scheduler().topics().fires()).get(0).key(),
                  StandardCharsets.UTF_8))
          .isEqualTo("a|2026-03-04T10:06:00.000Z|10:06");
      assertThat(a.missed()).isEmpty();
      assertThat(a.status()).contains(State.COMPLETED);
    }
  }

  @Test
  void a_backfill_fires_a_decided_range_again_with_the_same_ids() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.stop("10:05")
          .start("10:45")
          .edit("10:46", "second", d -> d)
          .command(
              "10:47",
              "\"backfill\": {\"from\": \"2026-03-04T10:00:00Z\", \"to\": \"2026-03-04T12:00:00Z\"}")
          .until("10:48");
      List<Fire> fires = a.scheduler().fires();
      assertThat(a.fires().subList(2, fires.size()))
          .containsExactly(
              "10:00 BACKFILL at 10:47:05 by second",
              "10:10 BACKFILL at 10:47:05 by second",
              "10:20 BACKFILL at 10:47:05 by second",
              "10:30 BACKFILL at 10:47:05 by second",
              "10:40 BACKFILL at 10:47:05 by second");
      assertThat(fires.get(2).getFireId()).isEqualTo(fires.get(0).getFireId());
      assertThat(a.scheduler().status("a").orElseThrow().getBackfills()).isEmpty();
      a.until("10:51");
      assertThat(a.fires()).endsWith("10:50 SCHEDULED by second");
    }
  }

  @Test
  void a_backfill_keeps_its_rate_survives_a_restart_and_may_be_cancelled() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE)) {
      a.with(d -> d.setTrigger(Scenario.cron("*/10 * * * *"))).until("09:55");
      a.putAsOf(Instant.parse("2025-12-31T23:00:00Z"));
      a.command(
              "10:05",
              "\"backfill\": {\"from\": \"2026-01-01T00:00:00Z\", \"to\": \"2026-03-04T00:00:00Z\"}")
          .until("10:05:20");
      List<RunningBackfill> running = a.scheduler().status("a").orElseThrow().getBackfills();
      assertThat(running).singleElement().extracting(RunningBackfill::getFired).isEqualTo(0L);
      assertThat(backfilled(a)).hasSize(400);
      a.stop("10:05:20").start("10:05:25").until("10:05:55");
      assertThat(backfilled(a)).hasSizeBetween(900, 1_000).doesNotHaveDuplicates().isSorted();
      a.command("10:06", "\"cancel_backfill\": {\"backfill\": \"10:05\"}").until("10:30");
      assertThat(a.answer("10:06")).isEqualTo("EXECUTED");
      assertThat(backfilled(a)).hasSizeLessThan(1_300);
      assertThat(a.fires()).endsWith("10:10 SCHEDULED", "10:20 SCHEDULED", "10:30 SCHEDULED");
    }
  }

  private static List<Instant> backfilled(Scenario a) {
    return a.scheduler().fires().stream()
        .filter(fire -> fire.getCause() == Cause.BACKFILL)
        .map(Fire::getOccurrence)
        .toList();
  }

  @Test
  void a_backfill_before_the_trigger_says_since_when_the_schedule_has_it() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.command(
          "09:56",
          "\"backfill\": {\"from\": \"2026-03-04T09:00:00Z\", \"to\": \"2026-03-04T09:55:00Z\"}");
      assertThat(a.answer("09:56"))
          .contains("REJECTED", "it has none since it got its trigger at 2026-03-04T09:55:00Z")
          .doesNotContain("for example");
    }
  }

  @Test
  void a_backfill_of_nothing_decided_is_refused() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.command(
          "10:05",
          "\"backfill\": {\"from\": \"2026-03-04T10:10:00Z\", \"to\": \"2026-03-04T12:00:00Z\"}");
      assertThat(a.answer("10:05")).contains("REJECTED", "the last one is 2026-03-04T10:00:00Z");
      a.command("10:06", "\"cancel_backfill\": {\"backfill\": \"x\"}");
      assertThat(a.answer("10:06")).contains("REJECTED", "none runs");
    }
  }

  @Test
  void an_answer_says_what_has_become_of_the_schedule() {
    try (Scenario a = Scenario.once(CatchUp.COLLAPSE, "10:20").put("09:55")) {
      a.command("10:05", PAUSE).command("10:06", RESUME).command("10:19", "\"next\": {}");
      a.until("10:20").command("10:21", "\"trigger\": {}").command("10:22", "\"next\": {}");
      a.scheduler()
          .ask("b", bytes("{\"every\":\"1h\",\"end_at\":\"2026-01-01T00:00:00Z\"}"), "over");
      assertThat(a.answered("10:05").getState()).isEqualTo(State.PAUSED);
      assertThat(a.answered("10:06").getState()).isEqualTo(State.ACTIVE);
      assertThat(a.answered("10:19").getState()).isEqualTo(State.ACTIVE);
      assertThat(a.answered("10:21").getState()).isEqualTo(State.COMPLETED);
      assertThat(a.answered("10:22").getState()).isEqualTo(State.COMPLETED);
      assertThat(a.answered("over").getState()).isEqualTo(State.COMPLETED);
    }
  }

  @Test
  void an_expected_revision_that_is_not_in_force_is_a_conflict_that_names_the_one_that_is() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.command("10:05", PAUSE + ", \"expected_revision\": \"waterclock.schedules-0@7\"");
      assertThat(a.answer("10:05")).contains("CONFLICT", "waterclock.schedules-0@0 is in force");
      a.command("10:06", PAUSE + ", \"expected_revision\": \"waterclock.schedules-0@0\"");
      assertThat(a.answer("10:06")).isEqualTo("EXECUTED");
    }
  }

  @Test
  void a_command_is_executed_once_however_often_it_is_read() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.command("10:05", "\"trigger\": {}").command("10:06", PAUSE).command("10:07", RESUME);
      a.command("10:08", PAUSE).until("10:09");
      for (int i = 0; i < 2; i++) {
        a.scheduler().command("a", Scenario.commanded("10:05", "\"trigger\": {}"));
        a.scheduler().command("a", Scenario.commanded("10:06", PAUSE));
        a.scheduler().command("a", Scenario.commanded("10:07", RESUME));
        a.scheduler().command("a", Scenario.commanded("10:08", PAUSE));
        a.stop("10:09").start("10:15");
      }
      a.until("10:21");
      assertThat(a.status()).contains(State.PAUSED);
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED", "10:05 TRIGGERED at 10:05:05");
      assertThat(a.answer("10:08")).isEqualTo("EXECUTED");
      assertThat(a.answered("10:08").getRepeats()).isEqualTo(Scenario.at("10:08"));
    }
  }

  @Test
  void a_refused_command_stays_refused() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE)) {
      a.command("09:54:10", PAUSE).put("09:55").command("09:56", RESUME);
      assertThat(a.answer("09:54:10")).contains("NOT_FOUND", "there is no schedule a");
      a.scheduler().command("a", Scenario.commanded("09:54:10", PAUSE));
      assertThat(a.answer("09:54:10")).contains("NOT_FOUND", "was refused at");
      assertThat(a.until("10:01").status()).contains(State.ACTIVE);
    }
  }

  @Test
  void what_is_written_in_an_outage_acts_in_its_order_whichever_topic_is_read_first() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE)) {
      a.stop("09:55").command("09:55:30", PAUSE).put("09:56");
      a.command("09:57", RESUME).command("09:58", PAUSE).start("09:59").until("10:01");
      assertThat(a.status()).contains(State.PAUSED);
      assertThat(a.answer("09:55:30")).startsWith("NOT_FOUND");
      assertThat(a.answer("09:57")).isEqualTo("UNCHANGED");
      assertThat(a.fires()).isEmpty();
    }
  }

  @Test
  void a_command_is_remembered_as_long_as_it_is_kept_and_never_executed_after_that() {
    try (Scenario a = Scenario.once(CatchUp.COLLAPSE, "23:00").with(d -> d).put("09:55")) {
      SchedulerHarness scheduler = a.scheduler();
      scheduler.put("b", "{\"every\":\"1d\"}");
      byte[] trigger = bytes("{\"command_id\":\"t\",\"trigger\":{}}");
      Instant written = scheduler.now();
      scheduler.command("b", trigger, written, new RecordHeaders());
      for (int day = 0; day < 9; day++) {
        scheduler.step(java.time.Duration.ofDays(1));
        scheduler.command("b", trigger, written, new RecordHeaders());
      }
      assertThat(scheduler.fires("b")).filteredOn(f -> f.getCause() == Cause.TRIGGERED).hasSize(1);
      assertThat(scheduler.store("commands")).hasSize(1);
      assertThat(scheduler.records(scheduler.topics().dlq())).isNotEmpty();
    }
  }

  @Test
  void bad_commands_are_answered_with_all_that_is_wrong_or_kept_as_dead_letters() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      SchedulerHarness scheduler = a.scheduler();
      List<String> bad =
          List.of(
              "{\"pasue\":{}}",
              "nonsense",
              "{\"command_id\":\"\",\"backfill\":{\"from\":\"2026-01-02T00:00:00Z\",\"to\":\"2026-01-01T00:00:00Z\"}}");
      bad.forEach(json -> scheduler.command("a", json));
      scheduler.command("no id!", "{\"command_id\":\"c\",\"pause\":{}}");
      scheduler.command("a", null, scheduler.now(), new RecordHeaders());
      assertThat(scheduler.records(scheduler.topics().dlq()))
          .extracting(letter -> letter.headers().lastHeader(HeaderNames.ERROR).value())
          .extracting(error -> new String(error, StandardCharsets.UTF_8))
          .satisfiesExactly(
              error -> assertThat(error).contains("pasue"),
              error -> assertThat(error).contains("the first byte"),
              error -> assertThat(error).contains("command_id", "backfill.to"),
              error -> assertThat(error).contains("no id!"),
              error -> assertThat(error).contains("is a tombstone"));
      RecordHeaders asks = new RecordHeaders();
      asks.add("waterclock-correlation-id", bytes("q"));
      scheduler.command("a", bytes(bad.get(2)), scheduler.now(), asks);
      assertThat(a.answer("q")).contains("REJECTED", "command_id", "backfill.to");
      assertThat(scheduler.records(scheduler.topics().dlq())).hasSize(5);
      a.until("10:01");
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED");
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void asking_for_the_next_occurrence_tells_it_and_does_nothing() {
    try (Scenario a = Scenario.everyTenMinutes(CatchUp.COLLAPSE).put("09:55")) {
      a.command("10:05", "\"next\": {}")
          .command("10:06", "\"skip\": {\"occurrence\": \"2026-03-04T10:10:00Z\"}");
      a.command("10:07", "\"next\": {}").until("10:21");
      assertThat(a.answer("10:05")).isEqualTo("UNCHANGED");
      assertThat(a.next("10:05")).isEqualTo("10:10");
      assertThat(a.next("10:07")).isEqualTo("10:20");
      assertThat(a.fires()).containsExactly("10:00 SCHEDULED", "10:20 SCHEDULED");
    }
  }
}

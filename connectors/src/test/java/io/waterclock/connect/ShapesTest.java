package io.waterclock.connect;

import static io.waterclock.connect.TableRig.BOOL;
import static io.waterclock.connect.TableRig.INT;
import static io.waterclock.connect.TableRig.LONG;
import static io.waterclock.connect.TableRig.MICROS;
import static io.waterclock.connect.TableRig.TEXT;
import static io.waterclock.connect.TableRig.row;
import static io.waterclock.connect.TableRig.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.BackoffGrowth;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What rows of the four ready mappings do, seen through a real scheduler: rows in, fires out. */
class ShapesTest {
  private static final Instant START = Instant.parse("2026-03-04T09:55:00Z");

  private static Map<String, Schema> columns(Object... namesAndSchemas) {
    Map<String, Schema> columns = new LinkedHashMap<>();
    for (int i = 0; i < namesAndSchemas.length; i += 2) {
      columns.put((String) namesAndSchemas[i], (Schema) namesAndSchemas[i + 1]);
    }
    return columns;
  }

  private static TableRig jobs() {
    return new TableRig(
        "jobs",
        "name",
        columns(
            "name",
            TEXT,
            "job_class",
            TEXT,
            "anchor",
            MICROS,
            "interval",
            INT,
            "interval_unit",
            TEXT,
            "cron",
            TEXT,
            "timezone",
            TEXT,
            "args",
            TEXT,
            "queue",
            TEXT,
            "priority",
            INT,
            "enabled",
            BOOL,
            "catch_up",
            BOOL),
        START);
  }

  private static Map<String, @Nullable Object> job() {
    return row(
        "name",
        "sync",
        "job_class",
        "SyncJob",
        "anchor",
        Instant.parse("2026-03-04T10:00:00Z"),
        "interval",
        10,
        "interval_unit",
        "minutes",
        "args",
        "{\"depth\":3}",
        "queue",
        "low",
        "priority",
        5,
        "enabled",
        true,
        "catch_up",
        true);
  }

  @Test
  void a_job_fires_on_its_grid_with_all_that_its_row_says() {
    try (TableRig jobs = jobs()) {
      jobs.insert(job());
      jobs.advance(Duration.ofMinutes(26));
      assertThat(jobs.fires("sync")).containsExactly("10:00:00", "10:10:00", "10:20:00");
      Schedule schedule = jobs.scheduler.fires("sync").get(0).getSchedule();
      assertThat(schedule.getType()).isEqualTo("SyncJob");
      assertThat(schedule.getQueue()).isEqualTo("low");
      assertThat(schedule.getPriority()).isEqualTo(5);
      assertThat(text(schedule)).isEqualTo("{\"depth\":3}");
      assertThat(jobs.bad).isEmpty();
    }
  }

  @Test
  void a_job_in_cron_is_read_in_its_own_zone() {
    try (TableRig jobs = jobs()) {
      Map<String, @Nullable Object> cron = with(with(job(), "interval", null), "anchor", null);
      jobs.insert(with(with(cron, "cron", "0 11 * * *"), "timezone", "Europe/Berlin"));
      jobs.advance(Duration.ofHours(1));
      assertThat(jobs.fires("sync")).containsExactly("10:00:00");
    }
  }

  @Test
  void catch_up_of_a_job_runs_all_or_nothing() {
    try (TableRig jobs = jobs()) {
      jobs.insert(job());
      jobs.insert(with(with(job(), "name", "lazy"), "catch_up", false));
      jobs.scheduler.stop();
      jobs.advance(Duration.ofMinutes(30));
      jobs.scheduler.start();
      jobs.advance(Duration.ofMinutes(6));
      assertThat(jobs.fires("sync"))
          .containsExactly("10:00:00", "10:10:00", "10:20:00", "10:30:00");
      assertThat(jobs.fires("lazy")).containsExactly("10:30:00");
    }
  }

  /** Three occurrences lay within the default grace of 60 s. */
  @Test
  void a_job_of_20_seconds_without_catch_up_fires_none_of_the_occurrences_of_an_outage() {
    for (Boolean without : new Boolean[] {false, null}) {
      try (TableRig jobs = jobs()) {
        Map<String, @Nullable Object> often =
            with(with(job(), "interval", 20), "catch_up", without);
        jobs.insert(with(often, "interval_unit", "second"));
        jobs.advance(Duration.ofMinutes(5).plusSeconds(1)); // to 10:00:01
        jobs.scheduler.stop();
        jobs.advance(Duration.ofMinutes(3).plusSeconds(9)); // to 10:03:10
        jobs.scheduler.start();
        jobs.advance(Duration.ofSeconds(30));
        assertThat(jobs.fires("sync")).containsExactly("10:00:00", "10:03:20", "10:03:40");
        assertThat(jobs.scheduler.missed())
            .extracting(Missed::getReason)
            .containsOnly(MissedReason.GRACE);
      }
    }
  }

  @Test
  void a_job_without_a_catch_up_skips_like_one_with_false() {
    try (TableRig jobs = jobs()) {
      jobs.insert(with(job(), "catch_up", null));
      jobs.scheduler.stop();
      jobs.advance(Duration.ofMinutes(30));
      jobs.scheduler.start();
      jobs.advance(Duration.ofMinutes(6));
      assertThat(jobs.fires("sync")).containsExactly("10:30:00");
    }
  }

  @Test
  void a_job_without_a_priority_runs_after_every_one_that_has_one() {
    try (TableRig jobs = jobs()) {
      jobs.insert(with(job(), "priority", null));
      jobs.insert(with(with(job(), "name", "last"), "priority", Integer.MAX_VALUE - 1));
      jobs.advance(Duration.ofMinutes(6));
      assertThat(priority(jobs, "sync")).isGreaterThan(priority(jobs, "last"));
    }
  }

  private static int priority(TableRig rig, String id) {
    return rig.scheduler.fires(id).get(0).getSchedule().getPriority();
  }

  /** Their outcomes are reported. */
  @Test
  void no_run_of_a_job_a_workflow_or_a_task_has_a_timeout() {
    try (TableRig jobs = jobs();
        TableRig workflows = workflows();
        TableRig tasks = tasks()) {
      jobs.insert(job());
      workflows.insert(workflow("interval", "5m"));
      tasks.insert(task("interval"));
      for (TableRig rig : new TableRig[] {jobs, workflows, tasks}) {
        rig.advance(Duration.ofMinutes(6));
        assertThat(rig.bad).isEmpty();
        Fire fire = rig.scheduler.fires().get(0);
        assertThat(fire.getSchedule().getTimeoutNone()).as(fire.getScheduleId()).isTrue();
        assertThat(fire.getSchedule().getBackoffGrowth()).isEqualTo(BackoffGrowth.CONSTANT);
        assertThat(fire.getSchedule().getBackoffMs()).isEqualTo(200);
        assertThat(fire.getWantsOutcome()).isTrue();
      }
    }
  }

  @Test
  void catch_up_of_a_job_runs_all_however_many() {
    try (TableRig jobs = jobs()) {
      jobs.insert(with(with(job(), "interval", 1), "interval_unit", "second"));
      jobs.scheduler.stop();
      jobs.advance(Duration.ofMinutes(185));
      jobs.scheduler.start();
      jobs.advance(Duration.ofMinutes(5));
      assertThat(jobs.fires("sync")).hasSize(185 * 60 + 1);
      assertThat(jobs.scheduler.missed()).isEmpty();
    }
  }

  @Test
  void enabling_a_job_again_never_backfills() {
    try (TableRig jobs = jobs()) {
      Map<String, @Nullable Object> off = with(job(), "enabled", false);
      jobs.insert(job());
      jobs.advance(Duration.ofMinutes(6));
      jobs.update(job(), off);
      jobs.advance(Duration.ofMinutes(40));
      jobs.update(off, job());
      jobs.advance(Duration.ofMinutes(10));
      assertThat(jobs.fires("sync")).containsExactly("10:00:00", "10:50:00");
    }
  }

  @Test
  void a_job_that_was_enabled_while_the_scheduler_was_down_does_not_backfill_either() {
    try (TableRig jobs = jobs()) {
      Map<String, @Nullable Object> off = with(job(), "enabled", false);
      jobs.insert(off);
      jobs.scheduler.stop();
      jobs.advance(Duration.ofMinutes(33));
      jobs.update(off, job());
      jobs.advance(Duration.ofMinutes(4));
      jobs.scheduler.start();
      jobs.advance(Duration.ofMinutes(10));
      assertThat(jobs.fires("sync")).containsExactly("10:30:00", "10:40:00");
    }
  }

  @Test
  void a_deleted_job_fires_no_more() {
    try (TableRig jobs = jobs()) {
      jobs.insert(job());
      jobs.advance(Duration.ofMinutes(6));
      jobs.delete(row("name", "sync"));
      jobs.advance(Duration.ofMinutes(30));
      assertThat(jobs.fires("sync")).containsExactly("10:00:00");
      assertThat(jobs.scheduler.status("sync")).isEmpty();
    }
  }

  @Test
  void a_renamed_job_fires_under_its_new_name_alone() {
    try (TableRig jobs = jobs()) {
      Map<String, @Nullable Object> renamed = with(job(), "name", "synced");
      jobs.insert(job());
      jobs.advance(Duration.ofMinutes(6));
      jobs.update(job(), renamed);
      jobs.advance(Duration.ofMinutes(10));
      jobs.update(renamed, with(renamed, "queue", "high"));
      jobs.advance(Duration.ofMinutes(10));
      assertThat(jobs.fires("sync")).containsExactly("10:00:00");
      assertThat(jobs.fires("synced")).containsExactly("10:10:00", "10:20:00");
      jobs.delete(renamed);
      jobs.advance(Duration.ofMinutes(30));
      assertThat(jobs.scheduler.fires()).hasSize(3);
    }
  }

  /** The first of its rows is refused, long before one of them is renamed. */
  @Test
  void a_job_whose_name_is_not_its_key_never_fires_twice_for_a_rename() {
    for (boolean wholeRows : new boolean[] {true, false}) {
      try (TableRig rig =
          new TableRig(
              Map.of("id.column", "name", "every.value", "10m"),
              "nr",
              columns("nr", LONG, "name", TEXT),
              START)) {
        TableRig jobs = wholeRows ? rig.withWholeRows() : rig;
        Map<String, @Nullable Object> old = row("nr", 1L, "name", "old");
        Map<String, @Nullable Object> renamed = with(old, "name", "new");
        jobs.insert(old);
        jobs.update(old, renamed);
        jobs.update(renamed, renamed);
        jobs.advance(Duration.ofHours(1));
        assertThat(jobs.scheduler.fires()).as("whole rows: %s", wholeRows).isEmpty();
        assertThat(jobs.bad).hasSize(3);
      }
    }
  }

  @Test
  void a_job_whose_name_has_spaces_fires_and_is_deleted_under_an_escaped_id() {
    try (TableRig jobs = jobs()) {
      Map<String, @Nullable Object> spaced = with(job(), "name", "nightly report");
      jobs.insert(spaced);
      jobs.insert(with(job(), "name", "nightly  report"));
      jobs.insert(with(job(), "name", "nightly~20report"));
      jobs.advance(Duration.ofMinutes(6));
      assertThat(jobs.fires("nightly~20report")).containsExactly("10:00:00");
      assertThat(jobs.fires("nightly~20~20report")).containsExactly("10:00:00");
      assertThat(jobs.fires("nightly~7E20report")).containsExactly("10:00:00");
      jobs.delete(spaced);
      assertThat(jobs.scheduler.status("nightly~20report")).isEmpty();
      assertThat(jobs.bad).isEmpty();
    }
  }

  private static final String POLL = "6f1c2f0e-7d0b-4b0a";

  private static TableRig polls() {
    return new TableRig(
        "polls",
        "guid",
        columns(
            "guid", TEXT, "interval", INT, "next_run", MICROS, "last_run", MICROS, "owner", TEXT),
        START);
  }

  private static Map<String, @Nullable Object> poll(String nextRun) {
    return row(
        "guid",
        POLL,
        "interval",
        600,
        "next_run",
        Instant.parse("2026-03-04T" + nextRun + "Z"),
        "owner",
        "feeds");
  }

  @Test
  void the_anchor_of_a_poll_is_the_first_next_run_and_later_ones_change_nothing() {
    try (TableRig polls = polls()) {
      polls.insert(poll("10:03:00"));
      polls.advance(Duration.ofMinutes(9));
      polls.update(poll("10:03:00"), with(poll("10:14:07"), "last_run", polls.scheduler.now()));
      polls.advance(Duration.ofMinutes(10));
      polls.update(poll("10:14:07"), poll("23:59:59"));
      polls.snapshot(poll("11:11:11"));
      polls.advance(Duration.ofMinutes(10));
      assertThat(polls.fires(POLL)).containsExactly("10:03:00", "10:13:00", "10:23:00");
      assertThat(polls.scheduler.revisions()).hasSize(1);
      assertThat(polls.scheduler.fires().get(0).getSchedule().getOwner()).isEqualTo("feeds");
    }
  }

  /** A late run must not be followed by one on time: the time between two starts counts. */
  @Test
  void a_poll_has_the_tolerance_and_the_timeout_that_its_table_relies_on() {
    try (TableRig polls = polls()) {
      polls.insert(poll("10:03:00"));
      polls.advance(Duration.ofMinutes(9));
      Fire fire = polls.scheduler.fires().get(0);
      assertThat(fire.getWantsOutcome()).as("the start of its run is last_run").isTrue();
      Schedule schedule = fire.getSchedule();
      assertThat(schedule.getToleranceMs()).isEqualTo(5_000);
      assertThat(schedule.getTimeoutMs()).isNull();
      assertThat(schedule.getTimeoutNone()).isFalse();
    }
  }

  @Test
  void a_poll_that_is_inserted_anew_has_a_new_anchor() {
    try (TableRig polls = polls()) {
      polls.insert(poll("10:03:00"));
      polls.delete(row("guid", POLL));
      polls.insert(poll("10:05:30"));
      polls.advance(Duration.ofMinutes(20));
      assertThat(polls.fires(POLL)).containsExactly("10:05:30");
    }
  }

  /** 5 s ago, every 60 s: the first fire is at once, and not 55 s later. */
  @Test
  void a_poll_whose_next_run_is_in_the_past_is_due_at_once_and_goes_on_in_its_phase() {
    try (TableRig polls = polls()) {
      polls.insert(with(poll("09:54:55"), "interval", 60));
      polls.advance(Duration.ofSeconds(1));
      assertThat(polls.fires(POLL)).containsExactly("09:54:55");
      polls.advance(Duration.ofSeconds(53));
      assertThat(polls.fires(POLL)).hasSize(1);
      polls.advance(Duration.ofSeconds(61));
      assertThat(polls.fires(POLL)).containsExactly("09:54:55", "09:55:55", "09:56:55");
    }
  }

  @Test
  void a_poll_whose_next_run_is_long_past_fires_once_for_all_and_writes_nothing_off() {
    try (TableRig polls = polls()) {
      polls.snapshot(poll("07:03:00"));
      polls.advance(Duration.ofMinutes(20));
      assertThat(polls.fires(POLL)).containsExactly("09:53:00", "10:03:00", "10:13:00");
      assertThat(polls.scheduler.fires().get(0).getFiredAt()).isEqualTo(START);
      assertThat(polls.scheduler.missed()).isEmpty();
    }
  }

  @Test
  void a_poll_whose_next_run_is_set_to_now_fires_now_once_and_keeps_its_phase() {
    try (TableRig polls = polls().withWholeRows()) {
      polls.insert(poll("10:03:00"));
      polls.advance(Duration.ofMinutes(9)); // to 10:04
      Map<String, @Nullable Object> waiting = poll("10:13:00");
      polls.update(poll("10:03:00"), waiting);
      polls.update(waiting, poll("10:04:00"));
      polls.update(waiting, poll("10:04:00")); // Connect has written it again after a crash
      polls.advance(Duration.ofMinutes(20));
      assertThat(polls.fires(POLL)).containsExactly("10:03:00", "10:04:00", "10:13:00", "10:23:00");
      assertThat(polls.scheduler.fires().get(1).getCause()).isEqualTo(Cause.TRIGGERED);
      assertThat(polls.scheduler.revisions()).hasSize(1);
      assertThat(polls.bad).isEmpty();
    }
  }

  @Test
  void a_poll_is_due_too_if_nothing_writes_its_next_run_back_and_it_is_set_to_a_later_past() {
    try (TableRig polls = polls().withWholeRows()) {
      polls.insert(poll("10:03:00"));
      polls.advance(Duration.ofMinutes(26)); // to 10:21
      polls.update(poll("10:03:00"), poll("10:20:59"));
      polls.update(with(poll("10:20:59"), "next_run", null), poll("10:21:00"));
      polls.advance(Duration.ofSeconds(30));
      assertThat(polls.fires(POLL)).containsExactly("10:03:00", "10:13:00", "10:21:00");
    }
  }

  /** PostgreSQL was away when these occurrences came, and RunTimes writes them one by one. */
  @Test
  void a_next_run_that_is_written_back_late_makes_nothing_due() {
    try (TableRig polls = polls().withWholeRows();
        TableRig tasks = tasks().withWholeRows()) {
      polls.insert(poll("10:03:00"));
      polls.advance(Duration.ofMinutes(36)); // to 10:31
      polls.update(poll("10:03:00"), poll("10:13:00"));
      polls.update(poll("10:13:00"), poll("10:23:00"));
      polls.update(poll("10:23:00"), poll("10:33:00"));
      polls.advance(Duration.ofSeconds(1));
      assertThat(polls.fires(POLL)).containsExactly("10:03:00", "10:13:00", "10:23:00");
      tasks.insert(task("cron"));
      tasks.advance(Duration.ofMinutes(20)); // to 10:15
      Instant ten = Instant.parse("2026-03-04T10:00:00Z");
      tasks.update(task("cron"), with(task("cron"), "next_run_at", ten.plusSeconds(600)));
      tasks.advance(Duration.ofSeconds(1));
      assertThat(tasks.fires("t1")).containsExactly("10:00:00", "10:10:00");
    }
  }

  /** Connect was killed, and RunTimes writes again what is written already. */
  @Test
  void an_earlier_next_run_that_is_written_again_makes_nothing_due() {
    try (TableRig polls = polls().withWholeRows();
        TableRig tasks = tasks().withWholeRows()) {
      polls.insert(poll("10:03:00"));
      polls.advance(Duration.ofMinutes(36)); // to 10:31
      polls.update(poll("10:03:00"), poll("10:33:00"));
      polls.update(poll("10:33:00"), poll("10:13:00"));
      polls.update(poll("10:13:00"), poll("10:23:00"));
      polls.update(poll("10:23:00"), poll("10:33:00"));
      polls.advance(Duration.ofSeconds(1));
      assertThat(polls.fires(POLL)).containsExactly("10:03:00", "10:13:00", "10:23:00");
      Instant ten = Instant.parse("2026-03-04T10:00:00Z");
      Map<String, @Nullable Object> waiting =
          with(task("cron"), "next_run_at", ten.plusSeconds(1_200));
      tasks.insert(task("cron"));
      tasks.advance(Duration.ofMinutes(20)); // to 10:15
      tasks.update(task("cron"), waiting);
      tasks.update(waiting, with(waiting, "next_run_at", ten.plusSeconds(600)));
      tasks.advance(Duration.ofSeconds(1));
      assertThat(tasks.fires("t1")).containsExactly("10:00:00", "10:10:00");
      tasks.update(waiting, with(waiting, "next_run_at", tasks.scheduler.now()));
      tasks.advance(Duration.ofSeconds(1));
      assertThat(tasks.fires("t1"))
          .as("set to now, which is no occurrence")
          .containsExactly("10:00:00", "10:10:00", "10:15:01");
    }
  }

  @Test
  void a_next_run_that_is_set_to_the_future_or_while_the_row_changes_or_pauses_orders_no_fire() {
    try (TableRig polls = polls().withWholeRows();
        TableRig tasks = tasks().withWholeRows()) {
      polls.insert(poll("10:03:00"));
      polls.update(poll("10:03:00"), poll("09:55:01"));
      polls.update(poll("10:03:00"), with(poll("09:54:00"), "owner", "others"));
      polls.advance(Duration.ofMinutes(2));
      assertThat(polls.fires(POLL)).isEmpty();
      assertThat(polls.scheduler.revisions())
          .extracting(revision -> revision.getSchedule().getOwner())
          .endsWith("others");
      Map<String, @Nullable Object> paused = with(task("interval"), "paused", true);
      tasks.insert(paused);
      tasks.update(paused, with(paused, "next_run_at", START));
      tasks.advance(Duration.ofMinutes(2));
      assertThat(tasks.fires("t1")).isEmpty();
    }
  }

  @Test
  void a_task_and_a_workflow_that_are_overdue_fire_at_once_by_their_own_triggers() {
    Instant past = Instant.parse("2026-03-04T09:50:00Z");
    for (String kind : new String[] {"interval", "cron"}) {
      try (TableRig tasks = tasks().withWholeRows()) {
        Map<String, @Nullable Object> overdue = with(task(kind), "next_run_at", past);
        tasks.insert(overdue);
        tasks.insert(with(with(overdue, "id", "t2"), "paused", true));
        tasks.advance(Duration.ofMinutes(1));
        assertThat(tasks.fires("t1")).as(kind).containsExactly("09:50:00");
        assertThat(tasks.fires("t2")).as(kind).isEmpty();
        tasks.update(overdue, with(overdue, "next_run_at", tasks.scheduler.now()));
        tasks.advance(Duration.ofSeconds(1));
        assertThat(tasks.fires("t1")).as(kind).containsExactly("09:50:00", "09:56:00");
      }
    }
    try (TableRig workflows = workflows()) {
      workflows.insert(with(workflow("interval", "30m"), "next_run_at", past));
      workflows.advance(Duration.ofMinutes(30));
      assertThat(workflows.fires("7")).containsExactly("09:50:00", "10:20:00");
    }
  }

  @Test
  void a_poll_without_a_next_run_counts_from_its_row() {
    try (TableRig polls = polls()) {
      polls.insert(with(poll("10:03:00"), "next_run", null));
      polls.advance(Duration.ofMinutes(20));
      assertThat(polls.fires(POLL)).containsExactly("10:05:00", "10:15:00");
    }
  }

  private static TableRig workflows() {
    return new TableRig(
        "workflows",
        "id",
        columns(
            "id",
            LONG,
            "workflow_id",
            TEXT,
            "schedule_type",
            TEXT,
            "schedule_expr",
            TEXT,
            "status",
            TEXT,
            "input_data",
            TEXT,
            "next_run_at",
            MICROS),
        START);
  }

  private static Map<String, @Nullable Object> workflow(String type, String expression) {
    return row(
        "id",
        7L,
        "workflow_id",
        "wf-ingest",
        "schedule_type",
        type,
        "schedule_expr",
        expression,
        "status",
        "active",
        "input_data",
        "{\"n\":1}");
  }

  @Test
  void a_workflow_fires_by_each_of_its_expressions_and_expires() {
    Map<String, String> firstFire =
        Map.of("30m", "10:25:00", "2h", "11:55:00", "*/20 * * * *", "10:00:00");
    firstFire.forEach(
        (expression, time) -> {
          try (TableRig workflows = workflows()) {
            workflows.insert(workflow(expression.contains(" ") ? "cron" : "interval", expression));
            workflows.advance(Duration.ofHours(2));
            assertThat(workflows.fires("7")).startsWith(time);
            Fire fire = workflows.scheduler.fires("7").get(0);
            assertThat(fire.getSchedule().getExpiresMs()).isEqualTo(600_000);
            assertThat(fire.getSchedule().getType()).isEqualTo("wf-ingest");
          }
        });
  }

  @Test
  void a_workflow_of_a_day_fires_a_day_later() {
    try (TableRig workflows = workflows()) {
      workflows.insert(workflow("interval", "1d"));
      workflows.advance(Duration.ofHours(25));
      assertThat(workflows.scheduler.fires("7"))
          .extracting(Fire::getOccurrence)
          .containsExactly(START.plus(Duration.ofDays(1)));
    }
  }

  @Test
  void any_status_but_active_pauses_a_workflow() {
    for (String status : new String[] {"paused", "archived", "ACTIVE?", ""}) {
      try (TableRig workflows = workflows()) {
        Map<String, @Nullable Object> active = workflow("interval", "10m");
        workflows.insert(active);
        workflows.advance(Duration.ofMinutes(10));
        workflows.update(active, with(active, "status", status));
        workflows.advance(Duration.ofMinutes(30));
        workflows.update(with(active, "status", status), with(active, "status", "Active"));
        workflows.advance(Duration.ofMinutes(10));
        assertThat(workflows.fires("7")).as(status).containsExactly("10:05:00", "10:45:00");
      }
    }
  }

  @Test
  void a_one_time_workflow_fires_once_and_never_again_on_a_new_snapshot() {
    try (TableRig workflows = workflows()) {
      Map<String, @Nullable Object> once = workflow("one-time", "2026-03-04T10:00:00Z");
      workflows.insert(once);
      workflows.advance(Duration.ofMinutes(10));
      workflows.snapshot(once);
      workflows.advance(Duration.ofHours(3)); // the scheduler has forgotten it
      assertThat(workflows.scheduler.status("7")).isEmpty();
      workflows.snapshot(once);
      workflows.update(once, with(once, "input_data", "{\"n\":2}"));
      workflows.advance(Duration.ofHours(3));
      workflows.snapshot(with(once, "status", "done"));
      workflows.snapshot(once);
      workflows.advance(Duration.ofHours(3));
      assertThat(workflows.fires("7")).containsExactly("10:00:00");
      assertThat(workflows.scheduler.missed()).isEmpty();
    }
  }

  @Test
  void a_one_time_workflow_that_has_fired_does_not_fire_again_when_it_is_renamed() {
    try (TableRig workflows = workflows()) {
      Map<String, @Nullable Object> once = workflow("one-time", "2026-03-04T10:00:00Z");
      workflows.insert(once);
      workflows.advance(Duration.ofMinutes(10));
      workflows.update(once, with(once, "id", 8L));
      workflows.advance(Duration.ofMinutes(10));
      assertThat(workflows.fires("7")).containsExactly("10:00:00");
      assertThat(workflows.fires("8")).isEmpty();
    }
  }

  @Test
  void a_workflow_for_now_fires_when_it_is_inserted_and_never_again_on_a_new_snapshot() {
    try (TableRig workflows = workflows()) {
      Map<String, @Nullable Object> now = workflow("one-time", "now");
      workflows.insert(now);
      workflows.advance(Duration.ofHours(3));
      workflows.snapshot(now);
      workflows.advance(Duration.ofHours(3));
      assertThat(workflows.fires("7")).containsExactly("09:55:00");
    }
  }

  @Test
  void a_one_time_workflow_in_the_past_fires_when_it_is_inserted() {
    try (TableRig workflows = workflows()) {
      workflows.insert(workflow("one-time", "2026-03-04T09:00:00Z"));
      workflows.advance(Duration.ofMinutes(1));
      assertThat(workflows.fires("7")).containsExactly("09:00:00");
    }
  }

  @Test
  void a_done_workflow_that_is_set_to_now_fires_if_the_database_logs_the_row_before() {
    try (TableRig workflows = workflows().withWholeRows()) {
      Map<String, @Nullable Object> once = workflow("one-time", "2026-03-04T10:00:00Z");
      workflows.insert(once);
      workflows.advance(Duration.ofHours(3));
      workflows.update(once, workflow("one-time", "now"));
      workflows.advance(Duration.ofMinutes(1));
      assertThat(workflows.fires("7")).containsExactly("10:00:00", "12:55:00");
    }
  }

  /** Between 09:55 on 4 March and a day later. */
  @ParameterizedTest
  @CsvSource({
    "2026-03-05, 2026-03-05T00:00:00Z",
    "20260305, 2026-03-05T00:00:00Z",
    "20260304T110000Z, 2026-03-04T11:00:00Z",
    "20260304T1100Z, 2026-03-04T11:00:00Z",
    "20260304T120000+0100, 2026-03-04T11:00:00Z",
    "20260304T110000, 2026-03-04T11:00:00Z",
    "20260304T110000.250Z, 2026-03-04T11:00:00.250Z",
    "2026-03-04T12:00:00+01, 2026-03-04T11:00:00Z",
    "2026-03-04 11:00:00.5+00, 2026-03-04T11:00:00.500Z",
    "2026-03-04 05:30:00-0530, 2026-03-04T11:00:00Z",
    "2026-03-04T11:00Z, 2026-03-04T11:00:00Z",
  })
  void a_one_time_workflow_has_any_form_of_a_date_or_a_time(String text, Instant at) {
    try (TableRig workflows = workflows()) {
      workflows.insert(workflow("one-time", text));
      workflows.advance(Duration.ofDays(1));
      assertThat(workflows.bad).isEmpty();
      assertThat(workflows.scheduler.fires("7"))
          .extracting(Fire::getOccurrence)
          .containsExactly(at);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-0304",
        "202603",
        "20260230",
        "2026-03-04T1100Z11",
        "2026-03-04T25:00:00Z",
        "2026-03-04Z"
      })
  void a_one_time_workflow_with_another_text_is_a_bad_row(String text) {
    try (TableRig workflows = workflows()) {
      workflows.insert(workflow("one-time", text));
      assertThat(workflows.bad).hasSize(1);
      assertThat(workflows.bad.get(0).reason())
          .contains("at (column schedule_expr)", text, "for example 2026-12-24T18:00:00Z");
    }
  }

  @Test
  void a_one_time_workflow_to_come_is_found_by_a_snapshot() {
    try (TableRig workflows = workflows()) {
      workflows.snapshot(workflow("one-time", "2026-03-04 10:00:00"));
      workflows.advance(Duration.ofMinutes(10));
      assertThat(workflows.fires("7")).containsExactly("10:00:00");
    }
  }

  private static TableRig tasks() {
    return new TableRig(
        "tasks",
        "id",
        columns(
            "id",
            TEXT,
            "kind",
            TEXT,
            "cron_expr",
            TEXT,
            "interval_ms",
            LONG,
            "paused",
            BOOL,
            "next_run_at",
            MICROS),
        START);
  }

  private static Map<String, @Nullable Object> task(String kind) {
    return row(
        "id",
        "t1",
        "kind",
        kind,
        "cron_expr",
        "*/10 * * * *",
        "interval_ms",
        600_000L,
        "paused",
        false,
        "next_run_at",
        Instant.parse("2026-03-04T10:00:00Z"));
  }

  @Test
  void missed_runs_of_a_task_collapse_into_one() {
    for (String kind : new String[] {"interval", "cron"}) {
      try (TableRig tasks = tasks()) {
        tasks.insert(task(kind));
        tasks.scheduler.stop();
        tasks.advance(Duration.ofMinutes(37));
        tasks.scheduler.start();
        tasks.advance(Duration.ofMinutes(9));
        assertThat(tasks.fires("t1")).as(kind).containsExactly("10:30:00 +3", "10:40:00");
      }
    }
  }

  @Test
  void resuming_a_task_fires_once_for_the_occurrences_of_the_pause() {
    for (String kind : new String[] {"interval", "cron"}) {
      try (TableRig tasks = tasks()) {
        Map<String, @Nullable Object> paused = with(task(kind), "paused", true);
        tasks.insert(task(kind));
        tasks.advance(Duration.ofMinutes(7));
        tasks.update(task(kind), paused);
        tasks.advance(Duration.ofMinutes(32));
        tasks.update(paused, task(kind));
        tasks.advance(Duration.ofMinutes(7));
        assertThat(tasks.fires("t1"))
            .as(kind)
            .containsExactly("10:00:00", "10:30:00 +2", "10:40:00");
      }
    }
  }

  @Test
  void resuming_a_task_does_not_fire_after_a_pause_without_occurrences() {
    try (TableRig tasks = tasks()) {
      Map<String, @Nullable Object> paused = with(task("cron"), "paused", true);
      tasks.insert(task("cron"));
      tasks.advance(Duration.ofMinutes(7));
      tasks.update(task("cron"), paused);
      tasks.advance(Duration.ofMinutes(2));
      tasks.update(paused, task("cron"));
      tasks.advance(Duration.ofMinutes(7));
      assertThat(tasks.fires("t1")).containsExactly("10:00:00", "10:10:00");
    }
  }

  @Test
  void a_task_once_completes_and_one_held_by_a_pause_fires_on_resume() {
    try (TableRig tasks = tasks()) {
      tasks.insert(task("once"));
      Map<String, @Nullable Object> held = with(with(task("once"), "id", "t2"), "paused", true);
      tasks.insert(held);
      tasks.advance(Duration.ofMinutes(30));
      assertThat(tasks.scheduler.status("t1").orElseThrow().getState()).isEqualTo(State.COMPLETED);
      tasks.update(held, with(held, "paused", false));
      tasks.advance(Duration.ofMinutes(30));
      assertThat(tasks.fires("t1")).containsExactly("10:00:00");
      assertThat(tasks.fires("t2")).containsExactly("10:00:00");
      assertThat(tasks.scheduler.status("t2").orElseThrow().getState()).isEqualTo(State.COMPLETED);
    }
  }

  @Test
  void a_bad_row_is_a_dead_letter_with_all_reasons_and_the_previous_definition_stays_in_force() {
    try (TableRig tasks = tasks()) {
      tasks.insert(task("cron"));
      tasks.update(task("cron"), with(task("cron"), "cron_expr", "61 * * * *"));
      tasks.insert(with(with(task("weekly"), "id", "t 2"), "interval_ms", -1L));
      tasks.insert(with(with(task("interval"), "id", "t3"), "interval_ms", -1L));
      tasks.advance(Duration.ofMinutes(6));
      assertThat(tasks.fires("t1")).containsExactly("10:00:00");
      assertThat(tasks.bad).hasSize(3);
      assertThat(tasks.bad.get(0).key()).isEqualTo("t1");
      assertThat(tasks.bad.get(0).reason()).contains("cron (column cron_expr)").contains("61");
      assertThat(tasks.bad.get(1).key()).isEqualTo("t 2");
      assertThat(tasks.bad.get(1).reason()).contains("kind (column kind)");
      assertThat(tasks.bad.get(2).reason()).contains("every (column interval_ms)");
      assertThat(String.valueOf(tasks.bad.get(2).value())).contains("\"interval_ms\":-1");
    }
  }

  private static String text(Schedule schedule) {
    return StandardCharsets.UTF_8.decode(schedule.getPayload().duplicate()).toString();
  }
}

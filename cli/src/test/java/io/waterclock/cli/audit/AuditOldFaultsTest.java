package io.waterclock.cli.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import io.waterclock.cli.cluster.Broker;
import io.waterclock.cli.live.Watermarks;
import io.waterclock.occurrences.Tzdb;
import io.waterclock.schemas.RecordCodec;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.ResumeCommand;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Plants the records that known faults of schedulers leave in the topics. Times are minutes after
 * 09:00; everything is decided up to 10:00.
 */
@Timeout(600)
@Tag("all")
class AuditOldFaultsTest {
  private static final Schedule EVERY_MINUTE =
      RecordCodecs.schedule()
          .decode(
              """
              {"every":"1m","anchor":"2026-01-01T00:00:00Z","timezone":"UTC","catch_up":"skip",
               "grace":"0s"}"""
                  .getBytes(UTF_8));
  private static final long READ_TO = 1_000;

  @RegisterExtension static final Broker broker = new Broker();

  private final Topics topics;

  AuditOldFaultsTest() throws Exception {
    topics = broker.topics("t" + System.identityHashCode(this));
    watermarks(Tzdb.version());
  }

  @Test
  void an_old_state_brings_a_deleted_schedule_to_life() throws Exception {
    ended("r1", EVERY_MINUTE, 50, 52, RevisionEnd.DELETED);
    fired("r1", 51, 52, 53, 54);
    CliRun run = audit();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("STRAY 2026-11-21T09:53:00Z: fired, but not its own");
  }

  @Test
  void an_old_state_fires_what_was_fired_and_lets_a_resumed_schedule_stand_still()
      throws Exception {
    began("r1", EVERY_MINUTE, 50);
    fired("r1", 51, 52, 53, 52, 53);
    CliRun run = audit();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("DOUBLE 2026-11-21T09:52:00Z: fired and fired")
        .contains("HOLE 2026-11-21T09:54:00Z to 2026-11-21T10:00:00Z (7)");
  }

  @Test
  void a_gate_that_is_stale_fires_long_after_a_delete_was_written() throws Exception {
    String definition = defined(EVERY_MINUTE, 50);
    ended(definition, EVERY_MINUTE, 50, 55, RevisionEnd.DELETED);
    fired(definition, 51, 52, 53, 54, 55);
    write(topics.schedules(), 52, Optional.empty());
    CliRun run = audit();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains(
            "OVERRUN 2026-11-21T09:53:00Z to 2026-11-21T09:55:00Z (3): fired up to 180.0 s after the"
                + " timestamp of its delete, 2026-11-21T09:52:00Z");
  }

  @Test
  void a_gate_that_is_stale_fires_long_after_a_pause_was_written() throws Exception {
    began("r1", EVERY_MINUTE, 50);
    fired("r1", 51, 52, 53, 54);
    status(
        ScheduleStatus.newBuilder()
            .setState(State.PAUSED)
            .setRevision("r1")
            .setSince(at(54))
            .setPause(CommandedPause.newBuilder().setSince(at(52)).build()));
    CliRun run = audit();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("OVERRUN 2026-11-21T09:53:00Z to 2026-11-21T09:54:00Z (2)");
  }

  @Test
  void a_gate_that_is_stale_fires_the_old_definition_long_after_an_edit_was_written()
      throws Exception {
    String old = defined(EVERY_MINUTE, 50);
    String edit = defined(everyTwoMinutes(), 52);
    ended(old, EVERY_MINUTE, 50, 54, RevisionEnd.REPLACED);
    began(edit, everyTwoMinutes(), 54);
    fired(old, 51, 52, 53, 54);
    fired(edit, 56, 58, 60);
    CliRun run = audit();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("OVERRUN 2026-11-21T09:53:00Z to 2026-11-21T09:54:00Z (2)")
        .contains("after the timestamp of its edit, 2026-11-21T09:52:00Z");
  }

  @Test
  void a_second_life_with_an_older_timestamp_fires_what_the_first_has_fired() throws Exception {
    ended("r1", EVERY_MINUTE, 50, 54, RevisionEnd.DELETED);
    fired("r1", 51, 52, 53, 54);
    began("r2", EVERY_MINUTE, 52);
    fired("r2", 53, 54, 55, 56, 57, 58, 59, 60);
    CliRun run = audit();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("DOUBLE 2026-11-21T09:53:00Z: fired, and fired as revision r1")
        .contains("DOUBLE 2026-11-21T09:54:00Z: fired, and fired as revision r1")
        .contains(": 2 findings");
  }

  @Test
  void a_second_life_fires_what_is_missed_in_the_first() throws Exception {
    ended("r1", EVERY_MINUTE, 50, 54, RevisionEnd.DELETED);
    fired("r1", 51);
    missed("r1", 52, 54, MissedReason.DELETED);
    began("r2", everyTwoMinutes(), 52);
    fired("r2", 54, 56, 58, 60);
    CliRun run = audit();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("DOUBLE 2026-11-21T09:54:00Z: fired, and missed DELETED as revision r1");
  }

  @Test
  void a_dead_revision_that_is_read_again_misses_what_it_fired() throws Exception {
    ended("r1", EVERY_MINUTE, 50, 54, RevisionEnd.DELETED);
    fired("r1", 51, 52, 53, 54);
    missed("r1", 53, 54, MissedReason.DELETED);
    CliRun run = audit();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("DOUBLE 2026-11-21T09:53:00Z: missed DELETED and fired")
        .contains("DOUBLE 2026-11-21T09:54:00Z: missed DELETED and fired");
  }

  @Test
  void a_resume_that_is_older_than_enabled_false_makes_it_fire() throws Exception {
    Schedule disabled = Schedule.newBuilder(EVERY_MINUTE).setEnabled(false).build();
    String revision = defined(disabled, 52);
    began(revision, disabled, 52);
    resumed(51);
    status(
        ScheduleStatus.newBuilder().setState(State.ACTIVE).setRevision(revision).setSince(at(52)));
    fired(revision, 53, 54, 55, 56, 57, 58, 59, 60);
    CliRun run = audit();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("STRAY 2026-11-21T09:53:00Z: fired, though its definition says")
        .contains(": 8 findings");

    resumed(53);
    assertThat(audit().exitCode()).as("the resume is later").isZero();
  }

  @Test
  void a_clock_that_ran_ahead_fires_what_is_not_due_yet() throws Exception {
    began("r1", EVERY_MINUTE, 58);
    fired("r1", 59, 60, 61, 62);
    CliRun run = audit();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("EARLY 2026-11-21T10:01:00Z to 2026-11-21T10:02:00Z (2): fired up to 115.0 s");
  }

  @Test
  void a_fire_before_it_is_due_is_early() throws Exception {
    began("r1", EVERY_MINUTE, 58);
    fired("r1", 59);
    fire("r1", 60, at(60).minusMillis(300), Cause.SCHEDULED);
    CliRun run = audit();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("EARLY 2026-11-21T10:00:00Z: fired up to 0.3 s before it was due");
  }

  @Test
  void a_single_instant_that_was_resolved_twice_has_fired_twice() throws Exception {
    Schedule now =
        Schedule.newBuilder()
            .setTrigger(OnceTrigger.newBuilder().setInMs(0L).build())
            .setTimezone("UTC")
            .build();
    write(topics.revisions(), RecordCodecs.revision(), once("r1", now, 50));
    fired("r1", 50);
    write(topics.revisions(), RecordCodecs.revision(), once("r1", now, 52));
    fired("r1", 52);
    CliRun run = audit();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("STRAY 2026-11-21T09:52:00Z: fired, but not its own");
  }

  @Test
  void a_backfill_fires_the_anchor_that_never_was_due() throws Exception {
    Schedule every =
        RecordCodecs.schedule().decode("{\"every\":\"1m\",\"timezone\":\"UTC\"}".getBytes(UTF_8));
    Revision revision =
        Revision.newBuilder(revision("r1", every, 57))
            .setBoundedBy(at(60))
            .setResolvedAt(at(57))
            .build();
    write(topics.revisions(), RecordCodecs.revision(), revision);
    fired("r1", 58, 59);
    for (int minute = 57; minute <= 60; minute++) {
      fire("r1", minute, at(60), Cause.BACKFILL);
    }
    CliRun run = audit();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("STRAY 2026-11-21T09:57:00Z: backfilled, but no occurrence of it")
        .contains("STRAY 2026-11-21T10:00:00Z: backfilled, but no occurrence of it")
        .contains(": 2 findings");
  }

  @Test
  void a_definition_that_was_read_and_had_no_effect_is_found() throws Exception {
    String old = defined(EVERY_MINUTE, 50);
    began(old, EVERY_MINUTE, 50);
    missed(old, 51, 60, MissedReason.GRACE);
    status(ScheduleStatus.newBuilder().setState(State.ACTIVE).setRevision(old).setSince(at(50)));
    String ignored = defined(everyTwoMinutes(), 52);
    CliRun run = audit();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines())
        .anyMatch(line -> line.startsWith("a   " + ignored + " "))
        .anyMatch(line -> line.contains("IGNORED 2026-11-21T09:52:00Z: this definition was read"));

    defined(EVERY_MINUTE, 53);
    assertThat(audit().exitCode()).as("it says what is in force").isZero();
    write(topics.schedules(), 54, Optional.empty());
    CliRun deleted = audit();
    assertThat(deleted.exitCode()).isEqualTo(1);
    assertThat(deleted.out()).contains("IGNORED 2026-11-21T09:54:00Z: this delete was read");
  }

  @Test
  void a_definition_that_was_refused_or_is_still_to_be_read_is_no_finding() throws Exception {
    String old = defined(EVERY_MINUTE, 50);
    began(old, EVERY_MINUTE, 50);
    missed(old, 51, 60, MissedReason.GRACE);
    String refused = defined(everyTwoMinutes(), 52);
    status(
        ScheduleStatus.newBuilder()
            .setState(State.ACTIVE)
            .setRevision(old)
            .setRejectedRevision(refused)
            .setSince(at(52)));
    assertThat(audit().exitCode()).isZero();
    watermarks(Tzdb.version(), 2);
    defined(everyTwoMinutes(), 55);
    assertThat(audit().exitCode()).isZero();
  }

  @Test
  void what_does_not_fit_with_other_time_zone_data_is_not_proved_instead_of_a_hole()
      throws Exception {
    Schedule berlin =
        RecordCodecs.schedule()
            .decode("{\"cron\":\"30 * * * *\",\"timezone\":\"Europe/Berlin\"}".getBytes(UTF_8));
    watermarks("1999z");
    began("r1", berlin, 0);
    CliRun run = audit();
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.out())
        .doesNotContain("  HOLE")
        .contains("not proved: it was decided with the time-zone data 1999z, and")
        .contains("1 finding, HOLE 2026-11-21T09:30:00Z");

    fired("r1", 30);
    assertThat(audit().exitCode()).as("what fits needs no data").isZero();
  }

  @Test
  void what_is_not_proved_has_an_exit_code_of_its_own() throws Exception {
    fired("r1", 51);
    assertThat(audit().out()).contains("not proved: its record in the topic revisions is gone");
    assertThat(audit().exitCode()).isEqualTo(3);
    began("r1", EVERY_MINUTE, 50);
    assertThat(audit().exitCode()).as("a finding goes first").isEqualTo(1);
  }

  private CliRun audit() {
    CliRun run = broker.run(topics, "audit");
    assertThat(run.err().lines())
        .allMatch(line -> line.startsWith("waterclock: read ")); // progress, where it takes long
    return run;
  }

  private static Instant at(int minute) {
    return CliRun.NOW.plusSeconds((minute - 60) * 60L);
  }

  private static Schedule everyTwoMinutes() {
    return RecordCodecs.schedule()
        .decode(
            "{\"every\":\"2m\",\"anchor\":\"2026-01-01T00:00:00Z\",\"timezone\":\"UTC\"}"
                .getBytes(UTF_8));
  }

  private void watermarks(String tzdb) throws Exception {
    watermarks(tzdb, READ_TO);
  }

  private void watermarks(String tzdb, long readTo) throws Exception {
    for (int partition = 0; partition < Broker.PARTITIONS; partition++) {
      Watermark watermark =
          Watermarks.idle(partition, "i", CliRun.NOW)
              .setTzdb(tzdb)
              .setOffsets(Map.of(topics.schedules(), readTo))
              .build();
      broker.write(
          topics.watermarks(),
          Integer.toString(partition),
          RecordCodecs.watermark().encode(watermark, WireFormat.AVRO));
    }
  }

  private String defined(Schedule schedule, int minute) throws Exception {
    return write(
        topics.schedules(),
        minute,
        Optional.of(RecordCodecs.schedule().encode(schedule, WireFormat.AVRO)));
  }

  private void resumed(int minute) throws Exception {
    Command command =
        Command.newBuilder()
            .setCommandId("c" + minute)
            .setAction(ResumeCommand.newBuilder().build())
            .build();
    write(
        topics.commands(),
        minute,
        Optional.of(RecordCodecs.command().encode(command, WireFormat.AVRO)));
  }

  private static Revision revision(String name, Schedule schedule, int ownsAfter) {
    return Revision.newBuilder()
        .setScheduleId("a")
        .setRevision(name)
        .setSchedule(schedule)
        .setOwnsAfter(at(ownsAfter))
        .setEffectiveAt(at(ownsAfter))
        .setAcceptedAt(at(ownsAfter))
        .setResolvedAt(Instant.parse("2026-01-01T00:00:00Z"))
        .setTzdb(Tzdb.version())
        .build();
  }

  private static Revision once(String name, Schedule schedule, int minute) {
    return Revision.newBuilder(revision(name, schedule, minute - 1))
        .setResolvedAt(at(minute))
        .build();
  }

  private void began(String name, Schedule schedule, int ownsAfter) throws Exception {
    write(topics.revisions(), RecordCodecs.revision(), revision(name, schedule, ownsAfter));
  }

  private void ended(String name, Schedule schedule, int ownsAfter, int through, RevisionEnd by)
      throws Exception {
    Revision revision =
        Revision.newBuilder(revision(name, schedule, ownsAfter))
            .setEndedAt(at(through))
            .setEndedBy(by)
            .build();
    write(topics.revisions(), RecordCodecs.revision(), revision);
  }

  private void fired(String revision, int... minutes) throws Exception {
    for (int minute : minutes) {
      fire(revision, minute, at(minute), Cause.SCHEDULED);
    }
  }

  private void fire(String revision, int minute, Instant firedAt, Cause cause) throws Exception {
    Fire fire =
        Fire.newBuilder()
            .setFireId("f")
            .setScheduleId("a")
            .setOccurrence(at(minute))
            .setDue(at(minute))
            .setFiredAt(firedAt)
            .setCause(cause)
            .setRevision(revision)
            .setSchedule(EVERY_MINUTE)
            .build();
    write(topics.fires(), RecordCodecs.fire(), fire);
  }

  private void missed(String revision, int first, int last, MissedReason reason) throws Exception {
    Missed missed =
        Missed.newBuilder()
            .setScheduleId("a")
            .setRevision(revision)
            .setFirst(at(first))
            .setLast(at(last))
            .setCount(last - first + 1)
            .setReason(reason)
            .setDecidedAt(at(last).plusMillis(1))
            .build();
    write(topics.missed(), RecordCodecs.missed(), missed);
  }

  private void status(ScheduleStatus.Builder status) throws Exception {
    write(topics.status(), RecordCodecs.status(), status.setScheduleId("a").build());
  }

  private <T extends SpecificRecordBase> void write(String topic, RecordCodec<T> codec, T value)
      throws Exception {
    broker.write(topic, "a", codec.encode(value, WireFormat.AVRO));
  }

  /** With the timestamp that counts. */
  private String write(String topic, int minute, Optional<byte[]> value) throws Exception {
    return broker.write(
        new ProducerRecord<>(
            topic, null, at(minute).toEpochMilli(), "a".getBytes(UTF_8), value.orElse(null)));
  }
}

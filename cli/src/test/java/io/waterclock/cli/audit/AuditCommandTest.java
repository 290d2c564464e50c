package io.waterclock.cli.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.cli.CliRun;
import io.waterclock.cli.cluster.Broker;
import io.waterclock.cli.live.Watermarks;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The schedule a occurs at 7, 8, 9 and 10, when all partitions are decided. */
@Timeout(600)
class AuditCommandTest {
  private static final Schedule HOURLY =
      RecordCodecs.schedule()
          .decode(
              """
              {"every":"1h","anchor":"2026-01-01T00:00:00Z","timezone":"UTC","catch_up":"skip"}"""
                  .getBytes(UTF_8));

  @RegisterExtension static final Broker broker = new Broker();

  @Test
  void a_balanced_audit_is_shown_and_exits_with_0() throws Exception {
    Topics topics = decided("balanced");
    revision(topics, "a", "r1");
    fire(topics, "a", "r1", 7);
    fire(topics, "a", "r1", 8);
    missed(topics, "a", "r1", 9, 10);
    CliRun run = broker.run(topics, "audit");
    assertThat(run.lines())
        .containsExactly(
            "ID  REVISION  AFTER                 THROUGH               OCCURRENCES  FIRED  MISSED",
            "a   r1        2026-11-21T06:00:00Z  2026-11-21T10:00:00Z  4            2      2",
            "4 occurrences, 2 fired, 2 missed: nothing is missing or double");
    assertThat(run.exitCode()).isZero();
    assertThat(run.err().lines())
        .allMatch(line -> line.startsWith("waterclock: read ")); // progress, where it takes long
  }

  @Test
  void holes_and_doubles_are_listed_and_exit_with_1() throws Exception {
    Topics topics = decided("wrong");
    revision(topics, "a", "r1");
    fire(topics, "a", "r1", 7);
    missed(topics, "a", "r1", 7, 7);
    fire(topics, "a", "r1", 10);
    revision(topics, "b", "r2");
    missed(topics, "b", "r2", 7, 10);
    CliRun run = broker.run(topics, "audit");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines())
        .anyMatch(line -> line.startsWith("  DOUBLE 2026-11-21T07:00:00Z: "))
        .anyMatch(
            line -> line.startsWith("  HOLE 2026-11-21T08:00:00Z to 2026-11-21T09:00:00Z (2): "))
        .endsWith("8 occurrences, 2 fired, 5 missed: 2 findings");

    CliRun one = broker.run(topics, "audit", "b");
    assertThat(one.exitCode()).isZero();
    assertThat(one.lines()).hasSize(3);

    CliRun json = broker.run(topics, "audit", "a", "--json");
    assertThat(json.exitCode()).isEqualTo(1);
    JsonNode account = new ObjectMapper().readTree(json.lines().get(0));
    assertThat(account.at("/occurrences").asLong()).isEqualTo(4);
    assertThat(account.at("/findings/0/kind").asText()).isEqualTo("DOUBLE");
    assertThat(account.at("/findings/1/count").asLong()).isEqualTo(2);
  }

  @Test
  @Tag("all")
  void from_is_inclusive_and_to_is_exclusive() throws Exception {
    Topics topics = decided("window");
    revision(topics, "a", "r1");
    fire(topics, "a", "r1", 8);
    fire(topics, "a", "r1", 9);
    CliRun run =
        broker.run(
            topics, "audit", "--from", "2026-11-21T08:00:00Z", "--to", "2026-11-21T10:00:00Z");
    assertThat(run.lines())
        .endsWith("2 occurrences, 2 fired, 0 missed: nothing is missing or double");
    assertThat(run.exitCode()).isZero();
    assertThat(broker.run(topics, "audit").exitCode()).isEqualTo(1);
  }

  @Test
  void an_invalid_record_is_named_and_skipped() throws Exception {
    Topics topics = decided("unreadable");
    revision(topics, "a", "r1");
    missed(topics, "a", "r1", 7, 10);
    String at = broker.write(topics.fires(), "a", new byte[] {1, 2, 3});
    CliRun run = broker.run(topics, "audit");
    assertThat(run.exitCode()).as("it may have been a second fire").isEqualTo(3);
    assertThat(run.err()).contains("skipped " + at + ": it cannot be read");
  }

  @Test
  void an_unproved_schedule_is_named() throws Exception {
    Topics topics = decided("forgotten");
    fire(topics, "a", "r1", 8);
    CliRun run = broker.run(topics, "audit");
    assertThat(run.lines())
        .contains("  not proved: its record in the topic revisions is gone")
        .endsWith("0 occurrences, 0 fired, 0 missed: nothing is missing or double; not proved: 1");
  }

  @Test
  void a_definition_in_force_whose_revision_is_gone_is_found_in_its_own_topic() throws Exception {
    Topics topics = decided("old");
    String revision =
        broker.write(
            topics.schedules(), "a", RecordCodecs.schedule().encode(HOURLY, WireFormat.AVRO));
    status(topics, "a", revision, 6);
    fire(topics, "a", revision, 7);
    missed(topics, "a", revision, 9, 10);
    CliRun run = broker.run(topics, "audit");
    assertThat(run.lines())
        .anyMatch(line -> line.startsWith("  HOLE 2026-11-21T08:00:00Z: "))
        .endsWith("4 occurrences, 1 fired, 2 missed: 1 finding");
  }

  @Test
  void one_that_counts_from_its_acceptance_cannot_be_proved_without_its_revision()
      throws Exception {
    Topics topics = decided("unknown");
    String revision = broker.write(topics.schedules(), "a", "{\"every\":\"1h\"}".getBytes(UTF_8));
    status(topics, "a", revision, 6);
    assertThat(broker.run(topics, "audit").lines())
        .contains("  not proved: its record in the topic revisions is gone");
  }

  @Test
  void what_a_disabled_schedule_fires_is_listed_and_what_may_have_gone_on_is_not_proved()
      throws Exception {
    Topics topics = decided("disabled");
    Schedule disabled = Schedule.newBuilder(HOURLY).setEnabled(false).build();
    revision(topics, "a", "r1", disabled);
    status(topics, "a", "r1", State.PAUSED, 6);
    fire(topics, "a", "r1", 8);
    revision(topics, "b", "r2", disabled);
    CliRun run = broker.run(topics, "audit");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines())
        .contains("  STRAY 2026-11-21T08:00:00Z: fired while held since 2026-11-21T06:00:00Z")
        .anyMatch(line -> line.startsWith("  not proved: its definition says \"enabled\": false"))
        .endsWith("0 occurrences, 0 fired, 0 missed: 1 finding; not proved: 1");
  }

  @Test
  void a_disabled_schedule_that_was_resumed_is_proved_from_its_beginning() throws Exception {
    Topics topics = decided("resumed");
    revision(topics, "a", "r1", Schedule.newBuilder(HOURLY).setEnabled(false).build());
    status(topics, "a", "r1", State.ACTIVE, 8);
    missed(topics, "a", "r1", 7, 8);
    fire(topics, "a", "r1", 10);
    CliRun run = broker.run(topics, "audit");
    assertThat(run.lines())
        .anyMatch(line -> line.startsWith("  HOLE 2026-11-21T09:00:00Z: "))
        .endsWith("4 occurrences, 1 fired, 2 missed: 1 finding");
  }

  private static void status(Topics topics, String id, String revision, int since)
      throws Exception {
    status(topics, id, revision, State.ACTIVE, since);
  }

  private static void status(Topics topics, String id, String revision, State state, int since)
      throws Exception {
    ScheduleStatus status =
        ScheduleStatus.newBuilder()
            .setScheduleId(id)
            .setState(state)
            .setSince(at(since))
            .setRevision(revision)
            .build();
    broker.write(topics.status(), id, RecordCodecs.status().encode(status, WireFormat.AVRO));
  }

  @Test
  void before_the_first_watermark_nothing_is_proved() throws Exception {
    Topics topics = broker.topics("fresh");
    revision(topics, "a", "r1");
    assertThat(broker.run(topics, "audit").out())
        .contains("not proved: no watermark says how far its partition is decided");
  }

  @Test
  void an_unknown_schedule_is_an_error() throws Exception {
    Topics topics = decided("none");
    broker.write(topics.commands(), "typo", "{\"command_id\":\"c\",\"resume\":{}}".getBytes(UTF_8));
    CliRun run = broker.run(topics, "audit", "typo");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .isEqualToIgnoringNewLines("waterclock: The topics contain no schedule typo.");
  }

  @Test
  void an_invalid_window_is_wrong_usage() throws Exception {
    Topics topics = broker.topics("usage");
    assertThat(broker.run(topics, "audit", "--from", "today").exitCode()).isEqualTo(2);
    CliRun empty =
        broker.run(
            topics, "audit", "--from", "2026-11-21T08:00:00Z", "--to", "2026-11-21T08:00:00Z");
    assertThat(empty.exitCode()).isEqualTo(2);
    assertThat(empty.err()).contains("--to must be later than --from.");
  }

  private static Topics decided(String prefix) throws Exception {
    Topics topics = broker.topics(prefix);
    for (int partition = 0; partition < Broker.PARTITIONS; partition++) {
      Watermark watermark = Watermarks.idle(partition, "i", CliRun.NOW).build();
      broker.write(
          topics.watermarks(),
          Integer.toString(partition),
          RecordCodecs.watermark().encode(watermark, WireFormat.AVRO));
    }
    return topics;
  }

  private static Instant at(int hour) {
    return CliRun.NOW.plusSeconds((hour - 10) * 3600L);
  }

  private static void revision(Topics topics, String id, String name) throws Exception {
    revision(topics, id, name, HOURLY);
  }

  private static void revision(Topics topics, String id, String name, Schedule schedule)
      throws Exception {
    Revision revision =
        Revision.newBuilder()
            .setScheduleId(id)
            .setRevision(name)
            .setSchedule(schedule)
            .setOwnsAfter(at(6))
            .setEffectiveAt(at(6))
            .setAcceptedAt(at(6))
            .setResolvedAt(Instant.parse("2026-01-01T00:00:00Z"))
            .setTzdb("2025a")
            .build();
    broker.write(topics.revisions(), id, RecordCodecs.revision().encode(revision, WireFormat.AVRO));
  }

  private static void fire(Topics topics, String id, String revision, int hour) throws Exception {
    Fire fire =
        Fire.newBuilder()
            .setFireId("f")
            .setScheduleId(id)
            .setOccurrence(at(hour))
            .setDue(at(hour))
            .setFiredAt(at(hour))
            .setCause(Cause.SCHEDULED)
            .setRevision(revision)
            .setSchedule(HOURLY)
            .build();
    broker.write(topics.fires(), id, RecordCodecs.fire().encode(fire, WireFormat.AVRO));
  }

  private static void missed(Topics topics, String id, String revision, int first, int last)
      throws Exception {
    Missed missed =
        Missed.newBuilder()
            .setScheduleId(id)
            .setRevision(revision)
            .setFirst(at(first))
            .setLast(at(last))
            .setCount(last - first + 1)
            .setReason(MissedReason.GRACE)
            .setDecidedAt(at(10).plusSeconds(61))
            .build();
    broker.write(topics.missed(), id, RecordCodecs.missed().encode(missed, WireFormat.AVRO));
  }
}

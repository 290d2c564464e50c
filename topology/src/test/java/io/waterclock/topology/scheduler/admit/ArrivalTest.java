package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.Decider;
import io.waterclock.decide.model.EarlierLives;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.store.RemovedSchedule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of admission: the result for a definition or a delete that was read at home. */
final class ArrivalTest {
  private static final ScheduleId ID = ScheduleId.parse("a");
  private static final Instant T0 = Instant.parse("2026-11-20T10:00:00Z");
  private static final String TOPIC = "waterclock.schedules";
  private static final Schedule EVERY_HOUR = schedule("{\"every\":\"1h\",\"timezone\":\"UTC\"}");
  private static final Schedule EVERY_DAY = schedule("{\"every\":\"1d\",\"timezone\":\"UTC\"}");

  /**
   * The schedule, where there is one, was written at second 10 and offset 10; where it is gone, its
   * delete was. The record is written at second {@code at}, and read at {@code offset}.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # known   | record     | origin | stray | at | offset | admission
          nothing   | definition |        | no    | 10 | 20     | Decide
          nothing   | delete     |        | no    | 10 | 20     | Decide
          exists    | definition |        | no    | 5  | 20     | Decide
          exists    | delete     |        | no    | 5  | 20     | Decide
          exists    | definition |        | no    | 20 | 10     | Known
          exists    | delete     |        | no    | 20 | 9      | Known
          gone      | definition |        | no    | 20 | 10     | Known
          gone      | definition |        | no    | 5  | 11     | Decide
          exists    | definition |        | yes   | 10 | 20     | Decide
          exists    | definition |        | yes   | 9  | 20     | Overtaken RestoreDefinition
          exists    | delete     |        | yes   | 9  | 20     | Overtaken RestoreDefinition
          gone      | definition |        | yes   | 11 | 20     | Decide
          gone      | definition |        | yes   | 10 | 20     | Overtaken RestoreRemoval
          gone      | delete     |        | yes   | 10 | 20     | Overtaken nothing
          exists    | delete     | ours   | no    | 20 | 20     | Decide
          exists    | definition | ours   | no    | 20 | 20     | Known
          exists    | other      | ours   | no    | 20 | 20     | Decide
          exists    | delete     | forged | no    | 20 | 20     | RestoreDefinition
          exists    | definition | forged | no    | 20 | 20     | RestoreDefinition
          gone      | delete     | ours   | no    | 20 | 20     | RememberRemoval
          nothing   | delete     | ours   | no    | 20 | 20     | RememberRemoval
          gone      | definition | ours   | no    | 10 | 20     | RestoreRemoval
          gone      | definition | ours   | no    | 11 | 20     | Decide
          nothing   | definition | ours   | no    | 10 | 20     | Decide
          """)
  void a_record_at_home(
      String known,
      String record,
      String origin,
      String stray,
      int at,
      int offset,
      String admission) {
    Instant timestamp = T0.plusSeconds(at);
    boolean isDelete = record.equals("delete");
    Event event =
        isDelete
            ? new Event.Deleted(timestamp)
            : new Event.Defined(
                record.equals("other") ? EVERY_DAY : EVERY_HOUR, TOPIC + "-0@" + offset, timestamp);
    Arrival arrival =
        new Arrival(
            inbound(isDelete, timestamp, offset),
            event,
            true,
            stray.equals("yes"),
            Optional.ofNullable(origin).map(who -> who.equals("ours") ? TOPIC + "-0@10" : "x-0@1"),
            known.equals("exists") ? Optional.of(state()) : Optional.empty(),
            known.equals("gone") ? Optional.of(removed()) : Optional.empty());
    assertThat(name(arrival.consequence())).isEqualTo(admission);
  }

  private static String name(Arrival.Consequence consequence) {
    String name = consequence.getClass().getSimpleName();
    return consequence instanceof Arrival.Consequence.Overtaken overtaken
        ? name + " " + overtaken.correction().map(ArrivalTest::name).orElse("nothing")
        : name;
  }

  private static ScheduleState state() {
    Instant writtenAt = T0.plusSeconds(10);
    return new Decider(new Timetables(), Duration.ofHours(1))
        .decide(
            ID,
            Optional.empty(),
            new Event.Defined(EVERY_HOUR, TOPIC + "-0@10", writtenAt),
            T0.plusSeconds(60))
        .state()
        .orElseThrow();
  }

  private static RemovedSchedule removed() {
    Instant writtenAt = T0.plusSeconds(10);
    return new RemovedSchedule(writtenAt, writtenAt, 10, EarlierLives.endedAt(writtenAt));
  }

  private static Inbound inbound(boolean isDelete, Instant timestamp, int offset) {
    return new Inbound(
        Optional.of("a".getBytes(StandardCharsets.UTF_8)),
        isDelete ? Optional.empty() : Optional.of(new byte[] {'{'}),
        new RecordHeaders(),
        timestamp,
        TOPIC,
        0,
        offset);
  }

  private static Schedule schedule(String json) {
    return ScheduleJson.read(json.getBytes(StandardCharsets.UTF_8), ZoneOffset.UTC).schedule();
  }
}

package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.PauseCommand;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.TriggerCommand;
import io.waterclock.schemas.avro.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which records wait for the schema registry, and which do not. */
class HeldRecordsTest {
  private static final Instant START = Instant.parse("2026-05-04T12:00:00Z");

  private SchedulerHarness scheduler;
  private SimulatedRegistry registry;

  @BeforeEach
  void start() {
    scheduler = SchedulerHarness.startingAt(START);
    registry = scheduler.registry();
  }

  @AfterEach
  void close() {
    scheduler.close();
  }

  @Test
  void a_record_in_the_registry_format_is_a_record_like_any_other() {
    put("a", "{\"every\":\"10s\"}");
    scheduler.advance(Duration.ofSeconds(30));

    assertThat(scheduler.fires("a")).hasSize(3);
  }

  @Test
  void a_schedule_with_a_held_edit_goes_on_and_others_do_not_wait() {
    put("a", "{\"every\":\"10s\",\"description\":\"old\"}");
    registry.goAway();
    scheduler.advance(Duration.ofSeconds(5));
    put("a", "{\"every\":\"10s\",\"anchor\":\"2026-05-04T12:00:00Z\",\"description\":\"new\"}");
    scheduler.put("b", "{\"every\":\"10s\"}");
    scheduler.advance(Duration.ofSeconds(30));

    assertThat(scheduler.fires("a"))
        .extracting(HeldRecordsTest::described)
        .containsExactly("old", "old", "old");
    assertThat(scheduler.fires("b")).hasSize(3);
    assertThat(scheduler.answers()).isEmpty();

    registry.comeBack();
    scheduler.advance(Duration.ofSeconds(10));
    assertThat(scheduler.fires("a"))
        .extracting(HeldRecordsTest::described)
        .containsExactly("old", "old", "old", "new");
  }

  @Test
  void a_held_definition_fires_on_time_after_the_registry_is_back_however_far_time_jumps() {
    registry.goAway();
    put("a", "{\"at\":\"2026-05-04T14:00:00Z\"}");
    scheduler.put("b", "{\"at\":\"2026-05-04T12:00:03.300Z\"}");
    scheduler.advance(Duration.ofSeconds(10));
    registry.comeBack();
    scheduler.advance(Duration.ofHours(6));

    assertThat(scheduler.fires("a"))
        .extracting(Fire::getFiredAt)
        .containsExactly(Instant.parse("2026-05-04T14:00:00Z"));
    assertThat(scheduler.fires("b"))
        .extracting(Fire::getFiredAt)
        .containsExactly(Instant.parse("2026-05-04T12:00:03.300Z"));
  }

  @Test
  void what_comes_under_the_same_key_waits_behind_it_in_order() {
    registry.goAway();
    put("a", "{\"every\":\"1h\",\"description\":\"1\"}");
    scheduler.put("a", "{\"every\":\"1h\",\"description\":\"2\"}");
    scheduler.command("a", trigger("now"));
    put("a", "{\"every\":\"1h\",\"description\":\"3\"}");
    scheduler.advance(Duration.ofSeconds(5));
    assertThat(scheduler.fires()).isEmpty();
    assertThat(scheduler.answers()).isEmpty();

    registry.comeBack();
    scheduler.advance(Duration.ofSeconds(2));
    assertThat(scheduler.fires("a")).extracting(Fire::getCause).containsExactly(Cause.TRIGGERED);
    assertThat(
            scheduler.revisions().stream()
                .filter(revision -> revision.getEndedAt() == null)
                .map(revision -> revision.getSchedule().getDescription()))
        .containsExactly("1", "2", "3");
  }

  @Test
  void a_command_that_came_before_a_held_definition_waits_for_it() {
    registry.goAway();
    scheduler.command("a", trigger("early"));
    put("a", "{\"every\":\"1h\"}");
    scheduler.advance(Duration.ofSeconds(30));
    assertThat(scheduler.answers()).isEmpty();

    registry.comeBack();
    scheduler.advance(Duration.ofSeconds(2));
    assertThat(scheduler.answers())
        .extracting(Answer::getVerdict)
        .containsExactly(Verdict.EXECUTED);
    assertThat(scheduler.fires("a")).hasSize(1);
  }

  @Test
  void held_records_survive_the_scheduler() {
    registry.goAway();
    put("a", "{\"every\":\"10s\",\"catch_up\":\"replay\"}");
    command("a", trigger("t"));
    scheduler.advance(Duration.ofSeconds(5));
    scheduler.stop();
    scheduler.advance(Duration.ofMinutes(2));
    scheduler.start();
    scheduler.advance(Duration.ofSeconds(5));
    assertThat(scheduler.fires()).isEmpty();

    registry.comeBack();
    scheduler.advance(Duration.ofSeconds(10));
    assertThat(scheduler.fires("a").stream().filter(fire -> fire.getCause() != Cause.TRIGGERED))
        .extracting(Fire::getOccurrence)
        .startsWith(START.plusSeconds(10), START.plusSeconds(20))
        .hasSize(14);
    assertThat(scheduler.fires("a").stream().filter(fire -> fire.getCause() == Cause.TRIGGERED))
        .hasSize(1);
  }

  @Test
  void a_delete_does_not_wait_and_takes_with_it_what_waits() {
    put("a", "{\"every\":\"10s\"}");
    registry.goAway();
    ask("a", "{\"every\":\"20s\"}", "edit");
    command("a", trigger("t"));
    scheduler.delete("a");
    scheduler.advance(Duration.ofMinutes(1));

    assertThat(scheduler.fires("a")).isEmpty();
    assertThat(scheduler.answers())
        .extracting(Answer::getCorrelationId, Answer::getVerdict)
        .containsExactly(
            org.assertj.core.api.Assertions.tuple("edit", Verdict.REJECTED),
            org.assertj.core.api.Assertions.tuple("t", Verdict.REJECTED));
    assertThat(scheduler.answers().get(0).getProblems().get(0).getMessage())
        .contains("was deleted at");

    registry.comeBack();
    scheduler.advance(Duration.ofMinutes(1));
    assertThat(scheduler.fires("a")).isEmpty();
  }

  @Test
  void an_unknown_schema_is_a_dead_letter_and_holds_nothing_up() {
    byte[] value = {0, 0, 0, 0, 99, 1, 2};
    scheduler.send("a", value, scheduler.now(), new RecordHeaders());
    scheduler.put("a", "{\"every\":\"10s\"}");
    scheduler.advance(Duration.ofSeconds(10));

    assertThat(scheduler.fires("a")).hasSize(1);
    assertThat(scheduler.records(scheduler.topics().dlq()))
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(letter.value()).isEqualTo(value);
              assertThat(
                      new String(
                          letter.headers().lastHeader(HeaderNames.ERROR).value(),
                          StandardCharsets.UTF_8))
                  .contains("schema id 99")
                  .contains("the registry does not know");
            });
  }

  @Test
  void a_pause_in_the_registry_format_waits_while_the_schedule_goes_on() {
    scheduler.put("a", "{\"every\":\"10s\"}");
    registry.goAway();
    command("a", Command.newBuilder().setCommandId("p").setAction(new PauseCommand()).build());
    scheduler.advance(Duration.ofSeconds(30));
    assertThat(scheduler.fires("a")).hasSize(3);

    registry.comeBack();
    scheduler.advance(Duration.ofSeconds(30));
    assertThat(scheduler.fires("a")).hasSize(3);
    assertThat(scheduler.status("a").orElseThrow().getState()).isEqualTo(State.PAUSED);
  }

  @Test
  void a_calendar_waits_too_and_what_it_said_before_stays_in_force() {
    scheduler.putCalendar("days", "{\"dates\":[\"2026-05-05\"]}");
    scheduler.put("a", "{\"cron\":\"0 9 * * *\",\"except\":[\"days\"]}");
    registry.goAway();
    scheduler.sendCalendar(
        "days",
        RecordCodecs.calendar()
            .encode(
                RecordCodecs.calendar()
                    .decode(
                        "{\"dates\":[\"2026-05-06\",\"2026-05-08\"]}"
                            .getBytes(StandardCharsets.UTF_8)),
                registry.encoding()));
    scheduler.advance(Duration.ofDays(3));
    assertThat(scheduler.fires("a"))
        .extracting(Fire::getOccurrence)
        .containsExactly(
            Instant.parse("2026-05-06T09:00:00Z"), Instant.parse("2026-05-07T09:00:00Z"));

    registry.comeBack();
    scheduler.advance(Duration.ofDays(2));
    assertThat(scheduler.fires("a"))
        .extracting(Fire::getOccurrence)
        .endsWith(Instant.parse("2026-05-07T09:00:00Z"), Instant.parse("2026-05-09T09:00:00Z"))
        .hasSize(3);
  }

  private static String described(Fire fire) {
    return String.valueOf(fire.getSchedule().getDescription());
  }

  private static Command trigger(String id) {
    return Command.newBuilder().setCommandId(id).setAction(new TriggerCommand()).build();
  }

  @Test
  void one_key_takes_no_room_from_others() {
    registry.goAway();
    for (int i = 0; i < 1_000; i++) {
      put("greedy", "{\"every\":\"1h\"}");
    }
    ask("greedy", "{\"every\":\"1h\"}", "one-too-many");
    ask("modest", "{\"every\":\"1h\"}", "room");
    scheduler.advance(Duration.ofSeconds(1));

    assertThat(scheduler.answers())
        .singleElement()
        .satisfies(
            answer -> {
              assertThat(answer.getScheduleId()).isEqualTo("greedy");
              assertThat(answer.getProblems().get(0).getMessage())
                  .contains("1000 records of this key are held already");
            });
    registry.comeBack();
    scheduler.advance(Duration.ofSeconds(2));
    assertThat(scheduler.answers())
        .filteredOn(answer -> answer.getScheduleId().equals("modest"))
        .extracting(Answer::getVerdict)
        .containsExactly(Verdict.ACCEPTED);
  }

  @Test
  void large_records_of_one_key_take_no_room_from_others() {
    registry.goAway();
    String large = "{\"every\":\"1h\",\"payload\":\"" + "x".repeat(900_000) + "\"}";
    for (int i = 0; i < 19; i++) {
      ask("greedy", large, "greedy-" + i);
    }
    put("modest", large);
    scheduler.advance(Duration.ofSeconds(1));

    assertThat(scheduler.answers())
        .extracting(Answer::getVerdict)
        .containsExactly(Verdict.REJECTED);
    registry.comeBack();
    scheduler.advance(Duration.ofSeconds(2));
    assertThat(scheduler.status("modest")).isPresent();
  }

  private void put(String id, String json) {
    scheduler.send(id, registered(json), scheduler.now(), new RecordHeaders());
  }

  private void ask(String id, String json, String correlationId) {
    scheduler.ask(id, registered(json), correlationId);
  }

  private void command(String id, Command command) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(
        HeaderNames.CORRELATION_ID, command.getCommandId().getBytes(StandardCharsets.UTF_8));
    scheduler.command(
        id, RecordCodecs.command().encode(command, registry.encoding()), scheduler.now(), headers);
  }

  private byte[] registered(String json) {
    Schedule schedule =
        io.waterclock.schemas.json.ScheduleJson.read(
                json.getBytes(StandardCharsets.UTF_8), ZoneOffset.UTC)
            .schedule();
    return RecordCodecs.schedule().encode(schedule, registry.encoding());
  }
}

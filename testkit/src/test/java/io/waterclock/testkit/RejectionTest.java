package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Unit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.record.internal.AbstractRecords;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

final class RejectionTest {
  private static final String GOOD = "{\"every\":\"1m\"}";
  private static final String BAD = "{\"every\":\"0m\",\"grace\":\"soon\"}";

  /** In bytes, of a record that the harness writes. */
  private static final int LARGEST = 1_000_000;

  @Test
  void a_rejected_edit_leaves_the_old_definition_in_force_and_says_what_is_wrong_with_it() {
    try (SchedulerHarness scheduler =
        SchedulerHarness.startingAt(Instant.parse("2026-03-01T00:00:00Z"))) {
      scheduler.put("a", GOOD);
      scheduler.put("a", BAD);
      scheduler.advance(Duration.ofMinutes(3));

      ScheduleStatus status = scheduler.status("a").orElseThrow();
      assertThat(status.getState()).isEqualTo(State.ACTIVE);
      assertThat(status.getProblems()).hasSize(2);
      assertThat(scheduler.fires("a")).hasSize(3);
    }
  }

  @Test
  void a_timestamp_in_seconds_is_refused_and_fires_nothing() {
    Instant now = Instant.parse("2026-03-01T00:00:00Z");
    Schedule hourly =
        Schedule.newBuilder().setTrigger(new EveryTrigger(1L, Unit.HOUR, null, null)).build();
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(now)) {
      scheduler.put("a", hourly, Instant.ofEpochMilli(now.getEpochSecond()));
      scheduler.advance(Duration.ofHours(3));

      ScheduleStatus status = scheduler.status("a").orElseThrow();
      assertThat(status.getState()).isEqualTo(State.REJECTED);
      assertThat(status.getProblems().get(0).getMessage())
          .contains("1970-01-21T12:18:43.200Z, before the year 2000", "seconds look like this");
      assertThat(scheduler.fires("a")).isEmpty();

      scheduler.put("a", hourly, Instant.parse("2000-01-01T00:00:00Z"));
      assertThat(scheduler.status("a").orElseThrow().getState()).isEqualTo(State.ACTIVE);
    }
  }

  @Test
  void the_good_definition_again_ends_the_rejection_and_changes_nothing_else() {
    try (SchedulerHarness scheduler =
        SchedulerHarness.startingAt(Instant.parse("2026-03-01T00:00:00Z"))) {
      scheduler.put("a", GOOD);
      scheduler.put("a", BAD);
      scheduler.put("a", GOOD);

      assertThat(scheduler.status("a").orElseThrow().getProblems()).isEmpty();
      assertThat(scheduler.revisions()).hasSize(1);
    }
  }

  @Test
  void a_schedule_that_was_only_ever_rejected_has_the_state_rejected() {
    try (SchedulerHarness scheduler =
        SchedulerHarness.startingAt(Instant.parse("2026-03-01T00:00:00Z"))) {
      scheduler.put("a", BAD);
      assertThat(scheduler.status("a").orElseThrow().getState()).isEqualTo(State.REJECTED);
      scheduler.put("a", GOOD);
      assertThat(scheduler.status("a").orElseThrow().getState()).isEqualTo(State.ACTIVE);
      scheduler.delete("a");
      assertThat(scheduler.status("a")).isEmpty();
    }
  }

  @Test
  void all_that_is_wrong_is_told_and_each_thing_once() {
    try (SchedulerHarness scheduler =
        SchedulerHarness.startingAt(Instant.parse("2026-03-01T00:00:00Z"))) {
      scheduler.put("a", "{\"every\":\"0m\",\"target\":{\"topic\":\"__mail\"}}");
      assertThat(fields(scheduler, "a")).containsExactly("every", "target.topic");
      scheduler.put("a", "{\"every\":\"1m\",\"target\":{\"topik\":\"mail\"}}");
      assertThat(fields(scheduler, "a")).containsExactly("target.topic", "target.topik");
    }
  }

  private static List<String> fields(SchedulerHarness scheduler, String id) {
    return scheduler.status(id).orElseThrow().getProblems().stream()
        .map(Problem::getField)
        .toList();
  }

  @Test
  void a_fire_that_was_ordered_before_an_edit_is_by_the_definition_before_it() {
    String large = "{\"every\":\"1m\",\"headers\":{\"x\":\"" + "x".repeat(100_000) + "\"}}";
    try (SchedulerHarness scheduler =
        SchedulerHarness.startingAt(Instant.parse("2026-03-01T00:00:00Z"))) {
      scheduler.put("a", GOOD);
      scheduler.command("a", trigger("c-1", 950_000));
      scheduler.put("a", large); // would be too large with the payload of the trigger
      assertThat(scheduler.status("a").orElseThrow().getState()).isEqualTo(State.ACTIVE);
      assertThat(scheduler.status("a").orElseThrow().getProblems()).isEmpty();

      scheduler.advance(Duration.ofMinutes(1));
      assertThat(scheduler.fires("a"))
          .extracting(Fire::getCause)
          .containsExactly(Cause.TRIGGERED, Cause.SCHEDULED);
      assertThat(scheduler.fires("a").get(0).getSchedule().getPayload().remaining())
          .isGreaterThan(950_000);
      assertThat(scheduler.fires("a").get(0).getSchedule().getHeaders()).isEmpty();
      assertThat(scheduler.fires("a").get(1).getSchedule().getHeaders()).containsKey("x");
    }
  }

  @Test
  void what_is_fired_to_a_target_leaves_room_for_the_reason_of_a_dead_letter() {
    String toMail = ",\"target\":{\"topic\":\"mail\"}";
    try (SchedulerHarness scheduler =
        SchedulerHarness.startingAt(Instant.parse("2026-03-01T00:00:00Z"))) {
      scheduler.put("alone", definition(992_000, ""));
      scheduler.put("smaller", definition(988_000, toMail));
      scheduler.put("larger", definition(992_000, toMail));
      assertThat(scheduler.status("alone").orElseThrow().getState()).isEqualTo(State.ACTIVE);
      assertThat(scheduler.status("smaller").orElseThrow().getState()).isEqualTo(State.ACTIVE);
      assertThat(scheduler.status("larger").orElseThrow().getProblems())
          .singleElement()
          .returns("payload", Problem::getField)
          .extracting(Problem::getMessage)
          .asString()
          .contains("more than the 990784", "kept as a dead letter with the reason");

      scheduler.command("smaller", trigger("c-1", 988_000));
      scheduler.command("smaller", trigger("c-2", 992_000));
      scheduler.advance(Duration.ofSeconds(5));
      assertThat(scheduler.fires("smaller")).hasSize(1);
      assertThat(scheduler.records(scheduler.topics().dlq())).hasSize(1);
    }
  }

  @Test
  void what_is_refused_for_many_reasons_and_nearly_too_large_is_a_dead_letter_that_fits() {
    String unknown =
        IntStream.range(0, 50)
            .mapToObj(i -> "\"a-field-that-is-not-known-" + i + "\":1")
            .collect(Collectors.joining(",", ",", "}"));
    try (SchedulerHarness scheduler =
        SchedulerHarness.startingAt(Instant.parse("2026-03-01T00:00:00Z"))) {
      for (int size = 976_000; size < LARGEST; size += 1_000) {
        String error = "x".repeat(size);
        scheduler.report("a", "{\"state\":\"failed\",\"error\":\"" + error + "\"" + unknown);
        scheduler.command("a", "{\"command_id\":\"" + error + "\"" + unknown);
      }
      assertThat(scheduler.records(scheduler.topics().dlq()))
          .hasSize(48)
          .allSatisfy(letter -> assertThat(size(letter)).isLessThanOrEqualTo(LARGEST));
    }
  }

  private static String definition(int payloadSize, String more) {
    return "{\"every\":\"1m\",\"payload\":\"" + "x".repeat(payloadSize) + "\"" + more + "}";
  }

  private static String trigger(String commandId, int payloadSize) {
    return "{\"command_id\":\""
        + commandId
        + "\",\"trigger\":{\"payload\":\""
        + "x".repeat(payloadSize)
        + "\"}}";
  }

  /** As the producer reckons it. */
  private static int size(TestRecord<byte[], byte[]> record) {
    return AbstractRecords.estimateSizeInBytesUpperBound(
        RecordBatch.CURRENT_MAGIC_VALUE,
        CompressionType.NONE,
        record.key(),
        record.value(),
        record.headers().toArray());
  }
}

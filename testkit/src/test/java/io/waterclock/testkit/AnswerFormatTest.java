package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

final class AnswerFormatTest {
  @Test
  void a_json_request_gets_a_json_answer_and_others_the_format_of_the_scheduler() {
    try (SchedulerHarness scheduler =
        SchedulerHarness.startingAt(Instant.parse("2026-05-04T12:00:00Z"))) {
      byte[] json = " {\"every\":\"10s\"}".getBytes(StandardCharsets.UTF_8);
      byte[] wrong = "{\"every\":\"fish\"}".getBytes(StandardCharsets.UTF_8);
      scheduler.ask("a", json, "json");
      scheduler.ask("b", wrong, "wrong");
      byte[] avro =
          RecordCodecs.schedule()
              .encode(
                  Schedule.newBuilder().setTrigger(new CronTrigger("0 9 * * *")).build(),
                  WireFormat.AVRO);
      scheduler.ask("d", avro, "avro");
      List<TestRecord<byte[], byte[]>> answers = scheduler.records(Topics.ofDefault().answers());
      assertThat(answers)
          .extracting(answer -> WireFormat.detect(answer.value()))
          .containsExactly(
              Optional.of(WireFormat.JSON),
              Optional.of(WireFormat.JSON),
              Optional.of(WireFormat.AVRO));
      assertThat(scheduler.answers())
          .extracting(Answer::getVerdict)
          .containsExactly(Verdict.ACCEPTED, Verdict.REJECTED, Verdict.ACCEPTED);
    }
  }

  @Test
  void an_answer_warns_of_what_another_scheduler_reads_otherwise() {
    try (SchedulerHarness scheduler =
        SchedulerHarness.startingAt(Instant.parse("2026-05-04T12:00:00Z"))) {
      scheduler.ask("a", "{\"cron\":\"0 0 9 ? * 2-6\"}".getBytes(StandardCharsets.UTF_8), "1");
      scheduler.ask("a", "{\"cron\":\"0 9 * * 1-5\"}".getBytes(StandardCharsets.UTF_8), "2");
      assertThat(scheduler.answers()).extracting(Answer::getVerdict).containsOnly(Verdict.ACCEPTED);
      assertThat(scheduler.answers())
          .extracting(answer -> answer.getWarnings().stream().map(Problem::getField).toList())
          .containsExactly(List.of("cron"), List.of());
    }
  }
}

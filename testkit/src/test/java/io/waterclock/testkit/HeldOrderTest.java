package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.json.ScheduleJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** Commands keep their order when their schedule's definition is held. */
class HeldOrderTest {
  private static final Instant START = Instant.parse("2026-05-04T12:00:00Z");

  @Test
  void a_command_from_before_a_held_definition_is_executed_before_those_from_after_it() {
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(START)) {
      scheduler.registry().goAway();
      scheduler.command(
          "a", "{\"command_id\":\"1\",\"skip\":{\"occurrence\":\"2026-05-04T13:00:00Z\"}}");
      scheduler.send(
          "a",
          RecordCodecs.schedule()
              .encode(
                  ScheduleJson.read(
                          "{\"cron\":\"0 * * * *\"}".getBytes(StandardCharsets.UTF_8),
                          ZoneOffset.UTC)
                      .schedule(),
                  scheduler.registry().encoding()),
          scheduler.now(),
          new RecordHeaders());
      scheduler.command(
          "a", "{\"command_id\":\"2\",\"unskip\":{\"occurrence\":\"2026-05-04T13:00:00Z\"}}");
      scheduler.advance(Duration.ofSeconds(30));
      scheduler.registry().comeBack();
      scheduler.advance(Duration.ofMinutes(90));
      assertThat(scheduler.fires("a"))
          .extracting(Fire::getOccurrence)
          .containsExactly(Instant.parse("2026-05-04T13:00:00Z"));
    }
  }
}

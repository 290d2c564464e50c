package io.waterclock.console.preview;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanInForceTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final String DAILY = "{\"cron\":\"0 9 * * *\"}";

  @Test
  void a_definition_in_force_has_a_plan() {
    assertThat(plan(accepted("r-1", written("r-1", DAILY)))).isPresent();
  }

  @Test
  void a_newer_record_that_may_be_rejected_is_not_taken_for_the_definition_in_force() {
    assertThat(plan(accepted("r-1", written("r-2", DAILY)))).isEmpty();
  }

  @Test
  void a_definition_that_no_scheduler_has_read_has_a_plan_unless_its_trigger_is_invalid() {
    assertThat(plan(written("r-1", DAILY))).isPresent();
    assertThat(plan(written("r-1", "{\"cron\":\"61 * * * *\"}"))).isEmpty();
  }

  private static Optional<?> plan(KnownSchedule known) {
    return PlanInForce.of(known, ZoneOffset.UTC, NOW);
  }

  private static KnownSchedule written(String revision, String json) {
    Schedule schedule = RecordCodecs.schedule().decode(json.getBytes(StandardCharsets.UTF_8));
    return KnownSchedule.of("a")
        .with(Optional.of(new WrittenDefinition(revision, Optional.of(schedule))));
  }

  private static KnownSchedule accepted(String inForce, KnownSchedule written) {
    return written.withStatus(
        Optional.of(
            ScheduleStatus.newBuilder()
                .setScheduleId("a")
                .setState(State.ACTIVE)
                .setSince(NOW)
                .setRevision(inForce)
                .build()));
  }
}

package io.waterclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.console.model.Upcoming;
import io.waterclock.definition.Calendars;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ScheduleCheckupTest {
  @Test
  void an_invalid_edit_that_no_scheduler_has_read_ends_no_checkup() {
    Schedule invalid = Schedule.newBuilder().setTrigger(new CronTrigger("61 * * * *")).build();
    KnownSchedule entry =
        KnownSchedule.of("a")
            .with(Optional.of(new WrittenDefinition("r@2", Optional.of(invalid))))
            .withStatus(
                Optional.of(
                    ScheduleStatus.newBuilder()
                        .setScheduleId("a")
                        .setState(State.ACTIVE)
                        .setRevision("r@1")
                        .setSince(CliRun.NOW)
                        .build()));
    Upcoming upcoming = new Upcoming(ZoneOffset.UTC, Calendars.NONE);
    assertThat(new ScheduleCheckup(CliRun.NOW, true, false).symptoms(entry, upcoming))
        .singleElement()
        .satisfies(
            symptom -> assertThat(symptom.text()).startsWith("Its next occurrence is unknown"));
  }
}

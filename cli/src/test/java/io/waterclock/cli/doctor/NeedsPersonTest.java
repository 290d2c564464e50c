package io.waterclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import io.waterclock.cli.live.Symptom;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.console.model.Upcoming;
import io.waterclock.definition.Calendars;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.FailingFires;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

final class NeedsPersonTest {
  private final List<KnownSchedule> all = new ArrayList<>();

  private void define(String id, UnaryOperator<ScheduleStatus.Builder> change) {
    define(id, "Europe/Berlin", change);
  }

  private void define(String id, String zone, UnaryOperator<ScheduleStatus.Builder> change) {
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(new CronTrigger("0 9 * * *"))
            .setTimezone(zone)
            .setOwner("acme")
            .build();
    ScheduleStatus.Builder status =
        ScheduleStatus.newBuilder()
            .setScheduleId(id)
            .setState(State.ACTIVE)
            .setRevision("r@1")
            .setSince(CliRun.NOW);
    all.add(
        KnownSchedule.of(id)
            .with(Optional.of(new WrittenDefinition("r@1", Optional.of(schedule))))
            .withStatus(Optional.of(change.apply(status).build())));
  }

  private List<Symptom> lines() {
    return new NeedsPerson(
            new Lint(new Upcoming(ZoneOffset.UTC, Calendars.NONE), CliRun.NOW, LintCommand.HERD))
        .of(all);
  }

  @Test
  void the_gravest_kind_is_first_and_a_pause_says_who_and_why() {
    for (int i = 0; i < 5; i++) {
      define("well" + i, status -> status);
    }
    define("odd", "UTC", status -> status);
    define(
        "held",
        status ->
            status
                .setState(State.PAUSED)
                .setPause(
                    CommandedPause.newBuilder()
                        .setAuthor("ann")
                        .setNote("the disk is full")
                        .setSince(CliRun.NOW)
                        .build()));
    define(
        "fails",
        status -> status.setFailing(new FailingFires(CliRun.NOW, 3L, CliRun.NOW, CliRun.NOW, "x")));
    define("broken", status -> status.setState(State.FAULTED).setReason("too many steps"));
    assertThat(lines())
        .extracting(Symptom::about)
        .containsExactly("broken", "fails", "held", "odd");
    assertThat(lines()).extracting(Symptom::wrong).containsExactly(true, true, false, false);
    assertThat(lines().get(2).paused()).isTrue();
    assertThat(lines().get(2).text()).contains("ann paused it").contains("the disk is full");
  }

  @Test
  void of_many_of_one_kind_the_first_have_lines_and_the_others_a_number() {
    for (int i = 0; i < 1_000; i++) {
      define("a" + i, status -> status.setState(State.PAUSED).setReason("three failures"));
    }
    assertThat(lines()).hasSize(4);
    assertThat(lines().get(3).text())
        .isEqualTo(
            "997 more are the same kind of problem; waterclock list --state PAUSED shows all.");
    assertThat(lines()).allMatch(Symptom::paused);
  }
}

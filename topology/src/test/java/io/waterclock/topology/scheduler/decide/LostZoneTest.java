package io.waterclock.topology.scheduler.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.definition.Occurrence;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.topology.scheduler.model.Event;
import io.waterclock.topology.scheduler.model.ScheduleState;
import io.waterclock.topology.scheduler.model.Timetables;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A schedule whose zone the time-zone data knew when it was accepted, and knows no more. */
final class LostZoneTest {
  private static final ScheduleId ID = ScheduleId.parse("a");
  private static final Instant ACCEPTED = Instant.parse("2026-03-01T09:55:00Z");
  private static final Instant NOW = Instant.parse("2026-03-01T10:45:00Z");

  private final Decider decider = new Decider(new Timetables(), Duration.ofHours(1));

  @Test
  void it_is_faulted_and_the_watchdog_does_not_clear_the_fault() {
    ScheduleState lost = lost();
    assertThatThrownBy(() -> decide(lost, new Event.Due()))
        .isInstanceOf(InvalidTriggerException.class);
    Decision faulted = decide(lost, new Event.Failed("no such zone"));
    assertThat(faulted.status()).contains(State.FAULTED);
    assertThat(faulted.next()).isEmpty();
  }

  @Test
  void an_edit_with_a_good_zone_mends_it() {
    ScheduleState faulted = decide(lost(), new Event.Failed("no such zone")).state().orElseThrow();
    Decision edit = decide(faulted, new Event.Defined(cron("UTC"), "t-0@2", NOW.minusSeconds(60)));
    assertThat(edit.verdict()).contains(Verdict.ACCEPTED);
    assertThat(edit.status()).contains(State.ACTIVE);
    assertThat(edit.next().map(Occurrence::at)).contains(Instant.parse("2026-03-01T10:45:00Z"));
  }

  @Test
  void an_instant_that_may_have_fired_does_not_fire_again() {
    Instant tenFifteen = Instant.parse("2026-03-01T10:15:00Z");
    ScheduleState faulted =
        decide(lost().decidedThrough(tenFifteen), new Event.Failed("no such zone"))
            .state()
            .orElseThrow();
    assertThat(decide(faulted, once(tenFifteen)).next()).isEmpty();
    assertThat(decide(faulted, once(tenFifteen.plusSeconds(60))).next())
        .map(Occurrence::at)
        .contains(tenFifteen.plusSeconds(60));
  }

  private static Event once(Instant at) {
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(OnceTrigger.newBuilder().setAt(at).build())
            .setTimezone("UTC")
            .build();
    return new Event.Defined(schedule, "t-0@2", NOW);
  }

  @Test
  void a_delete_removes_it() {
    Decision delete = decide(lost(), new Event.Deleted(NOW));
    assertThat(delete.verdict()).contains(Verdict.DELETED);
    assertThat(delete.state()).isEmpty();
  }

  private Decision decide(ScheduleState state, Event event) {
    return decider.decide(ID, Optional.of(state), event, NOW);
  }

  /** Accepted with a good zone, which is then lost. */
  private ScheduleState lost() {
    Schedule schedule = cron("UTC");
    ScheduleState state =
        new Decider(new Timetables(), Duration.ofHours(1))
            .decide(ID, Optional.empty(), new Event.Defined(schedule, "t-0@1", ACCEPTED), ACCEPTED)
            .state()
            .orElseThrow();
    schedule.setTimezone("Mars/Olympus");
    return state;
  }

  private static Schedule cron(String zone) {
    return Schedule.newBuilder()
        .setTrigger(new CronTrigger("*/15 * * * *"))
        .setTimezone(zone)
        .build();
  }
}

package io.waterclock.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.definition.Occurrence;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A schedule whose zone the time-zone data knew when it was accepted, and knows no more. */
final class LostZoneTest {
  private static final ScheduleId ID = ScheduleId.parse("a");
  private static final Instant ACCEPTED = Instant.parse("2026-03-01T09:55:00Z");
  private static final Instant NOW = Instant.parse("2026-03-01T10:45:00Z");

  private final Decider decider = fresh();

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
    ScheduleState state = accepted(schedule).orElseThrow();
    schedule.setTimezone("Mars/Olympus");
    return state;
  }

  private static Optional<ScheduleState> accepted(Schedule schedule) {
    return fresh()
        .decide(ID, Optional.empty(), new Event.Defined(schedule, "t-0@1", ACCEPTED), ACCEPTED)
        .state();
  }

  private static Decider fresh() {
    return new Decider(new Timetables(), Duration.ofHours(1));
  }

  private static Schedule cron(String zone) {
    return Schedule.newBuilder()
        .setTrigger(new CronTrigger("*/15 * * * *"))
        .setTimezone(zone)
        .build();
  }

  @Test
  void what_was_decided_before_its_delete_does_not_fire_in_the_next_life() {
    Instant tenThirty = Instant.parse("2026-03-01T10:30:00Z");
    Decision delete =
        decide(lost().decidedThrough(tenThirty), new Event.Deleted(NOW.minusSeconds(1_800)));
    Event next = once(tenThirty).after(delete.ended());
    assertThat(decider.decide(ID, Optional.empty(), next, NOW).next()).isEmpty();
  }

  @Test
  void its_fault_is_told_though_a_run_of_it_has_ended() {
    Instant ten = Instant.parse("2026-03-01T10:00:00Z");
    Instant end = ten.plus(Duration.ofMinutes(20));
    Schedule schedule = cron("UTC");
    schedule.setOverlap(Overlap.BUFFER_ONE);
    schedule.setTimeoutMs(Duration.ofMinutes(30).toMillis());
    ScheduleState fired =
        fresh().decide(ID, accepted(schedule), new Event.Due(), ten).state().orElseThrow();
    Event report =
        new Event.Reported(
            ten, OutcomeState.SUCCEEDED, Optional.empty(), Optional.empty(), end, "o-0@1");
    ScheduleState ended = fresh().decide(ID, Optional.of(fired), report, end).state().orElseThrow();
    assertThat(ended.runs().latest()).isPresent();
    schedule.setTimezone("Mars/Olympus");
    assertThat(decide(ended, new Event.Failed("no such zone")).status()).contains(State.FAULTED);
  }
}

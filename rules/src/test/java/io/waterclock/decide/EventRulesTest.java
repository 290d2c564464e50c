package io.waterclock.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ExportedStates;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.avro.PauseCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class EventRulesTest {
  private static final Instant NOW = Life.at("10:05");

  @Test
  void each_event_has_a_rule() {
    ScheduleState state = Life.everyTenMinutes(CatchUp.SKIP).put("10:00").state();
    PauseCommand pause = PauseCommand.newBuilder().build();
    List<Event> events =
        List.of(
            new Event.Defined(state.current().schedule(), "r1", NOW),
            new Event.Imported(state.current().schedule(), ExportedStates.of(state), "r1", NOW),
            new Event.Deleted(NOW),
            new Event.Due(),
            new Event.Failed("why"),
            new Event.Reviewed(NOW),
            new Event.Commanded(
                Command.newBuilder().setCommandId("c-1").setAction(pause).build(), NOW, "c-0@1"),
            new Event.Reported(
                NOW, OutcomeState.SUCCEEDED, Optional.empty(), Optional.empty(), NOW, "o-0@1"),
            new Event.BackfillReported("b", NOW, OutcomeState.FAILED, Optional.empty(), NOW),
            new Event.Waited(NOW, NOW, true),
            new Event.ManualDue(List.of()),
            new Event.BackfillDue(1, Optional.empty()));
    assertThat(events)
        .extracting(event -> (Object) event.getClass())
        .containsExactlyInAnyOrder((Object[]) Event.class.getPermittedSubclasses());
    Decider decider = new Decider(new Timetables(), Duration.ofHours(1));
    for (Event event : events) {
      assertThatCode(() -> decider.decide(ScheduleId.parse("a"), Optional.of(state), event, NOW))
          .doesNotThrowAnyException();
    }
  }
}

package io.waterclock.topology.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.CarriedOccurrences;
import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.ExportedStates;
import io.waterclock.decide.model.ManualFire;
import io.waterclock.decide.model.ReplacedRevision;
import io.waterclock.decide.model.Runs;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.WaitingFires;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.schemas.ScheduleId;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StateCodecTest {
  private static final int ROUNDS = 500;
  private final StateCodec codec = new StateCodec();
  private final RandomStates random = new RandomStates(new SplittableRandom(4));

  @Test
  void a_definition_comes_back_as_it_was() {
    for (int i = 0; i < ROUNDS; i++) {
      StoredSchedule stored = new StoredSchedule(random.accepted(), random.maybe());
      assertThat(codec.decodeSchedule(codec.encode(stored))).isEqualTo(stored);
    }
  }

  @Test
  void replaced_revisions_come_back_and_are_told_apart() {
    for (int i = 0; i < ROUNDS; i++) {
      ReplacedRevision older = new ReplacedRevision(i, random.accepted());
      CarriedOccurrences carried = random.carried(i);
      assertThat(StateCodec.isOlder(codec.encode(older))).isTrue();
      assertThat(StateCodec.isOlder(codec.encode(carried))).isFalse();
      assertThat(codec.decodeOlder(i, codec.encode(older))).isEqualTo(older);
      assertThat(codec.decodeCarried(i, codec.encode(carried))).isEqualTo(carried);
    }
  }

  @Test
  void progress_comes_back_as_it_was() {
    for (int i = 0; i < ROUNDS; i++) {
      Accepted current = random.accepted();
      ScheduleState state =
          new ScheduleState(
              ScheduleId.parse("a/b"),
              current,
              random.instant(),
              List.of(),
              List.of(),
              random.maybe(),
              i % 2 == 0 ? Optional.of("läuft nicht: " + i) : Optional.empty(),
              Optional.empty(),
              i % 5 == 0
                  ? CommandState.NONE
                  : random.commanded(0, current).withFires(WaitingFires.NONE),
              i % 7 == 0 ? Runs.NONE : random.runs());
      StoredProgress stored =
          new StoredProgress(i % 3 == 0, state.fault(), ExportedStates.progress(state));
      StoredProgress read = codec.decodeProgress(codec.encode(stored));
      assertThat(read).isEqualTo(stored);
      assertThat(codec.hasParts(codec.encode(stored))).isEqualTo(stored.hasParts());
      assertThat(ExportedStates.state(state.id(), state.current(), read.record()))
          .isEqualTo(state.faulted(Optional.empty()));
    }
  }

  @Test
  void an_ordered_fire_comes_back_as_it_was() {
    for (int i = 0; i < ROUNDS; i++) {
      ManualFire fire = random.manualFire(i);
      assertThat(codec.decodeFire(i, codec.encode(fire))).isEqualTo(fire);
    }
  }

  @Test
  void a_position_comes_back_as_it_was() {
    for (Position position :
        new Position[] {Position.throughAllAt(-1), new Position(77, new byte[] {'a', '/', '1'})}) {
      assertThat(codec.decodePosition(codec.encode(position, 42)))
          .isEqualTo(new StoredPosition(position, 42));
    }
  }

  @Test
  void a_version_of_a_calendar_comes_back_as_it_was() {
    for (int i = 0; i < ROUNDS; i++) {
      CalendarVersion version = random.calendarVersion();
      assertThat(codec.decodeCalendar(codec.encode(version))).isEqualTo(version);
    }
    assertThat(codec.decodeNumber(codec.encode(7))).isEqualTo(7);
  }

  @Test
  void a_layout_of_a_newer_version_is_refused_in_words() {
    byte[] bytes = codec.encode(Position.throughAllAt(0), 0);
    bytes[0] = 9;
    assertThatThrownBy(() -> codec.decodePosition(bytes))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("layout version 9")
        .hasMessageContaining("newer version");
  }
}

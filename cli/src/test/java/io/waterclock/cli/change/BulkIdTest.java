package io.waterclock.cli.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BulkIdTest {
  private static final Instant BEGIN = Instant.parse("2026-11-21T10:00:00.123Z");
  private static final BulkId ID = new BulkId("pause-20261121T100000.123Z-1a2b3c4d");

  @Test
  void an_id_names_the_change_and_its_beginning() {
    assertThat(BulkId.of("pause", BEGIN).text())
        .matches("pause-20261121T100000\\.123Z-[0-9a-f]{8}");
    assertThat(ID.note(Optional.of("deploying"))).isEqualTo("deploying [" + ID.text() + "]");
    assertThat(ID.note(Optional.empty())).isEqualTo("[" + ID.text() + "]");
  }

  @Test
  void a_pause_holds_what_it_paused_and_nothing_that_was_paused_before() {
    String note = ID.note(Optional.of("deploying"));
    assertThat(ID.holds(paused(BEGIN, note))).isTrue();
    assertThat(ID.holds(paused(BEGIN.plusSeconds(9), note))).isTrue();
    assertThat(ID.holds(paused(BEGIN.minusMillis(1), note))).isFalse();
    assertThat(ID.holds(paused(BEGIN.plusSeconds(9), "deploying"))).isFalse();
    assertThat(ID.holds(paused(BEGIN, BulkId.of("pause", BEGIN).note(Optional.empty())))).isFalse();
    assertThat(ID.holds(KnownSchedule.of("a"))).isFalse();
  }

  @Test
  void an_id_of_a_person_holds_by_its_note_alone() {
    BulkId own = new BulkId("incident-17");
    assertThat(own.holds(paused(Instant.EPOCH, "down [incident-17]"))).isTrue();
    assertThat(own.holds(paused(Instant.EPOCH, "down [incident-170]"))).isFalse();
  }

  private static KnownSchedule paused(Instant since, String note) {
    return KnownSchedule.of("a")
        .withStatus(
            Optional.of(
                ScheduleStatus.newBuilder()
                    .setScheduleId("a")
                    .setState(State.PAUSED)
                    .setSince(since)
                    .setPause(new CommandedPause(since, note, "ann"))
                    .build()));
  }
}

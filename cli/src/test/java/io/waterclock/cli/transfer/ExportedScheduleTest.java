package io.waterclock.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.ExportedRange;
import io.waterclock.schemas.avro.ExportedRevision;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.Schedule;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ExportedScheduleTest {
  private static final Instant AT = Instant.parse("2026-11-21T10:00:00Z");
  private static final Instant LATER = AT.plusSeconds(60);
  private static final Schedule ENABLED =
      RecordCodecs.schedule().decode("{\"cron\":\"* * * * *\"}".getBytes(StandardCharsets.UTF_8));

  @Test
  void elsewhere_no_revision_is_current_and_all_others_bear_their_origin() {
    ExportedSchedule here =
        schedule(
            ENABLED,
            state()
                .setOlder(List.of(revision("r1"), revision("r2")))
                .setCarried(List.of(range("r0"))));
    ExportedSchedule there =
        schedule(
            ENABLED,
            state()
                .setRevision(null)
                .setOlder(List.of(revision("c1/r1"), revision("c1/r2")))
                .setCarried(List.of(range("c1/r0"))));
    assertThat(here.elsewhere("c1")).isEqualTo(there);
    assertThat(here.state().getOlder().get(0).getRevision()).isEqualTo("r1");
  }

  @Test
  void an_active_schedule_counts_as_decided_through_a_later_instant_only() {
    ExportedSchedule active = schedule(ENABLED, state());
    assertThat(active.decidedThrough(LATER).state().getDecidedThrough()).isEqualTo(LATER);
    assertThat(active.decidedThrough(AT.minusMillis(1))).isEqualTo(active);
  }

  @Test
  void what_has_not_fired_since_stays_as_it_was() {
    Schedule disabled = Schedule.newBuilder(ENABLED).setEnabled(false).build();
    CommandedPause pause = CommandedPause.newBuilder().setSince(AT).build();
    for (ExportedSchedule still :
        List.of(
            schedule(disabled, state()),
            schedule(ENABLED, state().setPause(pause)),
            schedule(ENABLED, state().setCompletedAt(AT)))) {
      assertThat(still.decidedThrough(LATER)).isEqualTo(still);
    }
    ExportedSchedule resumed = schedule(disabled, state().setResumed(true));
    assertThat(resumed.decidedThrough(LATER).state().getDecidedThrough()).isEqualTo(LATER);
  }

  private static ExportedSchedule schedule(Schedule definition, ExportedState.Builder state) {
    return new ExportedSchedule(ScheduleId.parse("a/b"), definition, state.build());
  }

  private static ExportedState.Builder state() {
    return ExportedState.newBuilder()
        .setRevision("r3")
        .setWrittenAt(AT)
        .setEffectiveAt(AT)
        .setOwnsAfter(AT)
        .setDecidedThrough(AT);
  }

  private static ExportedRevision revision(String name) {
    return ExportedRevision.newBuilder()
        .setRevision(name)
        .setSchedule(ENABLED)
        .setEffectiveAt(AT)
        .setOwnsAfter(AT)
        .build();
  }

  private static ExportedRange range(String revision) {
    return ExportedRange.newBuilder()
        .setRevision(revision)
        .setFirst(AT)
        .setLast(AT)
        .setLastDue(AT)
        .setCount(1)
        .build();
  }
}

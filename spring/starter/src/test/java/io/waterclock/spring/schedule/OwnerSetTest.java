package io.waterclock.spring.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Unit;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class OwnerSetTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  private final OwnerSet set = new OwnerSet("billing");

  private KnownSchedule schedule(String id, Optional<String> inForce, Optional<String> rejected) {
    Schedule labelled =
        set.member(
            Schedule.newBuilder().setTrigger(new EveryTrigger(1L, Unit.HOUR, null, null)).build());
    return KnownSchedule.of(id)
        .with(Optional.of(new WrittenDefinition("r@2", Optional.of(labelled))))
        .withStatus(
            Optional.of(
                ScheduleStatus.newBuilder()
                    .setScheduleId(id)
                    .setState(inForce.isPresent() ? State.ACTIVE : State.REJECTED)
                    .setSince(NOW)
                    .setRevision(inForce.orElse(null))
                    .setRejectedRevision(rejected.orElse(null))
                    .build()));
  }

  @Test
  void what_the_code_no_longer_declares_is_stale_at_its_newest_record() {
    KnownSchedule goes = schedule("goes", Optional.of("r@2"), Optional.empty());
    KnownSchedule stays = schedule("stays", Optional.of("r@2"), Optional.empty());
    assertThat(set.stale(List.of(goes, stays), Set.of("stays"))).isEqualTo(Map.of("goes", "r@2"));
  }

  @Test
  void a_record_that_was_never_in_force_is_stale_as_well() {
    KnownSchedule rejected = schedule("a", Optional.empty(), Optional.of("r@2"));
    assertThat(set.stale(List.of(rejected), Set.of())).containsOnlyKeys("a");
  }

  /** Another application's definition may be in force, which revisions no longer retains. */
  @Test
  void the_label_of_a_record_that_may_be_rejected_makes_no_member() {
    KnownSchedule rejected = schedule("a", Optional.of("r@1"), Optional.of("r@2"));
    KnownSchedule undecided = schedule("b", Optional.of("r@1"), Optional.empty());
    assertThat(set.stale(List.of(rejected, undecided), Set.of())).isEmpty();
    assertThat(set.unsure(List.of(rejected, undecided), Set.of("b"))).containsExactly("a");
  }
}

package io.waterclock.cli.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.transfer.ExistingSchedules.Standing;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The newest record is at r-2. */
class ExistingSchedulesTest {
  @Test
  void a_schedule_of_which_only_a_rejected_record_exists_is_not_in_force() {
    assertThat(standing(null, "r-2")).isEqualTo(Standing.REJECTED);
  }

  @Test
  void a_revision_stays_in_force_behind_a_rejected_or_unread_record() {
    assertThat(standing("r-1", "r-2")).isEqualTo(Standing.IN_FORCE);
    assertThat(standing("r-1", null)).isEqualTo(Standing.IN_FORCE);
    assertThat(standing("r-2", "r-1")).isEqualTo(Standing.IN_FORCE);
  }

  @Test
  void nothing_is_known_of_an_unread_record_whose_schedule_was_never_accepted() {
    assertThat(Standing.of("r-2", Optional.empty())).isEqualTo(Standing.UNKNOWN);
    assertThat(standing(null, "r-1")).isEqualTo(Standing.UNKNOWN);
  }

  private static Standing standing(@Nullable String revision, @Nullable String rejected) {
    ScheduleStatus status =
        ScheduleStatus.newBuilder()
            .setScheduleId("a")
            .setState(revision == null ? State.REJECTED : State.ACTIVE)
            .setSince(Instant.EPOCH)
            .setRevision(revision)
            .setRejectedRevision(rejected)
            .build();
    return Standing.of("r-2", Optional.of(status));
  }
}

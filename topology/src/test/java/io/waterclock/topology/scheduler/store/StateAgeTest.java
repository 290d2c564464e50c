package io.waterclock.topology.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StateAgeTest {
  private static final Instant NOW = Instant.parse("2026-11-23T06:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private final StateAge age = new StateAge(DAY, () -> NOW);

  @Test
  void state_is_used_up_to_its_greatest_age_inclusive() {
    assertThat(age.objection(Optional.of(NOW))).isEmpty();
    assertThat(age.objection(Optional.of(NOW.minus(DAY)))).isEmpty();
    assertThat(age.objection(Optional.of(NOW.minus(DAY).minusMillis(1))))
        .contains(
            "was last written at 2026-11-22T05:59:59.999Z, longer ago than state.max.age=PT24H");
  }

  @Test
  void state_that_does_not_tell_its_age_is_not_used() {
    assertThat(age.objection(Optional.empty())).contains("does not say when it was last written");
  }

  @Test
  void state_from_the_future_is_not_used_as_nobody_knows_how_old_it_is() {
    assertThat(age.objection(Optional.of(NOW.plusSeconds(60)))).isEmpty();
    assertThat(age.objection(Optional.of(NOW.plusSeconds(61))))
        .contains("was last written at 2026-11-23T06:01:01Z, which is still to come");
  }

  @Test
  void changelogs_keep_tombstones_for_twice_as_long_so_that_there_is_time_to_read_them() {
    assertThat(StateAge.tombstonesKept(DAY)).isEqualTo(Duration.ofDays(2));
  }
}

package io.waterclock.topology.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.EarlierLives;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StrayStoreTest {
  private static final Instant NOON = Instant.parse("2026-11-25T12:00:00Z");

  /**
   * An imported schedule may say that the years to come are decided: new ids begin all the same.
   */
  @Test
  void what_a_forgotten_schedule_has_decided_in_the_future_bounds_no_other() {
    StrayStore.Forgotten none = new StrayStore.Forgotten(Instant.EPOCH, Instant.EPOCH);
    Instant future = Instant.parse("9999-12-30T00:00:00Z");
    for (Instant ended : new Instant[] {future, NOON.minusSeconds(5)}) {
      RemovedSchedule removed =
          new RemovedSchedule(
              NOON.minusSeconds(9), NOON, 7, new EarlierLives(ended, Optional.of(ended)));
      assertThat(none.and(removed))
          .isEqualTo(
              new StrayStore.Forgotten(NOON.minusSeconds(9), ended.equals(future) ? NOON : ended));
    }
  }
}

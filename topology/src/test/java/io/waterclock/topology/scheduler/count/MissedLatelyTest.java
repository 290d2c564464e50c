package io.waterclock.topology.scheduler.count;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.MissedRange;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.MissedReason;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class MissedLatelyTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final ScheduleId A = ScheduleId.parse("a");

  private final MissedLately missed = new MissedLately();

  @Test
  void what_a_schedule_missed_adds_up() {
    missed.add(A, "acme", range(MissedReason.GRACE, 1_000), NOON);
    missed.add(A, "acme", range(MissedReason.OUT_OF_WINDOW, 1), NOON);
    assertThat(missed.at(NOON)).isEqualTo(Map.of(A, 1_001L));
  }

  @Test
  void every_owner_hears_of_its_own_however_many_schedules_there_are() {
    for (int i = 0; i < 3 * MissedLately.MOST; i++) {
      ScheduleId id = ScheduleId.parse("s" + i);
      missed.add(id, "o" + i % 3, range(MissedReason.GRACE, 2), NOON);
    }
    assertThat(missed.byOwner(NOON)).isEqualTo(Map.of("o0", 40L, "o1", 40L, "o2", 40L));
    assertThat(missed.byOwner(NOON.plus(Lately.KEPT))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"SKIPPED", "PAUSED", "DELETED", "COLLAPSED_INTO", "OVERLAP"})
  void what_a_request_or_a_policy_leaves_out_is_left_out(MissedReason reason) {
    missed.add(A, "acme", range(reason, 1), NOON);
    assertThat(missed.at(NOON)).isEmpty();
    assertThat(missed.byOwner(NOON)).isEmpty();
  }

  @Test
  void a_schedule_stays_for_an_hour_after_the_latest() {
    missed.add(A, "acme", range(MissedReason.GRACE, 1), NOON);
    missed.add(A, "acme", range(MissedReason.GRACE, 1), NOON.plusSeconds(60));
    Instant hourLater = NOON.plusSeconds(60).plus(Lately.KEPT);
    assertThat(missed.at(hourLater.minusMillis(1))).containsOnlyKeys(A);
    assertThat(missed.at(hourLater)).isEmpty();
  }

  @Test
  void while_the_list_is_full_those_on_it_stay() {
    for (int i = 0; i < MissedLately.MOST; i++) {
      missed.add(
          ScheduleId.parse("s" + i), "acme", range(MissedReason.GRACE, 1), NOON.plusSeconds(i));
    }
    missed.add(A, "acme", range(MissedReason.GRACE, 1), NOON.plusSeconds(30));
    assertThat(missed.at(NOON.plusSeconds(30))).hasSize(MissedLately.MOST).doesNotContainKey(A);
    assertThat(missed.at(NOON.plus(Lately.KEPT))).doesNotContainKey(ScheduleId.parse("s0"));
    missed.add(A, "acme", range(MissedReason.GRACE, 1), NOON.plus(Lately.KEPT));
    assertThat(missed.at(NOON.plus(Lately.KEPT))).containsKey(A);
  }

  private static MissedRange range(MissedReason reason, long count) {
    return new MissedRange("t-0@1", NOON, NOON, count, true, MissedRange.Why.of(reason));
  }
}

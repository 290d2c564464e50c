package io.waterclock.topology.scheduler.admit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.emit.Sink;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is admitted in one go when definitions that have waited are costly to read. */
final class CostlyDefinitionsTest {
  private static final int MANY = 30;

  /** To validate a definition and to decide it: each reads its rule, and searches. */
  private static final long MOST_OF_ONE = 6 * Effort.DECISION;

  private final TestAdmission a = new TestAdmission(RecordDeaths.none());

  @Test
  void definitions_with_a_first_occurrence_far_from_the_anchor_are_admitted_a_few_at_a_time() {
    wait("1971-06-01T00:00:00Z");
    assertThat(retries()).isBetween(MANY / 4, MANY);
    assertThat(a.admitted).hasSize(MANY);
    assertThat(a.sent(Sink.REVISIONS)).isEqualTo(MANY);
  }

  @Test
  void so_are_those_that_are_rejected_because_it_lies_too_far() {
    wait("1970-06-01T00:00:00Z");
    assertThat(retries()).isBetween(MANY / 8, MANY);
    assertThat(a.admitted).hasSize(MANY);
    assertThat(a.sent(Sink.REVISIONS)).isZero();
  }

  @Test
  void large_records_that_come_make_a_slice_of_small_ones_act() {
    a.admission.reads(false);
    for (int i = 0; i < 3_000; i++) {
      a.admit(TestAdmission.SCHEDULES, "s" + i, "{\"every\":\"1h\"}");
    }
    byte[] large = new byte[1 << 20];
    for (int before = 0, i = 0; i < 50; i++, before = a.admitted.size()) {
      a.admit(TestAdmission.SCHEDULES, "large" + i, Optional.of(large));
      assertThat(a.admitted.size() - before).isLessThanOrEqualTo(500);
    }
    assertThat(a.admitted).hasSize(3_000);
  }

  /** Until 1972 Monrovia was 44 minutes and 30 seconds behind: no minute of UTC began a minute. */
  private void wait(String anchor) {
    a.admission.reads(false);
    for (int i = 0; i < MANY; i++) {
      a.admit(
          TestAdmission.SCHEDULES,
          "s" + i,
          ("{\"rrule\":\"FREQ=SECONDLY;INTERVAL=60;BYSECOND=0\",\"anchor\":\"%s\","
                  + "\"timezone\":\"Africa/Monrovia\",\"catch_up\":\"replay\",\"max_replay\":10001}")
              .formatted(Instant.parse(anchor).plusSeconds(60L * i)));
    }
    a.admission.reads(true);
    assertThat(a.admitted).isEmpty();
  }

  private int retries() {
    int retries = 0;
    while (a.admitted.size() < MANY && retries <= MANY) {
      long before = steps();
      a.admission.retry(TestAdmission.NOW);
      assertThat(steps() - before).isPositive().isLessThan(Slice.ENOUGH_STEPS + MOST_OF_ONE);
      retries++;
    }
    return retries;
  }

  private long steps() {
    return a.task.encoder().tables().effort().total();
  }
}

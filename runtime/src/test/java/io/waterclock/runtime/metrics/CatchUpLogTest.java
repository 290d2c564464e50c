package io.waterclock.runtime.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.topology.scheduler.count.Counts;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class CatchUpLogTest {
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  private final CatchUpLog log = new CatchUpLog(3, false, new Counts());

  @Test
  void an_outage_is_said_once_when_it_is_over() {
    assertThat(log.at(NOON.minusSeconds(5), NOON)).isEmpty();
    assertThat(log.at(NOON, NOON.plusSeconds(300))).isEmpty();
    assertThat(log.at(NOON.plusSeconds(200), NOON.plusSeconds(301))).isEmpty();
    assertThat(log.at(NOON.plusSeconds(310), NOON.plusSeconds(312)))
        .contains(
            "Partition 3: has caught up with what was due since 2026-11-30T12:00:00Z, 312 s ago: 0"
                + " fired, missed: none");
    assertThat(log.at(NOON.plusSeconds(311), NOON.plusSeconds(313))).isEmpty();
  }

  @Test
  void a_partition_that_is_a_little_late_is_no_outage() {
    assertThat(log.at(NOON, NOON.plusSeconds(59))).isEmpty();
    assertThat(log.at(NOON.plusSeconds(59), NOON.plusSeconds(60))).isEmpty();
  }

  @Test
  void a_partition_that_was_never_decided_comes_from_no_outage() {
    CatchUpLog fresh = new CatchUpLog(3, true, new Counts());
    assertThat(fresh.at(NOON.minusSeconds(602), NOON)).isEmpty();
    assertThat(fresh.at(NOON.plusSeconds(1), NOON.plusSeconds(2))).isEmpty();
    assertThat(fresh.at(NOON.plusSeconds(1), NOON.plusSeconds(300))).isEmpty();
    assertThat(fresh.at(NOON.plusSeconds(301), NOON.plusSeconds(302))).isPresent();
  }
}

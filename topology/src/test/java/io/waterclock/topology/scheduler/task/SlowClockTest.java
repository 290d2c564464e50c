package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.topology.scheduler.context.ClockGuard;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A partition moves to a host whose clock is behind that of its last owner. */
final class SlowClockTest {
  private Duration behind = Duration.ZERO;
  private final SimulatedCluster cluster =
      new SimulatedCluster(
          1,
          time -> () -> new ClockGuard.Reading(time.instant().minus(behind), true, time.instant()));

  @Test
  void watermarks_go_on_though_the_time_of_the_partition_stands_still() {
    advance(10);
    behind = Duration.ofHours(1);
    cluster.tasks().get(0).crash();
    advance(5);
    int before = cluster.committed().watermarksWritten();
    advance(100);
    assertThat(cluster.committed().watermarksWritten()).isGreaterThan(before + 5);
  }

  private void advance(int seconds) {
    for (int i = 0; i < seconds; i++) {
      cluster.advance(Duration.ofSeconds(1));
      cluster.drain();
    }
  }
}

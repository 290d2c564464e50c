package io.waterclock.bench.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Differences of counters that only grow. */
final class CpuTimesTest {
  @Test
  void cpu_time_is_printed_by_process_since_the_beginning() {
    CpuTimes before =
        new CpuTimes(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(300));
    CpuTimes after =
        new CpuTimes(Duration.ofMillis(1_100), Duration.ofMillis(450), Duration.ofMillis(300));

    assertThat(after.since(before)).hasToString("1.00 + 0.25 + 0.00 s");
  }

  @Test
  void two_readings_give_the_ticks_between_them() {
    Ticks ticks = new Ticks(12, 3_000_000_000L);

    assertThat(ticks.since(new Ticks(2, 1_000_000_000L))).isEqualTo(new Ticks(10, 2_000_000_000L));
  }

  @Test
  void ticks_of_all_stream_threads_add_up() {
    String metrics =
        """
        # TYPE kafka_stream_thread_punctuate counter
        kafka_stream_thread_punctuate_total{thread_id="a"} 3.0
        kafka_stream_thread_punctuate_total{thread_id="b"} 4.0
        kafka_stream_thread_poll_total{thread_id="a"} 9.0
        """;

    assertThat(Ticks.ofThisJvm(metrics).count()).isEqualTo(7);
  }
}

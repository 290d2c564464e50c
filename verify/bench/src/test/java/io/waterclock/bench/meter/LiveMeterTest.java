package io.waterclock.bench.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.bench.load.Keys;
import io.waterclock.bench.run.VoidRunException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Meters that read records of fires. */
final class LiveMeterTest {
  private static final Instant START = Instant.parse("2020-01-01T10:00:00Z");
  private static final Duration BOUND = Duration.ofMillis(1);

  private static void see(RecordListener meter, String phase, int number, Instant due, int lateMs) {
    see(meter, 0, phase, number, due, lateMs);
  }

  private static void see(
      RecordListener meter, int partition, String phase, int number, Instant due, int lateMs) {
    byte[] key = (Keys.id(phase, number) + "|" + due).getBytes(StandardCharsets.US_ASCII);
    meter.seen(
        new ConsumerRecord<>("fires", partition, 0, key, new byte[0]),
        (due.toEpochMilli() + lateMs) * 1_000);
  }

  @Test
  void two_schedules_fire_half_a_second_apart() {
    LiveMeter meter = new LiveMeter("live", START, 2);

    assertThat(meter.firstDue(0)).isEqualTo(START);
    assertThat(meter.firstDue(1)).isEqualTo(START.plusMillis(500));
  }

  @Test
  void only_fires_of_the_span_and_of_the_wanted_schedules_count() {
    LiveMeter meter = new LiveMeter("live", START, 2);
    for (int second = 0; second < 3; second++) {
      see(meter, "live", 0, START.plusSeconds(second), 10);
      see(meter, "live", 1, START.plusSeconds(second).plusMillis(500), 30);
    }
    see(meter, "late", 0, START, 99);

    assertThat(meter.between(START, START.plusSeconds(3), n -> true).getTotalCount()).isEqualTo(6);
    assertThat(meter.between(START, START.plusSeconds(1), n -> n == 1).getMaxValue())
        .isBetween(30_000L, 30_050L);
    assertThat(meter.between(START.plusSeconds(1), START.plusSeconds(2), n -> n == 0).getMaxValue())
        .isBetween(10_000L, 10_050L);
  }

  @Test
  void a_missing_fire_makes_the_measurement_void() {
    LiveMeter meter = new LiveMeter("live", START, 1);

    assertThatThrownBy(() -> meter.between(START, START.plusSeconds(1), n -> true))
        .isInstanceOf(VoidRunException.class)
        .hasMessage("1 fires are missing, 0 came twice");
  }

  @Test
  void a_doubled_fire_makes_the_measurement_void() {
    LiveMeter meter = new LiveMeter("live", START, 1);
    see(meter, "live", 0, START, 10);
    see(meter, "live", 0, START, 20);

    assertThatThrownBy(() -> meter.between(START, START.plusSeconds(1), n -> true))
        .hasMessage("0 fires are missing, 1 came twice");
  }

  @Test
  void a_replay_in_order_is_complete() {
    ReplayMeter meter = new ReplayMeter("play", START, 3);
    for (int second = 1; second <= 4; second++) {
      see(meter, "play", 0, START.plusSeconds(second), 0);
    }

    meter.await(BOUND);
  }

  @Test
  void a_replay_out_of_order_is_void() {
    ReplayMeter meter = new ReplayMeter("play", START, 3);
    for (int second : new int[] {1, 3}) {
      see(meter, "play", 0, START.plusSeconds(second), 0);
    }

    assertThatThrownBy(() -> meter.await(BOUND)).hasMessageContaining("1 replayed fires");
  }

  @Test
  void an_incomplete_replay_says_where_it_is() {
    ReplayMeter meter = new ReplayMeter("play", START, 3);
    see(meter, "play", 0, START.plusSeconds(1), 0);

    assertThatThrownBy(() -> meter.await(BOUND)).hasMessageEndingWith("but at 1");
  }

  @Test
  void partitions_return_with_their_first_fire_and_are_on_time_within_a_second() {
    ReturnMeter meter = new ReturnMeter(Set.of(1, 2), START);
    see(meter, 1, "live", 0, START.minusSeconds(1), 0);
    see(meter, 3, "live", 0, START, 0);
    see(meter, 1, "live", 0, START, 5_000);
    see(meter, 2, "live", 0, START.plusSeconds(6), 500);
    see(meter, 1, "live", 0, START.plusSeconds(7), 100);

    assertThat(meter.await(BOUND))
        .isEqualTo(
            new ReturnMeter.Return(
                START.plusSeconds(5), START.plusMillis(6_500), START.plusMillis(7_100)));
  }

  @Test
  void a_record_of_each_schedule_is_expected_once() {
    ExpectedRecords records = new ExpectedRecords("mixd", 2, record -> record.value().length == 0);
    see(records, "mixd", 0, START, 0);
    assertThatThrownBy(() -> records.await("fired", BOUND))
        .hasMessage("after 0 s only 1 of 2 fired");

    see(records, "mixd", 1, START, 0);
    records.await("fired", BOUND);

    see(records, "mixd", 1, START, 0);
    assertThatThrownBy(() -> records.await("fired", BOUND)).hasMessage("1 came twice");
  }
}

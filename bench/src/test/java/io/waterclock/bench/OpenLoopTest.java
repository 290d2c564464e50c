package io.waterclock.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

final class OpenLoopTest {
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

  @Test
  void every_counted_fire_has_its_own_number_from_zero() {
    OpenLoop loop = new OpenLoop(START, 300, Duration.ofSeconds(15), Duration.ofSeconds(25));
    BitSet numbers = new BitSet();
    for (int k = 0; k < loop.allFires(); k++) {
      long dueMs = loop.due(k).toEpochMilli();
      if (loop.isCounted(dueMs)) {
        int number = loop.number(dueMs, k % loop.schedules());
        assertThat(numbers.get(number)).isFalse();
        numbers.set(number);
      }
    }
    assertThat(numbers.cardinality()).isEqualTo(loop.countedFires());
    assertThat(numbers.length()).isEqualTo(loop.countedFires());
  }

  @Test
  void a_fire_key_tells_the_number_and_the_occurrence() {
    String id = Keys.id("herd", 123_456);
    byte[] key = (id + "|2026-11-21T10:00:00.123Z").getBytes(StandardCharsets.US_ASCII);

    assertThat(id).hasSize(16);
    assertThat(Keys.isOf("herd", key)).isTrue();
    assertThat(Keys.isOf("warm", key)).isFalse();
    assertThat(Keys.number(key)).isEqualTo(123_456);
    assertThat(Keys.occurrenceMs(key)).isEqualTo(START.plusMillis(123).toEpochMilli());
  }

  @Test
  void what_the_first_poll_brought_is_no_part_of_the_drain_rate() {
    Drain drain = new Drain(1_000, 200, 100_000, 500_000);

    assertThat(drain.rate()).isEqualTo(2_000.0);
    assertThat(drain.drainRate()).isEqualTo(2_000.0);
  }
}

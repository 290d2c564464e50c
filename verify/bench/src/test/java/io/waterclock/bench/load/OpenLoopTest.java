package io.waterclock.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class OpenLoopTest {
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

  @ParameterizedTest
  @EnumSource
  void every_counted_fire_has_its_own_number_from_zero(ScheduleKind kind) {
    OpenLoop loop = new OpenLoop(START, 300, Duration.ofSeconds(15), Duration.ofSeconds(25), kind);
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

  @ParameterizedTest
  @EnumSource
  void the_schedules_of_a_loop_are_due_when_its_first_fires_are(ScheduleKind kind) {
    OpenLoop loop = new OpenLoop(START, 300, Duration.ofSeconds(15), Duration.ofSeconds(25), kind);
    Work work = loop.work("late");

    assertThat(work.count()).isEqualTo(loop.schedules());
    for (int number = 0; number < work.count(); number++) {
      assertThat(work.due(number)).isEqualTo(loop.due(number));
    }
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
}

package io.waterclock.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.bench.run.Options;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class EvenLoadTest {
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

  @Command
  private static final class Measurement {
    @Mixin private Options options = new Options();
    @Mixin private EvenLoad load = new EvenLoad();
  }

  private static OpenLoop loop(String... arguments) {
    Measurement measurement = new Measurement();
    new CommandLine(measurement).parseArgs(arguments);
    return measurement.load.loop(measurement.options, ScheduleKind.EVERY);
  }

  @Test
  void the_default_is_a_thousand_fires_a_second_for_half_a_minute_after_a_minute() {
    OpenLoop loop = loop();

    assertThat(loop.rate()).isEqualTo(1_000);
    assertThat(loop.warmUp()).isEqualTo(Duration.ofMinutes(1));
    assertThat(loop.counted()).isEqualTo(Duration.ofSeconds(30));
    assertThat(loop.allFires()).isEqualTo(90_000);
    assertThat(loop.countedFires()).isEqualTo(30_000);
    assertThat(loop.schedules()).isEqualTo(10_000);
  }

  @Test
  void quick_shortens_what_is_not_given() {
    OpenLoop loop = loop("--quick", "--warm-up", "3");

    assertThat(loop.warmUp()).isEqualTo(Duration.ofSeconds(3));
    assertThat(loop.counted()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void a_loop_that_begins_later_is_the_same_load() {
    OpenLoop loop = loop("--rate", "4").from(START);

    assertThat(loop.due(0)).isEqualTo(START);
    assertThat(loop.due(5)).isEqualTo(START.plusMillis(1_250));
    assertThat(loop.end()).isEqualTo(START.plusSeconds(90));
  }

  @Test
  void all_schedules_of_a_herd_are_due_at_one_instant() {
    Work herd = Work.herd("herd", 3, START);

    assertThat(herd.isHerd()).isTrue();
    assertThat(herd.due(0)).isEqualTo(START);
    assertThat(herd.due(2)).isEqualTo(START);
    assertThat(herd.interval()).isEmpty();
  }
}
